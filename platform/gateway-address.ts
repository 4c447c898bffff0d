/** What stands for the content address in the address of a gateway. */
export const CID_PLACEHOLDER = '{cid}';

/**
 * Whether a text is the address of a gateway: http or https, with {cid} once, as a folder of the path or as the first label of the host
 * (`https://{cid}.ipfs.dweb.link`), which keeps the content of one document from reading what belongs to another.
 */
export function isGateway(text: string): boolean {
  if (text.split(CID_PLACEHOLDER).length !== 2 || /[\s"'<>\\]/.test(text)) return false;
  const label = 'cid-of-a-document';
  const filled = text.replace(CID_PLACEHOLDER, label);
  if (!URL.canParse(filled)) return false;
  const { protocol, hostname, pathname, username, password, hash } = new URL(filled);
  if (!['http:', 'https:'].includes(protocol) || username || password || hash) return false;
  return hostname.startsWith(`${label}.`) !== pathname.split('/').includes(label);
}
