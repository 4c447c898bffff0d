import { postEntry } from '#features/ledger/commands/post-entry.ts';
import { openBreak } from '#features/reconciliation/commands/open-break.ts';
import type { SaleRow } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { followShare } from '#features/seller-shares/commands/follow-share.ts';
import { followDisputeDeadlines } from '#features/tasks/commands/follow-dispute-deadlines.ts';
import type { CheckoutState, DisputeState } from '#gateways/payments/port.ts';
import type { Ctx } from '#platform/context.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { type BreakInput, type Change, returnedOf, type SaleImage } from './sale-image.ts';

interface WriteInput {
  /** as locked in the current transaction */
  sale: SaleRow;
  changes: readonly Change[];
  /** the image after the changes */
  image: SaleImage;
  /** what the provider said, where the changes follow from that */
  checkout?: CheckoutState;
}

/**
 * Writes planned changes, in their order, in the current transaction.
 * @returns the sale as it is then
 */
export async function writeChanges(
  ctx: Ctx,
  { sale: first, changes, image, checkout }: WriteInput,
): Promise<SaleRow> {
  let sale = first;
  for (const change of changes) sale = await writeChange(ctx, sale, change, checkout);
  await followDeadlines(ctx, sale, checkout?.disputes ?? []);
  const { baseCents, feesCents } = returnedOf(image);
  if (baseCents === sale.returned_base_cents && feesCents === sale.returned_fees_cents) return sale;
  const changed = await ctx.db
    .q()
    .updateTable('property_sales')
    .set({ returned_base_cents: baseCents, returned_fees_cents: feesCents })
    .where('id', '=', sale.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return followShare(ctx, changed);
}

async function writeChange(
  ctx: Ctx,
  sale: SaleRow,
  change: Change,
  checkout: CheckoutState | undefined,
): Promise<SaleRow> {
  switch (change.type) {
    case 'entry': {
      const { key, kind, postings } = change.entry;
      const { id: saleId, provider_account_id: providerAccountId } = sale;
      await postEntry(ctx, {
        key: `${key}:${saleId}`,
        kind,
        saleId,
        providerAccountId,
        memo: change.memo,
        postings,
      });
      return sale;
    }
    case 'provider_fee':
      await ctx.db
        .q()
        .updateTable('property_sales')
        .set({ provider_fee_cents: change.cents })
        .where('id', '=', sale.id)
        .execute();
      return sale;
    case 'tranche':
      await ctx.db
        .q()
        .insertInto('sale_tranches')
        .values({
          sale_id: sale.id,
          provider_ref: change.ref,
          amount_cents: change.amountCents,
          received_at: ctx.now(),
        })
        .execute();
      return sale;
    case 'refund':
      await writeRefund(ctx, sale, change);
      return sale;
    case 'dispute':
      await writeDispute(ctx, sale, change, checkout);
      return sale;
    case 'break':
      await writeBreak(ctx, sale, change);
      return sale;
    case 'event':
      return writeEvent(ctx, sale, change, checkout);
  }
}

type ChangeOf<T extends Change['type']> = Extract<Change, { type: T }>;

async function writeRefund(ctx: Ctx, sale: SaleRow, { refund, isNew }: ChangeOf<'refund'>): Promise<void> {
  const { key, ref, status, amountCents, parts, origin, reason } = refund;
  const said = {
    provider_ref: ref,
    status,
    amount_cents: amountCents,
    base_cents: parts.baseCents,
    fees_cents: parts.feesCents,
    suspense_cents: parts.suspenseCents,
    settled_at: status === 'pending' ? null : ctx.now(),
    failure_reason: status === 'failed' ? 'The provider could not send the money back.' : null,
  };
  const q = ctx.db.q();
  if (!isNew) {
    await q
      .updateTable('refunds')
      .set(said)
      .where('sale_id', '=', sale.id)
      .where('idempotency_key', '=', key)
      .execute();
    return;
  }
  await q
    .insertInto('refunds')
    .values({
      ...said,
      sale_id: sale.id,
      origin,
      reason,
      idempotency_key: key,
      created_at: ctx.now(),
    })
    .execute();
}

async function writeDispute(
  ctx: Ctx,
  sale: SaleRow,
  { dispute, isNew }: ChangeOf<'dispute'>,
  checkout: CheckoutState | undefined,
): Promise<void> {
  const said = checkout?.disputes.find(({ ref }) => ref === dispute.ref);
  const values = {
    kind: dispute.kind,
    status: dispute.status,
    amount_cents: dispute.amountCents,
    fee_cents: dispute.feeCents,
    withdrawn_cents: dispute.withdrawnCents,
    evidence_due_at: said?.evidenceDueAt ?? null,
    closed_at: dispute.status === 'open' ? null : ctx.now(),
  };
  const q = ctx.db.q();
  if (isNew)
    await q
      .insertInto('disputes')
      .values({
        ...values,
        sale_id: sale.id,
        provider_ref: dispute.ref,
        reason: said?.reason ?? '',
        created_at: ctx.now(),
      })
      .execute();
  else await q.updateTable('disputes').set(values).where('provider_ref', '=', dispute.ref).execute();
}

/** A deadline moves by itself: the bank gives more time, or answers are no longer taken. The task of the dispute follows at once. */
async function followDeadlines(ctx: Ctx, sale: SaleRow, disputes: readonly DisputeState[]): Promise<void> {
  for (const { ref, kind, evidenceDueAt } of disputes)
    await ctx.db
      .q()
      .updateTable('disputes')
      .set({ evidence_due_at: evidenceDueAt })
      .where('sale_id', '=', sale.id)
      .where('provider_ref', '=', ref)
      .where('kind', '=', kind)
      .where('status', '=', 'open')
      .where('evidence_due_at', 'is distinct from', evidenceDueAt)
      .execute();
  if (disputes.length > 0) await followDisputeDeadlines(ctx, { saleId: sale.id });
}

async function writeBreak(ctx: Ctx, sale: SaleRow, input: BreakInput): Promise<void> {
  const { kind, subject, detail, expectedCents = null, actualCents = null } = input;
  await openBreak(ctx, {
    kind,
    subject,
    detail,
    expectedCents,
    actualCents,
    saleId: sale.id,
    providerAccountId: sale.provider_account_id,
    evidence: { checkout: sale.provider_session_id, payment: sale.provider_payment_id },
  });
}

const ENDINGS: readonly string[] = ['fail_payment', 'expire_checkout', 'hold_mismatch', 'return_incomplete'];
const CONFIRMATIONS: readonly string[] = ['confirm_payment', 'confirm_refused_payment'];
const RECEIPTS: readonly string[] = [...CONFIRMATIONS, 'hold_mismatch', 'receive_part', 'return_incomplete'];

async function writeEvent(
  ctx: Ctx,
  sale: SaleRow,
  { event, note, amountCents, again }: ChangeOf<'event'>,
  checkout: CheckoutState | undefined,
): Promise<SaleRow> {
  const paymentRef = checkout?.paymentRef;
  const moved = await transitionSale(ctx, {
    sale,
    event,
    by: 'system',
    note,
    amountCents,
    again,
    patch: {
      ...(paymentRef && { provider_payment_id: paymentRef }),
      ...(paymentRef && sale.provider === 'stripe' && { stripe_payment_intent_id: paymentRef }),
      ...(checkout &&
        RECEIPTS.includes(event) && {
          provider_receipt_url: checkout.receiptUrl,
          network: checkout.network,
          tx_hash: checkout.txHash,
          paid_with: checkout.paidWith,
        }),
      // The instructions are those of the next part.
      ...(event === 'receive_part' && checkout?.url && { checkout_url: checkout.url }),
      ...(CONFIRMATIONS.includes(event) && { payment_receipt_url: purchasePaths.receipt(sale.id) }),
      ...(note && ENDINGS.includes(event) && { failure_reason: note }),
    },
  });
  if (moved.ok) return moved.sale;
  // The plan was made from the same rows; whatever kept the sale from following, the fact stays recorded.
  await writeBreak(ctx, sale, {
    kind: 'refused_move',
    subject: `${event}:${sale.id}`,
    detail: `"${event}" was refused: ${moved.reason}.`,
  });
  return sale;
}
