/** Where files with a content address are read unless the settings say otherwise. */
export const DEFAULT_GATEWAY = 'https://ipfs.io/ipfs/{cid}';

/** The address of a public file at a gateway, whose address has `{cid}` where the content address goes. */
export const gatewayLink = (cid: string, gateway: string = DEFAULT_GATEWAY): string =>
  gateway.replace('{cid}', cid);
