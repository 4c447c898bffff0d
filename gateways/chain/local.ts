import type { Log } from '#platform/log.ts';
import { type LocalNode, startAnvil } from './anvil.ts';
import { type Chain, ChainError, type Hex } from './port.ts';
import { findNode, genesisOf, isRunning, publishNode, type SharedNode, withdrawNode } from './shared-node.ts';
import { viemChain } from './viem.ts';

/** The key of anvil's first account. It is published, and worth nothing: chains on this machine alone have it. */
export const LOCAL_KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

interface LocalOptions {
  folder: string | null;
  confirmations: number;
  log: Log;
}

/**
 * The chain on this machine: its node starts when it is first needed, and again when it has ended. Processes that share a data folder
 * share the node, which belongs to the one that started it.
 */
export function localChain({ folder, confirmations, log }: LocalOptions): Chain {
  let own: LocalNode | null = null;
  let found: SharedNode | null = null;
  let opening: Promise<string> | null = null;
  let closed = false;

  async function open(): Promise<string> {
    found = folder === null ? null : await findNode(folder);
    if (found) return found.url;
    const node = await startAnvil({ folder }).catch((error: unknown) => {
      throw new ChainError('unavailable', 'The chain on this machine did not start', { cause: error });
    });
    own = node;
    await share(node);
    void node.ended.then(() => {
      if (own === node) own = null;
      if (folder !== null && node.pid) withdrawNode(folder, node.pid);
      if (!closed) log.warn('the chain on this machine has ended; it starts again when it is needed');
    });
    return node.url;
  }
  async function share({ url, pid }: LocalNode): Promise<void> {
    const genesis = await genesisOf(url);
    if (folder !== null && pid && genesis) publishNode(folder, { url, pid, genesis });
  }
  async function rpcUrl(): Promise<string> {
    if (closed) throw new ChainError('unavailable', 'The chain is being stopped');
    if (own) return own.url;
    if (found && isRunning(found.pid)) return found.url;
    opening ??= open().finally(() => {
      opening = null;
    });
    return opening;
  }
  return viemChain({
    chainId: 31_337,
    signerKey: LOCAL_KEY,
    confirmations,
    mainnetWrites: false,
    local: true,
    blockForEach: true,
    rpcUrl,
    async close() {
      closed = true;
      await opening?.catch(() => null);
      await own?.stop();
    },
  });
}
