import { openTask } from '#features/tasks/commands/open-task.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { hasDocuments } from '../delivered-documents.ts';
import { mayTakeBackDelivery } from '../rules.ts';
import { lockSale } from '../sale-row.ts';
import { transitionSale } from '../transition-sale.ts';

/**
 * Takes the delivery of a sale's documents back when the last of them was removed, in the transaction that removes it: the money would
 * otherwise be released for nothing. A sale that is over or frozen stays as it is, and an administrator is asked; a frozen one is not
 * released by itself before the administrator has answered.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function takeBackDelivery(
  ctx: Ctx,
  { saleId, name }: { saleId: string; name: string },
): Promise<void> {
  authorize(ctx, mayTakeBackDelivery);
  const sale = await lockSale(ctx, saleId);
  if (!sale || sale.documents_delivered_at === null) return;
  if (await hasDocuments(ctx, sale, { downloadable: false })) return;
  const note = `‘${name}’ contained malware.`;
  const moved = await transitionSale(ctx, { sale, event: 'remove_documents', by: 'system', note });
  if (!moved.ok)
    await openTask(ctx, {
      kind: 'documents_removed',
      subjectId: saleId,
      detail: `${note} It was the last of the delivered documents, and the sale does not wait for others: ${
        moved.reason === 'frozen'
          ? 'it is frozen. It is not released automatically while this task is open.'
          : 'it is no longer in escrow.'
      }`,
    });
}
