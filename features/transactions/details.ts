import { saleDisputes } from '#features/disputes/reads.ts';
import { documentsOfSale } from '#features/documents/reads.ts';
import { balancesOf, heldCents } from '#features/ledger/balances.ts';
import { providerMessages } from '#features/payments/reads.ts';
import { payoutDecision } from '#features/payouts/reads.ts';
import { breakList } from '#features/reconciliation/reads.ts';
import { loadBooks } from '#features/sales/load-books.ts';
import { comingSteps, nextStepOf } from '#features/sales/next-steps.ts';
import { isTestMode, receiptNumber } from '#features/sales/rules.ts';
import { chargedBackCents, paidBack, paidOf, refundable } from '#features/sales/sale-books.ts';
import { feeLines, partiesOf, partsReceived, surroundingsOf } from '#features/sales/sale-details.ts';
import { factsOf, type SaleRow, stateOf } from '#features/sales/sale-row.ts';
import { documentsDueDays, writeOffApprovalCents } from '#features/settings/reads.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { adminActionsOf } from './admin-actions.ts';
import type { SaleDetails } from './details-model.ts';
import type { PaidBy } from './model.ts';
import { isPaidByBank } from './refunds.ts';
import { payoutsOf, problemOf, refundsOf, timelineOf } from './sale-rows.ts';
import { stuckRefundOf } from './stuck-refund.ts';

/** Everything about a sale, for the administrator who looks at it. */
export async function detailsOf(
  ctx: CtxWith<'payouts'>,
  viewer: UserActor,
  sale: SaleRow,
): Promise<SaleDetails> {
  const { id } = sale;
  const state = stateOf(sale);
  const [parties, { look }, buyerFees, sellerFees, facts, books, timeline, parts, dueDays, approvalAbove] =
    await Promise.all([
      partiesOf(ctx, sale),
      surroundingsOf(ctx, sale),
      feeLines(ctx, id),
      feeLines(ctx, id, 'seller'),
      factsOf(ctx, sale),
      loadBooks(ctx, id),
      timelineOf(ctx, id),
      partsReceived(ctx, sale),
      documentsDueDays(ctx),
      writeOffApprovalCents(ctx),
    ]);
  const [messages, payouts, refunds, disputes, problem, { breaks }, forSale, payable, documents] =
    await Promise.all([
      providerMessages(ctx, { q: id, status: null, before: null }),
      payoutsOf(ctx, id),
      refundsOf(ctx, id),
      saleDisputes(ctx, { saleId: id }),
      problemOf(ctx, sale),
      breakList(ctx, { state: 'open', saleId: id }),
      isForSale(ctx, sale),
      state.payout === 'pending' || state.payout === 'failed' ? payoutDecision(ctx, id) : null,
      documentsOfSale(ctx, id),
    ]);
  const balances = balancesOf(books.entries);
  const left = refundable(books);
  const returnedCents = sale.returned_base_cents + sale.returned_fees_cents;
  const { isAccepted, paidCents, refundedCents } = paidOf(books, {
    totalCents: sale.total_cents,
    returnedCents,
  });
  const open = (kind: string) => breaks.some((one) => one.kind === kind);
  const stuckRefund = await stuckRefundOf(ctx, viewer, { sale, books });
  const own = sale.buyer_id === viewer.id;
  const steps = { state, facts, lockedUntil: sale.locked_until, parts, viewer: 'admin' as const };
  return {
    id,
    receipt: sale.receipt_number === null ? null : receiptNumber(sale.receipt_number),
    property: { ...parties.property, ...look },
    buyer: { id: sale.buyer_id, ...parties.buyer },
    seller: { id: sale.agent_id, ...parties.seller },
    state,
    frozen: facts.frozen,
    testMode: isTestMode(ctx.config, sale),
    provider: sale.provider,
    paidBy: sale.paid_by as PaidBy,
    priceCents: sale.sale_price_cents,
    buyerFees,
    sellerFees,
    totalCents: sale.total_cents,
    isAccepted,
    paidCents,
    commissionCents: sale.agent_commission_cents,
    commissionPercent: 100 - sale.admin_percentage,
    adminFeeCents: sale.admin_fee_cents,
    refundedCents,
    ...paidBack(books),
    writeOffReversedCents: isAccepted ? returnedCents - refundedCents : 0,
    receivedCents: parts?.receivedCents ?? null,
    books: balances,
    failureReason:
      state.payout === 'failed'
        ? (payouts.find(({ status }) => status === 'failed')?.failure ?? null)
        : sale.failure_reason,
    timeline,
    next: nextStepOf(steps),
    coming: comingSteps(steps, { documentsDueDays: dueDays }),
    messages,
    payouts,
    payable,
    documents,
    refunds,
    disputes,
    problem,
    cancellationAskedBy: facts.cancellationAskedBy,
    breaks,
    approvalAboveCents: approvalAbove,
    own,
    actions: own
      ? []
      : adminActionsOf({
          state,
          facts,
          mismatch: open('payment_mismatch') ? { heldCents: heldCents(balances), forSale } : null,
          unexpectedRefund: open('unexpected_refund'),
          refundable: left,
          chargedBack: chargedBackCents(books.entries) > 0,
          stuckRefund,
          paidByBank: refunds.some(isPaidByBank),
        }),
    stuckRefund,
    refundable: left,
    refundKey: `ordered:${id}:${books.refunds.length}`,
  };
}

async function isForSale(ctx: Ctx, { property_id }: SaleRow): Promise<boolean> {
  const row = await ctx.db
    .q()
    .selectFrom('properties')
    .select('is_public')
    .where('id', '=', property_id)
    .executeTakeFirst();
  return row?.is_public === true;
}
