import { postEntry } from '#features/ledger/commands/post-entry.ts';
import { unsentPostings } from '#features/ledger/payout-postings.ts';
import { lockSale, type SaleRow } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { reopenPayout } from '#features/seller-shares/reopen-payout.ts';
import { askForMoneyBack } from '#features/seller-shares/take-back.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import type { PayoutState } from '#gateways/payouts/port.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { nextPayoutAskAt } from './ask-times.ts';
import { payoutFailureForAdmin, payoutFailureForSeller, type RecordedFailure } from './failure-texts.ts';
import { offsetText } from './offset-text.ts';
import { bookedPayout, lockPayout, type PayoutRow } from './payout-rows.ts';
import { type PayoutPlan, type PlannedEntry, planPayout } from './plan-payout.ts';

/** Applies what a provider says about a payout, in one transaction: entries, items, the attempt, and its sale. */
export async function applyPayoutState(
  ctx: Ctx,
  { payoutId, saleId, state }: { payoutId: string; saleId: string; state: PayoutState },
): Promise<void> {
  const system = asSystem(ctx, 'payouts');
  await system.db.tx(async () => {
    const sale = await lockSale(system, saleId);
    const row = await lockPayout(system, payoutId);
    if (!sale || row?.sale_id !== saleId || row.idempotency_key !== state.key) return;
    const plan = planPayout(await bookedPayout(system, row), state);
    if ('contradiction' in plan) return reportContradiction(system, row, plan.contradiction);
    for (const entry of plan.entries) await postPayoutEntry(system, row, entry);
    await writeItems(system, row, plan);
    await writeAttempt(system, row, plan, state);
    await moveSale(system, sale, row, plan);
  });
}

/** Posts an entry of a payout in the current transaction, once. */
export const postPayoutEntry = (
  ctx: Ctx,
  { sale_id: saleId, provider_account_id: providerAccountId }: PayoutRow,
  { key, kind, memo, postings }: PlannedEntry,
): Promise<boolean> =>
  postEntry(ctx, { key: `${key}:${saleId}`, kind, saleId, providerAccountId, memo, postings });

async function reportContradiction(ctx: Ctx, row: PayoutRow, detail: string): Promise<void> {
  ctx.log.error({ payout: row.id, detail }, 'a provider contradicts what is on record about a payout');
  await openTask(ctx, { kind: 'payout_disagrees', subjectId: row.sale_id, detail });
  await ctx.db
    .q()
    .updateTable('payouts')
    .set({ asked_at: ctx.now(), next_ask_at: nextPayoutAskAt(row, ctx.now()) })
    .where('id', '=', row.id)
    .execute();
}

async function writeItems(ctx: Ctx, row: PayoutRow, { items }: PayoutPlan): Promise<void> {
  if (items.length === 0) return;
  await ctx.db
    .q()
    .insertInto('payout_items')
    .values(
      items.map(({ ref, amountCents, returnedCents, status, failure }) => ({
        payout_id: row.id,
        provider_ref: ref,
        amount_cents: amountCents,
        returned_cents: returnedCents,
        status,
        failure,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['payout_id', 'provider_ref']).doUpdateSet(({ ref }) => ({
        returned_cents: ref('excluded.returned_cents'),
        status: ref('excluded.status'),
        failure: ref('excluded.failure'),
      })),
    )
    .execute();
}

async function writeAttempt(ctx: Ctx, row: PayoutRow, plan: PayoutPlan, state: PayoutState): Promise<void> {
  const settledAt = plan.status === 'processing' ? null : (row.settled_at ?? ctx.now());
  await ctx.db
    .q()
    .updateTable('payouts')
    .set({
      status: plan.status,
      provider_ref: state.ref ?? row.provider_ref,
      paid_cents: plan.paidCents,
      returned_cents: plan.returnedCents,
      fee_cents: plan.feeCents,
      failure: plan.failure,
      failure_reason: plan.failure && payoutFailureForAdmin(plan.failure),
      arrives_at: state.arrivesAt ?? row.arrives_at,
      settled_at: settledAt,
      asked_at: ctx.now(),
      ask_failures: 0,
      next_ask_at: nextPayoutAskAt(
        {
          status: plan.status,
          paid_cents: plan.paidCents,
          created_at: row.created_at,
          settled_at: settledAt,
        },
        ctx.now(),
      ),
    })
    .where('id', '=', row.id)
    .execute();
}

async function moveSale(ctx: Ctx, sale: SaleRow, row: PayoutRow, plan: PayoutPlan): Promise<void> {
  const after = await moveByAttempt(ctx, sale, row, plan);
  await reopenPayout(ctx, after);
  await askForMoneyBack(ctx, after);
}

async function moveByAttempt(
  ctx: Ctx,
  sale: SaleRow,
  row: PayoutRow,
  { status, paidCents, cameBackCents, failure }: PayoutPlan,
): Promise<SaleRow> {
  if (row.status === 'processing' && status === 'completed') return endPayout(ctx, sale, row, paidCents);
  if (row.status === 'processing' && status === 'failed')
    return failPayout(ctx, sale, failure, row.amount_cents - paidCents + cameBackCents);
  if (cameBackCents > 0 && sale.payout_status === 'completed') {
    const moved = await transitionSale(ctx, {
      sale,
      event: 'return_payout',
      by: 'system',
      note: payoutFailureForSeller(failure ?? 'returned'),
      amountCents: cameBackCents,
    });
    return moved.ok ? moved.sale : sale;
  }
  return sale;
}

/** The seller has been paid. */
export async function endPayout(
  ctx: Ctx,
  sale: SaleRow,
  { netted_cents }: Pick<PayoutRow, 'netted_cents'>,
  paidCents: number,
): Promise<SaleRow> {
  const moved = await transitionSale(ctx, {
    sale,
    event: 'complete_payout',
    by: ctx.actor.kind === 'user' ? 'admin' : 'system',
    amountCents: paidCents,
    note: netted_cents > 0 ? offsetText(netted_cents) : null,
  });
  return moved.ok ? moved.sale : sale;
}

/** Nothing, or not everything, arrived; `missingCents` is owed to the seller as before. */
async function failPayout(
  ctx: Ctx,
  sale: SaleRow,
  failure: RecordedFailure | null,
  missingCents: number,
): Promise<SaleRow> {
  const moved = await transitionSale(ctx, {
    sale,
    event: 'fail_payout',
    by: 'system',
    note: payoutFailureForSeller(failure),
    amountCents: missingCents,
  });
  return moved.ok ? moved.sale : sale;
}

/**
 * Ends a payout that was never sent, in the current transaction: its locked sale was frozen, its payment disputed, a refund of it
 * begun, less of it left, or its seller suspended, since it was started.
 */
export async function withholdPayout(
  ctx: Ctx,
  { sale, payoutId, failure }: { sale: SaleRow; payoutId: string; failure: 'held' | 'suspended' },
): Promise<void> {
  const system = asSystem(ctx, 'payouts');
  const row = await lockPayout(system, payoutId);
  if (row?.status !== 'processing' || row.sent_at !== null) return;
  await postPayoutEntry(system, row, {
    key: `payout-withheld:${row.attempt}`,
    kind: 'L3',
    memo: 'Payout withheld',
    postings: unsentPostings(row.amount_cents),
  });
  await system.db
    .q()
    .updateTable('payouts')
    .set({
      status: 'failed',
      failure,
      failure_reason: payoutFailureForAdmin(failure),
      settled_at: ctx.now(),
      next_ask_at: null,
    })
    .where('id', '=', payoutId)
    .execute();
  await failPayout(system, sale, failure, row.amount_cents);
}
