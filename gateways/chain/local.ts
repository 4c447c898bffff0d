import type { Log } from '#platform/log.ts';
import { type LocalNode, startAnvil } from './anvil.ts';
import { type Chain, ChainError, type Hex } from './port.ts';
import { viemChain } from './viem.ts';

/** The key of anvil's first account. It is published, and worth nothing: chains on this machine alone have it. */
export const LOCAL_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

interface LocalOptions {
  folder: string | null;
  confirmations: number;
  log: Log;
}

/** The chain on this machine: its node starts when it is first needed, and again when it has ended by itself. */
export function localChain({ folder, confirmations, log }: LocalOptions): Chain {
  let node: Promise<LocalNode> | null = null;
  let closed = false;
  const running = (): Promise<LocalNode> => {
    if (closed) throw new ChainError('unavailable', 'The chain is being stopped');
    node ??= start();
    return node;
  };
  const start = async (): Promise<LocalNode> => {
    try {
      const started = await startAnvil({ folder });
      void started.ended.then(() => {
        node = null;
        if (!closed) log.warn('the chain on this machine has ended; it starts again when it is needed');
      });
      return started;
    } catch (error) {
      node = null;
      throw new ChainError('unavailable', 'The chain on this machine did not start', { cause: error });
    }
  };
  return viemChain({
    chainId: 31_337,
    signerKey: LOCAL_KEY,
    confirmations,
    mainnetWrites: false,
    local: true,
    rpcUrl: async () => (await running()).url,
    async close() {
      closed = true;
      const last = await node?.catch(() => null);
      await last?.stop();
    },
  });
}
