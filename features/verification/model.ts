/** What someone asks about: a file, of which only the SHA-256 is known, or a number printed on a document. */
export type Question = { by: 'file'; sha256: string } | { by: 'number'; number: string };

/** How far an anchor is: waiting for a transaction, for a block, for enough blocks after it, or in the chain for good. */
export type AnchorState = 'waiting' | 'sent' | 'mined' | 'final' | 'failed';

/** What one network says of a document. */
export interface Anchor {
  state: AnchorState;
  /** the network's name in words; null while no chain is configured */
  network: string | null;
  contract: string | null;
  /** the hash of the transaction; null while it is in no block */
  transaction: string | null;
  /** its page at an explorer; null where there is none, as for a chain on this machine */
  transactionLink: string | null;
  block: string | null;
  /** the block's time; ISO, UTC */
  at: string | null;
  /** of several documents anchored together: what the transaction wrote, which the proof leads to; null for one by itself */
  root: string | null;
  /** whether the contract, asked now, says that it has the hash; null when it could not be asked */
  confirmedNow: boolean | null;
  /** the hashes beside the way from the anchor hash up to the root, in hexadecimal digits */
  proof: string[];
}

/** A token that evidences the document. */
export interface Token {
  tokenId: string;
  network: string;
  contract: string | null;
  /** of the transaction that made it, at an explorer; null where there is none */
  transactionLink: string | null;
}

/** A registered document, told to whoever has its file or its number: never its name, address, price or parties. */
export interface RegisteredDocument {
  /** ISO, UTC */
  registeredAt: string;
  /** what is anchored; for a document with a salt SHA-256(salt ‖ SHA-256 of the file), else the SHA-256 of the file */
  anchorHash: string;
  /** in hexadecimal digits, told to whoever has the file alone; null for a document without */
  salt: string | null;
  salted: boolean;
  /** withdrawn by an administrator: it no longer counts */
  revoked: boolean;
  /** one for each network; none while no one asked for it */
  anchors: Anchor[];
  tokens: Token[];
}

/** What a question found: every registration of the same file, the oldest first; none for what is not known here. */
export interface Verification {
  question: Question;
  documents: RegisteredDocument[];
}
