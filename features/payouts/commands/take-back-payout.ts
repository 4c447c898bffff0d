import { sql } from 'kysely';
import { balancesOf } from '#features/ledger/balances.ts';
import { takenBackPostings } from '#features/ledger/payout-postings.ts';
import { loadBooks } from '#features/sales/load-books.ts';
import { lockSale } from '#features/sales/sale-row.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import type { PayoutReversal } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { postPayoutEntry } from '../apply-payout.ts';
import { lockPayout, type PayoutRow, payoutRow, portOfPayout } from '../payout-rows.ts';
import { mayCarryOutPayouts } from '../rules.ts';

interface Reversal {
  id: string;
  payoutId: string;
  amountCents: number;
  key: string;
}

/**
 * Takes back what the seller of a sale owes, because its payment went back to the buyer, from the payouts of the sale, the latest
 * first, where the provider can. What the provider declines stays owed, and is set off against the seller's next payouts.
 * @throws PaymentError while the provider cannot be reached; the job is retried
 */
export async function takeBackPayout(ctx: CtxWith<'payouts'>, { saleId }: { saleId: string }): Promise<void> {
  authorize(ctx, mayCarryOutPayouts);
  for (const reversal of await planned(ctx, saleId)) {
    const row = await payoutRow(ctx, reversal.payoutId);
    const port = row && (await portOfPayout(ctx, row));
    if (!row || !port?.reverse) continue;
    try {
      const taken = await port.reverse(
        { payoutKey: row.idempotency_key, amountCents: reversal.amountCents },
        reversal.key,
      );
      await record(ctx, saleId, reversal, taken);
    } catch (error) {
      if (!(error instanceof PaymentError) || error.retryable || error.code === 'auth') throw error;
      ctx.log.warn({ err: error, payout: row.id }, 'a payout could not be taken back');
      await ctx.db
        .q()
        .updateTable('payout_reversals')
        .set({ status: 'failed', failure_reason: error.message, settled_at: ctx.now() })
        .where('id', '=', reversal.id)
        .where('status', '=', 'pending')
        .execute();
    }
  }
}

/** The reversals to ask for: those recorded before, and new ones for what is owed beyond them; recorded before they are asked for. */
async function planned(ctx: CtxWith<'payouts'>, saleId: string): Promise<Reversal[]> {
  const able = new Set<string>();
  for (const row of await sentPayouts(ctx, saleId))
    if ((await portOfPayout(ctx, row))?.reverse) able.add(row.id);
  return ctx.db.tx(async () => {
    const sale = await lockSale(ctx, saleId);
    const running = await pendingReversals(ctx, saleId);
    if (!sale || sale.payout_status === 'processing') return running;
    const { entries } = await loadBooks(ctx, saleId);
    const asked = running.reduce((sum, { amountCents }) => sum + amountCents, 0);
    const { sellerReceivableCents, sellerPayableCents } = balancesOf(entries);
    // What came back and is owed to the seller again settles the debt when the payout is made again: it is here already.
    let open = sellerReceivableCents - Math.max(0, sellerPayableCents) - asked;
    for (const row of await sentPayouts(ctx, saleId)) {
      const busy = running.filter(({ payoutId }) => payoutId === row.id);
      const left =
        row.paid_cents -
        row.returned_cents -
        row.reversed_cents -
        busy.reduce((sum, { amountCents }) => sum + amountCents, 0);
      const amountCents = Math.min(open, left);
      if (!able.has(row.id) || amountCents <= 0) continue;
      running.push(await writeReversal(ctx, saleId, row, amountCents));
      open -= amountCents;
    }
    return running;
  });
}

const sentPayouts = (ctx: Ctx, saleId: string): Promise<PayoutRow[]> =>
  ctx.db
    .q()
    .selectFrom('payouts')
    .selectAll()
    .where('sale_id', '=', saleId)
    .where('provider', 'is not', null)
    .where('paid_cents', '>', 0)
    .orderBy('attempt', 'desc')
    .execute();

const pendingReversals = (ctx: Ctx, saleId: string): Promise<Reversal[]> =>
  ctx.db
    .q()
    .selectFrom('payout_reversals')
    .select(['id', 'payout_id as payoutId', 'amount_cents as amountCents', 'idempotency_key as key'])
    .where('sale_id', '=', saleId)
    .where('status', '=', 'pending')
    .orderBy('created_at')
    .orderBy('id')
    .execute();

async function writeReversal(
  ctx: Ctx,
  saleId: string,
  row: PayoutRow,
  amountCents: number,
): Promise<Reversal> {
  const { count } = await ctx.db
    .q()
    .selectFrom('payout_reversals')
    .select((all) => all.fn.countAll<number>().as('count'))
    .where('payout_id', '=', row.id)
    .executeTakeFirstOrThrow();
  const key = `reversal:${saleId}:${row.attempt}:${Number(count) + 1}`;
  const { id } = await ctx.db
    .q()
    .insertInto('payout_reversals')
    .values({
      payout_id: row.id,
      sale_id: saleId,
      amount_cents: amountCents,
      idempotency_key: key,
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, payoutId: row.id, amountCents, key };
}

/** What was taken back settles that much of what the seller owes. */
async function record(
  ctx: Ctx,
  saleId: string,
  { id, payoutId, key }: Reversal,
  { reversedCents, refs }: PayoutReversal,
): Promise<void> {
  await ctx.db.tx(async () => {
    await lockSale(ctx, saleId);
    const row = await lockPayout(ctx, payoutId);
    const settled = await ctx.db
      .q()
      .updateTable('payout_reversals')
      .set({ status: 'succeeded', amount_cents: reversedCents, provider_refs: refs, settled_at: ctx.now() })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .returning('id')
      .executeTakeFirst();
    if (!row || !settled) return;
    await ctx.db
      .q()
      .updateTable('payouts')
      .set({ reversed_cents: sql<number>`reversed_cents + ${reversedCents}` })
      .where('id', '=', payoutId)
      .execute();
    await postPayoutEntry(ctx, row, {
      key: `payout-taken-back:${key.split(':').slice(2).join(':')}`,
      kind: 'L3',
      memo: 'Payout taken back for a refund',
      postings: takenBackPostings(reversedCents),
    });
  });
}
