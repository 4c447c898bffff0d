import type { Config } from '#platform/config.ts';
import { basenames, hasNames } from './basenames.ts';
import type { NameService } from './port.ts';

/** Knows no names. */
export const noNames: NameService = { suffix: null, resolve: async () => null };

/** The names of the configured chain, where it is reached by RPC and has some. */
export function openNameService({ chain }: Pick<Config, 'chain'>): NameService {
  const { rpcUrl, chainId } = chain ?? {};
  return rpcUrl !== undefined && chainId !== undefined && hasNames(chainId)
    ? basenames({ chainId, rpcUrl })
    : noNames;
}
