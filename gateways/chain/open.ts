import { join } from 'node:path';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import { anvilBinary } from './anvil.ts';
import { noChain } from './off.ts';
import { type Chain, ChainError, type Hex } from './port.ts';

const WEI_IN_GWEI = 1e9;

/**
 * The chain of the configuration. One on this machine is started with the first request to it, kept in the data folder, and started again
 * when it has ended. Without one, or a program for this machine, whatever asks it fails with 'Chain not configured'.
 * @throws ChainError `wrong_chain` when the node is one of another chain than CHAIN_ID
 */
export async function openChain(
  { chain: config, dataDir }: Pick<Config, 'chain' | 'dataDir'>,
  log: Log,
): Promise<Chain> {
  if (!config) return noChain();
  if (config.kind === 'local') {
    if (!anvilBinary()) {
      log.warn('there is no anvil for this machine, so there is no chain');
      return noChain();
    }
    const { localChain } = await import('./local.ts');
    return localChain({ folder: join(dataDir, 'chain'), confirmations: config.confirmations, log });
  }
  // Loaded only when used, because it costs startup time and memory.
  const { viemChain } = await import('./viem.ts');
  const chain = viemChain({
    chainId: config.chainId,
    signerKey: config.signerKey as Hex,
    confirmations: config.confirmations,
    feeCeiling: config.maxFeeGwei === null ? null : BigInt(Math.round(config.maxFeeGwei * WEI_IN_GWEI)),
    mainnetWrites: config.mainnetWrites,
    local: false,
    blockForEach: false,
    rpcUrl: async () => config.rpcUrl ?? '',
  });
  await checkAtStart(chain, log);
  return chain;
}

/** A node that does not answer now may do so later; one of another chain is a mistake of the configuration. */
async function checkAtStart(chain: Chain, log: Log): Promise<void> {
  try {
    await chain.check();
  } catch (error) {
    if (!(error instanceof ChainError) || error.code === 'wrong_chain') throw error;
    log.warn({ err: error }, 'the chain’s node does not answer');
  }
}
