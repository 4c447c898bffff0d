import { closeBreaks } from '#features/reconciliation/commands/close-breaks.ts';
import { NOTE_MAX_LENGTH } from '#features/sales/rules.ts';
import { factsOf, lockSale, stateOf } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { resolveTransition } from '#features/sales/transitions.ts';
import { authorizedUser } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { paymentLimits } from '../limits.ts';
import type { DecisionResult } from '../model.ts';
import { mayDecidePayments } from '../rules.ts';
import { settleSale } from '../settle-sale.ts';

/**
 * Recognizes refunds that were made at the provider without being asked for here. When they returned the whole payment, the
 * sale is over and the property free; else it goes on with the rest.
 * @throws Unauthenticated; Forbidden; ProofRequired; NotFound; TooManyRequests
 */
export async function recognizeRefund(
  ctx: Ctx,
  input: {
    saleId: string;
    /** why; at most 2,000 characters */
    note: string;
  },
): Promise<DecisionResult> {
  const user = authorizedUser(ctx, mayDecidePayments);
  requireFreshProof(ctx);
  const { saleId } = input;
  if (!isUuid(saleId)) throw new NotFound();
  await takeTokens(ctx, paymentLimits.decide, user.id);
  const note = cutText(input.note.trim(), NOTE_MAX_LENGTH);
  return ctx.db.tx(async (): Promise<DecisionResult> => {
    const sale = await lockSale(ctx, saleId);
    if (!sale) throw new NotFound();
    if (sale.buyer_id === user.id) return { ok: false, reason: 'not_yours' };
    const possible = resolveTransition(stateOf(sale), 'recognise_refund', 'admin', await factsOf(ctx, sale));
    if (!possible.ok) return possible;
    const system = asSystem(ctx, 'payments');
    const closed = await closeBreaks(system, {
      saleId,
      kind: 'unexpected_refund',
      resolution: 'recognised',
      note,
      by: user.id,
    });
    if (closed === 0) return { ok: false, reason: 'no_unexpected_refund' };
    const moved = await transitionSale(ctx, {
      sale,
      event: 'recognise_refund',
      by: 'admin',
      note: note || null,
    });
    if (!moved.ok) throw new Error(`The sale ${saleId} could not follow a decision: ${moved.reason}`);
    await settleSale(ctx, moved.sale);
    return { ok: true };
  });
}
