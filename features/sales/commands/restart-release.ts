import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { announceDocuments } from '../announce-sale.ts';
import { downloadableDocuments } from '../delivered-documents.ts';
import { queueReleaseRestarted } from '../mails.ts';
import { RELEASE_DAYS } from '../model.ts';
import { mayRestartRelease } from '../rules.ts';
import { lockSale } from '../sale-row.ts';

/**
 * Lets the days after which a sale is released by itself begin when the scanner has released the first of its delivered documents, in
 * the transaction that releases it: the buyer could look at none before. Both parties are told the new date by mail, since the mail about the
 * delivery led them to expect an earlier one. A later date stays.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function restartRelease(
  ctx: Ctx,
  { saleId, documentId }: { saleId: string; documentId: string },
): Promise<void> {
  authorize(ctx, mayRestartRelease);
  const sale = await lockSale(ctx, saleId);
  if (sale?.escrow_status !== 'in_escrow' || sale.release_due_at === null) return;
  const [first, second] = await downloadableDocuments(ctx, sale);
  if (first !== documentId || second !== undefined) return;
  const before = sale.release_due_at;
  const after = new Date(ctx.now().getTime() + RELEASE_DAYS * DAY);
  if (after <= before) return;
  await ctx.db
    .q()
    .updateTable('property_sales')
    .set({ release_due_at: after })
    .where('id', '=', saleId)
    .execute();
  await audit(ctx, {
    action: 'sale.restart_release',
    entity: 'property_sale',
    entityId: saleId,
    before: { releaseDueAt: before },
    after: { releaseDueAt: after },
  });
  await queueReleaseRestarted(ctx, { ...sale, release_due_at: after });
  await announceDocuments(ctx, sale);
}
