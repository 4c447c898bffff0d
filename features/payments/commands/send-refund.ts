import type { Selectable } from 'kysely';
import type { Parts } from '#features/ledger/allocation.ts';
import { loadBooks } from '#features/sales/load-books.ts';
import { remainingCents } from '#features/sales/sale-books.ts';
import { lockSale } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { KEY_LASTS_MS, PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { mayReconcile } from '../rules.ts';
import { portOfSale } from '../sale-port.ts';
import { settleSale } from '../settle-sale.ts';
import { syncPayment } from './sync-payment.ts';

/**
 * Requests a recorded refund from the provider, under its recorded idempotency key: however often this runs, and wherever
 * it crashes, the money is refunded once (R2, R5). The outcome is then synced from the provider. Where the key may have been forgotten,
 * the provider is asked before: a call whose answer was lost would be carried out once more.
 * @throws PaymentError while the provider cannot be reached; the job is retried
 */
export async function sendRefund(
  ctx: CtxWith<'payments'>,
  { refundId }: { refundId: string },
): Promise<void> {
  authorize(ctx, mayReconcile);
  let refund = await readRefund(ctx, refundId);
  if (refund && isUnheard(refund) && ctx.now().getTime() - refund.created_at.getTime() > KEY_LASTS_MS) {
    await syncPayment(ctx, { saleId: refund.sale_id });
    refund = await readRefund(ctx, refundId);
  }
  if (refund?.status !== 'pending' || !refund.provider_session_id) return;
  // It is paid from our bank account instead.
  if (refund.bank_reference !== null) return;
  if (refund.provider_ref === null) {
    const obstacle = await obstacleTo(ctx, refund);
    // The bank may give the buyer the money first: until that is decided it would go back twice.
    if (obstacle === 'disputed') return;
    if (obstacle === 'nothing_left') {
      await syncPayment(ctx, { saleId: refund.sale_id });
      await recordRefusal(ctx, refund, 'Nothing of it is left to send back.');
      return;
    }
    try {
      const { port } = await portOfSale(ctx, refund);
      const state = await port.refund(
        {
          ref: refund.provider_session_id,
          amountCents: refund.amount_cents,
          reason: refund.reason,
        },
        refund.idempotency_key,
      );
      await ctx.db
        .q()
        .updateTable('refunds')
        .set({ provider_ref: state.ref })
        .where('id', '=', refundId)
        .where('provider_ref', 'is', null)
        // One that was withdrawn or paid meanwhile has left as well: the sync below books it by its key.
        .where('status', '=', 'pending')
        .execute();
    } catch (error) {
      if (!(error instanceof PaymentError) || error.retryable || error.code === 'auth') throw error;
      // An earlier call whose answer was lost may have succeeded.
      await syncPayment(ctx, { saleId: refund.sale_id });
      ctx.log.error({ err: error, sale: refund.sale_id, refund: refund.id }, 'the provider refused a refund');
      await recordRefusal(ctx, refund, error.message);
      return;
    }
  }
  await syncPayment(ctx, { saleId: refund.sale_id });
}

const readRefund = (ctx: Ctx, refundId: string) =>
  ctx.db
    .q()
    .selectFrom('refunds as r')
    .innerJoin('property_sales as s', 's.id', 'r.sale_id')
    .select([
      'r.id',
      'r.sale_id',
      'r.amount_cents',
      'r.reason',
      'r.idempotency_key',
      'r.status',
      'r.provider_ref',
      'r.bank_reference',
      'r.created_at',
    ])
    .select(['r.base_cents', 'r.fees_cents', 'r.suspense_cents'])
    .select(['s.provider', 's.livemode', 's.provider_account_id', 's.provider_session_id'])
    .where('r.id', '=', refundId)
    .executeTakeFirst();

/** Whether the provider has not confirmed yet that it knows of a refund. */
const isUnheard = ({ status, provider_ref }: Pick<Selectable<DB['refunds']>, 'status' | 'provider_ref'>) =>
  status === 'pending' && provider_ref === null;

type RefusedRefund = Pick<
  Selectable<DB['refunds']>,
  'id' | 'sale_id' | 'reason' | 'amount_cents' | 'base_cents' | 'fees_cents' | 'suspense_cents'
>;

/** What stands in the way of sending a refund, by what is on record. */
async function obstacleTo(ctx: Ctx, refund: RefusedRefund): Promise<'disputed' | 'nothing_left' | null> {
  const { count } = await ctx.db
    .q()
    .selectFrom('disputes')
    .select((all) => all.fn.countAll<number>().as('count'))
    .where('sale_id', '=', refund.sale_id)
    .where('kind', '=', 'chargeback')
    .where('status', '=', 'open')
    .executeTakeFirstOrThrow();
  if (count > 0) return 'disputed';
  const { entries } = await loadBooks(ctx, refund.sale_id);
  return refund.amount_cents > remainingCents(entries) ? 'nothing_left' : null;
}

const partsOf = ({ base_cents, fees_cents, suspense_cents }: RefusedRefund): Parts => ({
  baseCents: base_cents,
  feesCents: fees_cents,
  suspenseCents: suspense_cents,
});

/** The refund was refused: record that, and request what is left of it again later under a new key. */
async function recordRefusal(ctx: Ctx, refund: RefusedRefund, failure: string): Promise<void> {
  await ctx.db.tx(async () => {
    const sale = await lockSale(ctx, refund.sale_id);
    const changed = await ctx.db
      .q()
      .updateTable('refunds')
      .set({ status: 'failed', failure_reason: failure, settled_at: ctx.now() })
      .where('id', '=', refund.id)
      .where('status', '=', 'pending')
      // The sync may have found out that an earlier call, whose key has expired since, was carried out.
      .where('provider_ref', 'is', null)
      // An administrator may have decided meanwhile to pay it from our bank account.
      .where('bank_reference', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!sale || !changed) return;
    const moved = await transitionSale(ctx, {
      sale,
      event: 'fail_refund',
      by: 'system',
      note: refund.reason,
      amountCents: refund.amount_cents,
      again: partsOf(refund),
    });
    await settleSale(ctx, moved.ok ? moved.sale : sale);
  });
}
