/** What someone asks about: a file, of which only the SHA-256 is known, or a number printed on a document. */
export type Question = { by: 'file'; sha256: string } | { by: 'number'; number: string };

/** How far the anchor of a document is. */
export type AnchorState = 'not_asked' | 'waiting' | 'mined' | 'final' | 'failed' | 'revoked';

/** What a chain says of a document. */
export interface Anchor {
  state: AnchorState;
  /** the network's name in words; null while no chain has the document */
  network: string | null;
  chainId: number | null;
  contract: string | null;
  /** the hash of the transaction; null while there is none */
  transaction: string | null;
  /** its page at an explorer; null where there is none, as for a chain on this machine */
  transactionLink: string | null;
  block: string | null;
  /** the block's time; ISO, UTC */
  at: string | null;
  /** what the transaction wrote: the anchor hash itself, or the root that the proof leads to; null while there is none */
  root: string | null;
  /** siblings from the anchor hash up to the root, as `0x` and hexadecimal digits; empty when the hash itself was written */
  proof: string[];
}

/** A token that evidences the document. */
export interface Token {
  tokenId: string;
  network: string;
  contract: string | null;
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
  anchor: Anchor;
  tokens: Token[];
}

/** What a question found: every registration of the same file, the oldest first; none for what is not known here. */
export interface Verification {
  question: Question;
  documents: RegisteredDocument[];
}
