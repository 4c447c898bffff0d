/** What the form says of where tokens are made. */
export interface NftNetwork {
  /** in words; null while no chain is configured, so that tokens wait */
  network: string | null;
  /** what names of wallets end with; null where none can be looked up */
  nameSuffix: string | null;
}

/** A recipient by name, with the wallet that it belongs to now; `text` says why there is none. */
export type NamedRecipient = { ok: true; name: string; address: string } | { ok: false; text: string };

/**
 * Where a completion token is: `making`: not on the chain yet; `custody`: there, held by the operator for the buyer; `sending`: on its way
 * to the buyer's wallet; `sent`: in a wallet.
 */
type CompletionTokenState = 'making' | 'custody' | 'sending' | 'sent';

/** Where the completion token of a purchase goes that is not closed yet. */
export interface TokenWallet {
  /** in words */
  network: string;
  /** null for the operator's custody */
  wallet: string | null;
}

/** The token that evidences the receipt of a purchase, as its buyer sees it. */
export interface CompletionToken {
  id: string;
  name: string;
  /** on the chain, as a decimal number; null before it is made */
  number: string | null;
  state: CompletionTokenState;
  /** whether the buyer can have it sent to a wallet now */
  claimable: boolean;
  /** in words; null while no chain is configured, so that it waits */
  network: string | null;
  /** the wallet that has it, or gets it; null for the operator's custody */
  wallet: string | null;
  /** why it could not be made, or why the wallet that was named last did not take it; null otherwise */
  failure: string | null;
  /** of its making at the network's explorer, or null */
  transactionLink: string | null;
  /** the wallet that the buyer named before, to be suggested */
  known: string | null;
}
