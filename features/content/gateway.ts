import type { Config } from '#platform/config.ts';
import { CID_PLACEHOLDER } from '#platform/gateway-address.ts';

/** Where links to public documents lead unless a setting says otherwise. */
const DEFAULT_GATEWAY = 'https://ipfs.io/ipfs/{cid}';

/** Where our own server gives out what its local store has. */
const localGateway = (publicUrl: string): string => `${publicUrl}/content/${CID_PLACEHOLDER}`;

/** Where links lead while the setting is empty: to the gateway of the environment, else to where the store gives out what it has. */
export const derivedGateway = ({ content, publicUrl }: Pick<Config, 'content' | 'publicUrl'>): string =>
  content.gateway ?? (content.store === 'local' ? localGateway(publicUrl) : DEFAULT_GATEWAY);

/**
 * The address of published content.
 * @param gateway with {cid}
 */
export function gatewayLink(gateway: string, cid: string): string {
  // Hosts know no capitals, which addresses of version 0 have.
  const usable = /^https?:\/\/\{cid\}\./.test(gateway) && cid.startsWith('Qm') ? DEFAULT_GATEWAY : gateway;
  return usable.replace(CID_PLACEHOLDER, cid);
}
