import { askFirst } from '#features/payments/ask-first.ts';
import { factsOf, lockSale } from '#features/sales/sale-row.ts';
import { KEY_LASTS_MS, PaymentError, type PaymentErrorCode } from '#gateways/payments/port.ts';
import type { PayoutFailure, PayoutState, PayoutsPort } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import { applyPayoutState, withholdPayout } from '../apply-payout.ts';
import { debtsOf } from '../debts.ts';
import { type PayoutRow, payoutRow, portOfPayout, sourcesOf } from '../payout-rows.ts';
import { mayCarryOutPayouts } from '../rules.ts';

/**
 * Sends a payout to its provider under its own key: however often this runs, and wherever it crashes, the money leaves once (R5).
 * The provider of the sale's payment is asked before; a payout whose sale was frozen or disputed since, of which a refund has begun, or
 * whose seller now owes for it or was suspended, is not sent.
 * @throws PaymentError while a provider cannot be reached; the job is retried
 */
export async function sendPayout(
  ctx: CtxWith<'payments' | 'payouts'>,
  { payoutId }: { payoutId: string },
): Promise<void> {
  authorize(ctx, mayCarryOutPayouts);
  const row = await payoutRow(ctx, payoutId);
  if (row?.status !== 'processing') return;
  const port = await portOfPayout(ctx, row);
  if (!port) return;
  const state = await stateAfterSending(ctx, row, port);
  if (state) await applyPayoutState(ctx, { payoutId, saleId: row.sale_id, state });
}

/** Null when it is not to be sent. */
async function stateAfterSending(
  ctx: CtxWith<'payments'>,
  row: PayoutRow,
  port: PayoutsPort,
): Promise<PayoutState | null> {
  const { idempotency_key: key, provider_ref: ref, sent_at: sentAt } = row;
  if (sentAt === null) {
    await askFirst(ctx, { saleId: row.sale_id });
    if (!(await markSent(ctx, row))) return null;
  } else if (ctx.now().getTime() - sentAt.getTime() > KEY_LASTS_MS) {
    const found = await port.find({ key, ref, sentAt });
    if (found) return found;
  }
  try {
    return await port.send({
      key,
      saleId: row.sale_id,
      amountCents: row.amount_cents,
      destination: row.destination,
      sources: sourcesOf(row),
      description: `Payout of sale ${row.sale_id}`,
    });
  } catch (error) {
    if (!(error instanceof PaymentError) || error.retryable || UNDECIDED.includes(error.code)) throw error;
    ctx.log.error({ err: error, payout: row.id }, 'the provider refused a payout');
    // An earlier call whose answer was lost may have succeeded.
    const found = sentAt && (await port.find({ key, ref, sentAt }));
    return found ?? refusedState(key, error.code);
  }
}

/** Nothing follows from these: with a `conflict` something else was sent under the key of this payout. */
const UNDECIDED: readonly PaymentErrorCode[] = ['auth', 'conflict'];

/** Records that it is being sent, before it is. False when it no longer may be. */
async function markSent(ctx: Ctx, { id, sale_id, agent_id, livemode }: PayoutRow): Promise<boolean> {
  return ctx.db.tx(async () => {
    const sale = await lockSale(ctx, sale_id);
    if (!sale) return false;
    const debts = (await debtsOf(ctx, [agent_id])).of({ agentId: agent_id, livemode });
    const owes = debts.some(({ saleId }) => saleId === sale_id);
    const { chargebackOpen, refundRunning } = await factsOf(ctx, sale);
    const held = owes || sale.frozen_at !== null || chargebackOpen || refundRunning;
    if (held || (await isSuspended(ctx, agent_id))) {
      await withholdPayout(ctx, { sale, payoutId: id, failure: held ? 'held' : 'suspended' });
      return false;
    }
    const marked = await ctx.db
      .q()
      .updateTable('payouts')
      .set({ sent_at: ctx.now(), next_ask_at: new Date(ctx.now().getTime() + 5 * MINUTE) })
      .where('id', '=', id)
      .where('status', '=', 'processing')
      .returning('id')
      .executeTakeFirst();
    return marked !== undefined;
  });
}

/** An archived seller is paid all the same, as `decidePayout` has it. */
async function isSuspended(ctx: Ctx, agentId: string): Promise<boolean> {
  const suspended = await ctx.db
    .q()
    .selectFrom('agents')
    .select('id')
    .where('id', '=', agentId)
    .where('status', '=', 'suspended')
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return suspended !== undefined;
}

const failures: Partial<Record<PaymentErrorCode, PayoutFailure>> = {
  not_found: 'destination_unknown',
  limit: 'limit',
  declined: 'blocked',
};

const refusedState = (key: string, code: PaymentErrorCode): PayoutState => ({
  key,
  ref: null,
  status: 'failed',
  items: [],
  paidCents: 0,
  feeCents: null,
  failure: failures[code] ?? 'other',
  arrivesAt: null,
});
