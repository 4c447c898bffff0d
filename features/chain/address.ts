import { getAddress, isAddress, zeroAddress } from 'viem';

export const WALLET_MESSAGE = 'Please enter a valid wallet address';

/**
 * A wallet's address as EIP-55 writes it, or null. Upper and lower case, where both occur, must be those of the checksum, so that a
 * mistyped address is noticed. The zero address belongs to no one, and a token sent to its own contract is lost.
 */
export function walletAddress(text: string, contract?: string | null): `0x${string}` | null {
  const typed = text.trim();
  if (!isAddress(typed)) return null;
  const address = getAddress(typed);
  if (address === zeroAddress) return null;
  return contract && address.toLowerCase() === contract.toLowerCase() ? null : address;
}
