/** What the form says of where tokens are made. */
export interface NftNetwork {
  /** in words; null while no chain is configured, so that tokens wait */
  network: string | null;
  /** what names of wallets end with; null where none can be looked up */
  nameSuffix: string | null;
}

/** A recipient by name, with the wallet that it belongs to now; `text` says why there is none. */
export type NamedRecipient = { ok: true; name: string; address: string } | { ok: false; text: string };
