import { networkNamed } from '#gateways/chain/networks.ts';

/**
 * The address of a transaction at the explorer of its network, for 'View on Base'; null without a hash, and for networks without an
 * explorer, such as a chain on this machine.
 */
export function transactionLink(network: string | null, hash: string | null): string | null {
  const explorer = network === null ? null : networkNamed(network)?.explorer;
  return explorer && hash && /^0x[0-9a-f]{64}$/.test(hash) ? `${explorer}/tx/${hash}` : null;
}

/** The address of an account or a contract at the explorer of its network; null where there is none. */
export function addressLink(network: string | null, address: string | null): string | null {
  const explorer = network === null ? null : networkNamed(network)?.explorer;
  return explorer && address ? `${explorer}/address/${address}` : null;
}
