import { readOrNull } from '#app/read-or.ts';
import { contractStatus } from '#features/chain/reads.ts';
import { storageStatus, testDocuments } from '#features/content/reads.ts';
import type { ServerCtx } from '#gateways/ports.ts';
import type { BlockchainQuery } from './query.ts';

/** What a tab shows; `shown` is null when it could not be read. */
export async function loadTab(ctx: ServerCtx, { tab }: Pick<BlockchainQuery, 'tab'>) {
  switch (tab) {
    case 'storage':
      return { tab, shown: await readOrNull(ctx, () => storageStatus(ctx)) };
    case 'tests':
      return {
        tab,
        shown: await readOrNull(ctx, async () => {
          const [store, documents] = await Promise.all([storageStatus(ctx), testDocuments(ctx)]);
          return { store, documents };
        }),
      };
    case 'contract':
      return { tab, shown: await readOrNull(ctx, () => contractStatus(ctx)) };
  }
}

export type LoadedTab = Awaited<ReturnType<typeof loadTab>>;
