import { loadBooks } from '#features/sales/load-books.ts';
import { remainingCents } from '#features/sales/sale-books.ts';
import { factsOf, stateOf } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { resolveTransition } from '#features/sales/transitions.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { audit } from '#platform/audit.ts';
import { asSystem } from '#platform/context.ts';
import { visibleText } from '#platform/typed-text.ts';
import { Draft } from '../draft.ts';
import { loadImage } from '../load-image.ts';
import { REFUND_REFERENCE_MAX_LENGTH, type UnsentRefundResult } from '../model.ts';
import { planBankRefund } from '../plan-refunds.ts';
import { withUnsentRefund } from '../with-unsent-refund.ts';
import { writeChanges } from '../write-changes.ts';

interface BankRefundInput {
  refundId: string;
  /** what the bank transfer is called */
  reference: string;
  /** in cents, as the administrator saw it */
  amountCents: number;
}

/**
 * Records that a refund which its provider does not carry out is paid from our own bank account. From then on the provider is not
 * asked for it anymore; another administrator confirms that it was paid. The reference can be corrected until then.
 * @throws Unauthenticated; Forbidden; ProofRequired; NotFound; TooManyRequests; PaymentError `unavailable` when the provider gives
 *   no answer
 */
export async function recordBankRefund(
  ctx: CtxWith<'payments'>,
  { refundId, reference, amountCents }: BankRefundInput,
): Promise<UnsentRefundResult> {
  return withUnsentRefund(ctx, refundId, async ({ refund, sale, user }) => {
    const text = visibleText(reference).trim();
    if (text === '' || text.length > REFUND_REFERENCE_MAX_LENGTH)
      return { ok: false, reason: 'no_reference' };
    if (refund.amount_cents !== amountCents) return { ok: false, reason: 'changed' };
    const possible = resolveTransition(stateOf(sale), 'pay_refund', 'admin', await factsOf(ctx, sale));
    if (!possible.ok) return possible;
    if (amountCents > remainingCents((await loadBooks(ctx, sale.id)).entries))
      return { ok: false, reason: 'too_much' };
    if (refund.bank_reference === text && refund.recorded_by === user.id) return { ok: true };
    await ctx.db
      .q()
      .updateTable('refunds')
      .set({ bank_reference: text, recorded_by: user.id, recorded_at: ctx.now() })
      .where('id', '=', refund.id)
      .execute();
    await audit(ctx, {
      action: 'refund.record_reference',
      entity: 'property_sale',
      entityId: sale.id,
      before: { bankReference: refund.bank_reference },
      after: { bankReference: text, amountCents },
    });
    return { ok: true };
  });
}

/**
 * Confirms that a refund was paid from our own bank account, as a second look at what another administrator has recorded: it counts
 * as carried out, and the sale ends as with any other. Whatever is left of the payment by then, what was paid is booked.
 * @throws Unauthenticated; Forbidden; ProofRequired; NotFound; TooManyRequests; PaymentError `unavailable` when the provider gives
 *   no answer
 */
export async function confirmBankRefund(
  ctx: CtxWith<'payments'>,
  { refundId, reference, amountCents }: BankRefundInput,
): Promise<UnsentRefundResult> {
  return withUnsentRefund(ctx, refundId, async ({ refund, sale, user }) => {
    if (refund.bank_reference !== reference) return { ok: false, reason: 'changed' };
    if (refund.amount_cents !== amountCents) return { ok: false, reason: 'changed' };
    if (refund.recorded_by === user.id) return { ok: false, reason: 'second_look' };
    const moved = await transitionSale(ctx, {
      sale,
      event: 'pay_refund',
      by: 'admin',
      note: refund.reason,
      amountCents,
    });
    if (!moved.ok) return moved;
    const system = asSystem(ctx, 'payments');
    const draft = new Draft(await loadImage(system, moved.sale, false));
    const booked = draft.image.refunds.find(({ key }) => key === refund.idempotency_key);
    if (!booked) throw new Error(`The refund ${refund.id} is not in the books of its sale`);
    planBankRefund(draft, booked);
    await ctx.db
      .q()
      .updateTable('refunds')
      .set({ status: 'succeeded', origin: 'bank', confirmed_by: user.id, settled_at: ctx.now() })
      .where('id', '=', refund.id)
      .execute();
    await writeChanges(system, { sale: moved.sale, ...draft });
    return { ok: true };
  });
}
