import { lockSale } from '#features/sales/sale-row.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { authorize } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import type { PayoutRefused } from '../model.ts';
import { mayStartPayouts } from '../rules.ts';

/**
 * Makes a payout that failed pending again: what did not arrive can then be sent by another attempt.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators; NotFound
 */
export async function retryPayout(
  ctx: Ctx,
  { saleId }: { saleId: string },
): Promise<{ ok: true } | PayoutRefused> {
  authorize(ctx, mayStartPayouts);
  requireFreshProof(ctx);
  if (!isUuid(saleId)) throw new NotFound();
  return ctx.db.tx(async () => {
    const sale = await lockSale(ctx, saleId);
    if (!sale) throw new NotFound();
    const moved = await transitionSale(ctx, {
      sale,
      event: 'retry_payout',
      by: ctx.actor.kind === 'user' ? 'admin' : 'system',
    });
    if (moved.ok) return { ok: true };
    return {
      ok: false,
      refusal: sale.payout_status === 'processing' ? 'already_processing' : 'not_open',
    };
  });
}
