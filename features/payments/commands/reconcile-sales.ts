import type { SaleRow } from '#features/sales/sale-row.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { askProvider } from '../ask-provider.ts';
import { mayReconcile, retryAskAt } from '../rules.ts';

/** Sales of one account per pass. */
const BATCH = 200;
/** Concurrent requests to one account. */
const CONCURRENCY = 4;
/** Sales in a row about which a provider may give no answer before the others wait for the next run. */
const MAX_FAILURES = 5;

/**
 * Syncs every sale that its provider can still change and whose time has come, so that lost messages lose nothing (R3). Each
 * account at a provider is asked by itself: one that is down, or whose keys are gone, delays no sale of another.
 * @returns whether sales are left that a further pass can sync
 */
export async function reconcileSales(ctx: CtxWith<'payments'>): Promise<boolean> {
  authorize(ctx, mayReconcile);
  const accounts = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select(['provider', 'livemode', 'provider_account_id'])
    .distinct()
    .where('provider_session_id', 'is not', null)
    .where('next_ask_at', '<=', ctx.now())
    .execute();
  const left = await Promise.all(accounts.map((account) => reconcileAccount(ctx, account)));
  return left.includes(true);
}

async function reconcileAccount(
  ctx: CtxWith<'payments'>,
  {
    provider,
    livemode,
    provider_account_id: account,
  }: Pick<SaleRow, 'provider' | 'livemode' | 'provider_account_id'>,
): Promise<boolean> {
  const sales = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('provider', '=', provider)
    .where('livemode', '=', livemode)
    .where('provider_account_id', account === null ? 'is' : '=', account)
    .where('provider_session_id', 'is not', null)
    .where('next_ask_at', '<=', ctx.now())
    .orderBy('next_ask_at')
    .limit(BATCH)
    .execute();
  const isFull = sales.length === BATCH;
  let failuresInRow = 0;
  const work = async () => {
    for (let sale = sales.shift(); sale && failuresInRow < MAX_FAILURES; sale = sales.shift())
      try {
        failuresInRow = (await askProvider(ctx, { saleId: sale.id })) ? 0 : failuresInRow + 1;
      } catch (error) {
        ctx.log.warn({ err: error, sale: sale.id }, 'a sale could not be synced, and will be tried again');
        await putOff(ctx, sale.id);
      }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return isFull && failuresInRow < MAX_FAILURES;
}

/** A sale whose answer cannot be applied takes no other sale's place in the next pass. */
const putOff = (ctx: Ctx, saleId: string) =>
  ctx.db
    .q()
    .updateTable('property_sales')
    .set({ next_ask_at: retryAskAt(1, ctx.now()) })
    .where('id', '=', saleId)
    .execute();
