import {
  BaseError,
  ContractFunctionRevertedError,
  decodeErrorResult,
  type Hex,
  HttpRequestError,
  InsufficientFundsError,
  RpcRequestError,
  TimeoutError,
} from 'viem';
import { acreRegistryAbi } from './acre-registry.gen.ts';
import { ChainError, ChainRefusal } from './port.ts';

/** What each error of the contract means. */
function refusalOf(name: string, args: readonly unknown[]): ChainRefusal {
  switch (name) {
    case 'AlreadyMinted':
      return new ChainRefusal('already_minted', `The token exists already, as number ${String(args[1])}`);
    case 'AlreadyAnchored':
      return new ChainRefusal('already_anchored', 'The hash is anchored already');
    case 'EnforcedPause':
      return new ChainRefusal('paused', 'The contract is paused');
    case 'AccessControlUnauthorizedAccount':
      return new ChainRefusal('not_allowed', 'The contract does not allow this to the signer');
    case 'ERC721InsufficientApproval':
      return new ChainRefusal('not_allowed', 'The account that holds the token has not approved the signer');
    case 'ERC721InvalidReceiver':
      return new ChainRefusal('receiver', 'The recipient is a contract that does not accept tokens');
    default:
      return new ChainRefusal('reverted', `The contract refused: ${name}`);
  }
}

/** The data of a revert, which nodes give at different depths. */
function revertData(error: BaseError): Hex | null {
  let found: Hex | null = null;
  error.walk((inner) => {
    const data = (inner as { data?: unknown }).data;
    const hex = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data;
    if (typeof hex === 'string' && /^0x(?:[0-9a-f]{2}){4,}$/i.test(hex)) found = hex as Hex;
    return false;
  });
  return found;
}

const NO_FUNDS = /insufficient funds|gas \* price|exceeds the balance/i;

/** The words of all errors that are wrapped in one. */
export function wordsOf(error: unknown): string {
  const words: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause)
    words.push(at instanceof BaseError ? `${at.shortMessage} ${at.details}` : at.message);
  return words.join(' ');
}

/**
 * An error of viem in the words of the port: a refusal of the contract or for want of funds, or a node that does not answer. Messages
 * never quote the node's address, which may hold a key.
 */
export function translated(error: unknown): ChainError | ChainRefusal {
  if (error instanceof ChainError || error instanceof ChainRefusal) return error;
  if (!(error instanceof BaseError))
    return new ChainError('unavailable', 'The chain’s node gave no usable answer', { cause: error });
  const words = wordsOf(error);
  if (error.walk((inner) => inner instanceof InsufficientFundsError) || NO_FUNDS.test(words))
    return new ChainRefusal('no_funds', 'The signer’s balance does not cover the fees');
  const data = revertData(error);
  if (data)
    try {
      const { errorName, args } = decodeErrorResult({ abi: acreRegistryAbi, data });
      return refusalOf(errorName, args ?? []);
    } catch {
      return new ChainRefusal('reverted', 'The contract refused the call');
    }
  const named = error.walk((inner) => inner instanceof ContractFunctionRevertedError);
  if (named || /execution reverted|out of gas/i.test(words))
    return new ChainRefusal('reverted', 'The contract refused the call');
  const answered = error.walk((inner) => inner instanceof RpcRequestError);
  const silent = error.walk((inner) => inner instanceof HttpRequestError || inner instanceof TimeoutError);
  const cause = { cause: error };
  return answered && !silent
    ? new ChainError('rejected', 'The chain’s node refused the request', cause)
    : new ChainError('unavailable', 'The chain’s node is not responding', cause);
}
