import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob } from '#platform/jobs/job.ts';

/** Makes the receipt and the settlement statement of a closed sale: `features/closing`. */
export const closingDocumentsJob = defineJob<{ saleId: string }>('closing.sale-documents', {
  retries: 8,
  retryDelaySeconds: 15,
  expireSeconds: 120,
});

/** Asks for the documents of a sale that closes, in the transaction in which it does: once for each sale and kind. */
export async function askClosingDocuments(ctx: Ctx, saleId: string): Promise<void> {
  const kinds = ['receipt', 'settlement'] as const;
  const asked = await ctx.db
    .q()
    .insertInto('closing_documents')
    .values(kinds.map((kind) => ({ kind, sale_id: saleId, asked_at: ctx.now() })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  if (asked.length > 0) await enqueue(ctx, closingDocumentsJob, { saleId }, { key: saleId });
}
