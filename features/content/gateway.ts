/** Where links to public documents lead unless a setting says otherwise. */
export const DEFAULT_GATEWAY = 'https://ipfs.io/ipfs/{cid}';

const PLACEHOLDER = '{cid}';

/** Where our own server gives out what its local store has. */
export const localGateway = (publicUrl: string): string => `${publicUrl}/content/${PLACEHOLDER}`;

/**
 * Whether a text is the address of a gateway: http or https, with {cid} once, as a folder of the path or as the first label of the host
 * (`https://{cid}.ipfs.dweb.link`), which keeps the content of one document from reading what belongs to another.
 */
export function isGateway(text: string): boolean {
  if (text.split(PLACEHOLDER).length !== 2 || /[\s"'<>\\]/.test(text)) return false;
  const label = 'cid-of-a-document';
  const filled = text.replace(PLACEHOLDER, label);
  if (!URL.canParse(filled)) return false;
  const { protocol, hostname, pathname, username, password, hash } = new URL(filled);
  if (!['http:', 'https:'].includes(protocol) || username || password || hash) return false;
  return hostname.startsWith(`${label}.`) !== pathname.split('/').includes(label);
}

/**
 * The address of published content.
 * @param gateway with {cid}
 */
export function gatewayLink(gateway: string, cid: string): string {
  // Hosts know no capitals, which addresses of version 0 have.
  const usable = /^https?:\/\/\{cid\}\./.test(gateway) && cid.startsWith('Qm') ? DEFAULT_GATEWAY : gateway;
  return usable.replace(PLACEHOLDER, cid);
}
