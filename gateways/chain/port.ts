/** Bytes in hexadecimal digits after 0x: a hash, an address, a signed transaction. */
export type Hex = `0x${string}`;

/** What is to be done on the chain. */
export type ChainCall =
  | { kind: 'anchor'; hash: Hex }
  | { kind: 'mint'; to: Hex; key: Hex; uri: string }
  | { kind: 'transfer'; from: Hex; to: Hex; tokenId: number }
  | { kind: 'deploy' }
  | { kind: 'pause' }
  | { kind: 'unpause' }
  | { kind: 'base_uri'; base: string };

/** Fees of a transaction, in wei for each unit of gas. */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** Everything that is signed, as decimal numbers in text where they exceed a number; kept in the database to sign again with other fees. */
export interface TransactionFields {
  /** the contract; null deploys one */
  to: Hex | null;
  data: Hex;
  nonce: number;
  gas: string;
  maxFeePerGas: string;
  maxPriorityFeePerGas: string;
}

export interface SignedTransaction {
  hash: Hex;
  raw: Hex;
  fields: TransactionFields;
}

/** A transaction in a block, of which the node says both agree. */
export interface ChainReceipt {
  hash: Hex;
  succeeded: boolean;
  blockNumber: number;
  blockHash: Hex;
  blockTime: Date;
  gasUsed: bigint;
  /** of a mint */
  tokenId: number | null;
  /** of a deployment */
  contract: Hex | null;
}

/** A block. */
export interface Head {
  number: number;
  hash: Hex;
  time: Date;
}

/** What a contract says of itself. */
export interface ContractState {
  version: number;
  paused: boolean;
  totalMinted: number;
  baseUri: string;
  signerIsOwner: boolean;
  signerIsMinter: boolean;
}

/** Why the chain does not do something; `already_…` when it has been done before. */
type RefusalCode =
  | 'already_minted'
  | 'already_anchored'
  | 'paused'
  | 'not_allowed'
  | 'receiver'
  | 'no_funds'
  | 'fees'
  | 'reverted';

/** A call that would fail, or fails; the message can be shown. */
export class ChainRefusal extends Error {
  override name = 'ChainRefusal';
  readonly code: RefusalCode;
  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * `not_configured`: there is no chain; `unavailable`: the node does not answer; `rejected`: it does not take a request, such as a
 * transaction whose fees are too low; `wrong_chain`: it is the node of another chain; `contradiction`: its answers do not agree. The message can be shown, and contains no address with a key.
 */
export class ChainError extends Error {
  override name = 'ChainError';
  readonly code: 'not_configured' | 'unavailable' | 'rejected' | 'wrong_chain' | 'contradiction';
  constructor(code: ChainError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A chain with one signer. Every method throws ChainError; those that name it throw ChainRefusal. */
export interface Chain {
  /** why there is none, in words that can be shown; null when there is one */
  readonly missing: string | null;
  /** as in the database */
  readonly network: string;
  readonly chainId: number;
  /** on this machine, so blocks can be lost when it is killed */
  readonly local: boolean;
  /** blocks, with that of the transaction, after which it counts as final */
  readonly confirmations: number;
  /** whether contracts may be deployed and changed from here: on test networks, elsewhere by the environment's leave */
  readonly mayManage: boolean;
  /** the most that a transaction may offer for each unit of gas, in wei; null for no limit */
  readonly feeCeiling: bigint | null;
  readonly signer: Hex;

  /** Makes sure that the node is one of the configured chain; throws `wrong_chain` otherwise. */
  check(): Promise<void>;
  head(): Promise<Head>;
  /** the hash of the block at a height; null while the node has none there */
  blockHash(number: number): Promise<Hex | null>;
  /** in wei */
  balance(): Promise<bigint>;
  /** how many transactions of the signer are in blocks, and with those that wait */
  nonces(): Promise<{ latest: number; pending: number }>;
  /** how many transactions of an account, the signer or a former one, are in blocks that count as final */
  finalNonce(address: Hex): Promise<number>;
  /** What a transaction should offer now, the ceiling at most; throws ChainRefusal while the chain asks for more than that. */
  fees(): Promise<Fees>;

  /** Simulates a call; throws ChainRefusal when it would fail, also for want of funds. */
  prepare(
    call: ChainCall,
    contract: Hex | null,
    fees: Fees,
  ): Promise<Pick<TransactionFields, 'to' | 'data' | 'gas'>>;
  /** Signs without asking the node; the same fields give the same bytes. */
  sign(fields: TransactionFields): Promise<SignedTransaction>;
  /** Hands over signed bytes; bytes that the node has, or had in a block, are no fault. Throws ChainRefusal for want of funds. */
  broadcast(raw: Hex): Promise<void>;
  /** A transaction's receipt; null while it is in no block. Throws `contradiction` when it does not fit the block it names. */
  receipt(hash: Hex): Promise<ChainReceipt | null>;

  contractState(contract: Hex): Promise<ContractState>;
  /** Who may change the contract, and who may anchor and mint, in the order in which they were first allowed to. */
  roleHolders(contract: Hex, fromBlock: number): Promise<{ owners: Hex[]; minters: Hex[] }>;
  /** whether the contract's code is at this address */
  hasCode(contract: Hex): Promise<boolean>;
  anchoredAt(contract: Hex, hash: Hex): Promise<Date | null>;
  tokenOf(contract: Hex, key: Hex): Promise<number | null>;
  ownerOf(contract: Hex, tokenId: number): Promise<Hex | null>;
  tokenUri(contract: Hex, tokenId: number): Promise<string | null>;
  /** The transaction that anchored a hash, or made the token of a key; null when the node does not find it. */
  findOrigin(
    contract: Hex,
    what: { anchor: Hex; mint?: undefined } | { mint: Hex; anchor?: undefined },
    fromBlock: number,
  ): Promise<Hex | null>;

  close(): Promise<void>;
}
