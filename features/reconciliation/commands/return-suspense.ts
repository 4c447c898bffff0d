import { loadBooks } from '#features/sales/load-books.ts';
import { queueRefund } from '#features/sales/refund-request.ts';
import { refundOf } from '#features/sales/sale-books.ts';
import { factsOf, lockSale } from '#features/sales/sale-row.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { acknowledgingOf } from '../acknowledging.ts';
import { lockBreak } from '../difference.ts';
import type { BreakActionResult } from '../model.ts';
import { reasonFrom } from '../reason.ts';
import { mayEndBreaks } from '../rules.ts';

/**
 * Has money of a sale that a break left in suspense sent back to its buyer, in the background. The break stays open until the money has
 * left, and is acknowledged then; when the refund fails, it can be asked for again.
 * @throws Unauthenticated, ProofRequired; Forbidden for everyone but administrators; NotFound
 */
export async function returnSuspense(
  ctx: Ctx,
  { breakId, reason }: { breakId: string; reason: string },
): Promise<BreakActionResult> {
  const user = authorizedUser(ctx, mayEndBreaks);
  requireFreshProof(ctx);
  const note = reasonFrom(reason);
  return ctx.db.tx(async (): Promise<BreakActionResult> => {
    const row = await lockBreak(ctx, breakId);
    if (row.state !== 'open') return { ok: false, reason: row.state };
    const about = await acknowledgingOf(ctx, row);
    const sale = row.sale_id === null ? undefined : await lockSale(ctx, row.sale_id);
    if (!about || !sale) return { ok: false, reason: 'not_acknowledged' };
    if (about.refundRuns) return { ok: false, reason: 'refund_running' };
    // A payment that was set aside, and one that is complete only with its next part, are decided about elsewhere.
    const { frozen, chargebackOpen } = await factsOf(ctx, sale);
    if (frozen || chargebackOpen || sale.buyer_id === user.id) return { ok: false, reason: 'not_refundable' };
    if (note === null) return { ok: false, reason: 'no_reason' };
    const books = await loadBooks(ctx, sale.id);
    const request = refundOf(sale.id, books, {
      baseCents: 0,
      feesCents: 0,
      suspenseCents: about.suspenseCents,
    });
    if (!request) return { ok: false, reason: 'nothing_in_suspense' };
    await queueRefund(ctx, { saleId: sale.id, books, request, reason: note });
    await audit(ctx, {
      action: 'break.return',
      entity: 'break',
      entityId: breakId,
      after: { amountCents: request.amountCents, reason: note },
    });
    return { ok: true };
  });
}
