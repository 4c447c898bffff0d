import { closingDocumentsJob } from '#features/sales/ask-closing-documents.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { mayMakeDocuments } from '../rules.ts';
import { statementDocumentJob } from '../statement-job.ts';

/** Documents per run; the next one continues. */
const BATCH = 50;
/** How long the job of a sale that closes has before a run asks for its documents again. */
const WAIT_MS = 10 * MINUTE;

/**
 * Asks for documents that are missing: of sales and months that were closed before there were any, of months that have been closed
 * since, and of sales whose job was lost. A bounded number with each run; what failed before comes last.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function askMissingDocuments(ctx: Ctx): Promise<void> {
  authorize(ctx, mayMakeDocuments);
  await ctx.db.tx(async () => {
    const q = ctx.db.q();
    const rows = await q
      .selectFrom('closing_documents')
      .select(['id', 'sale_id', 'statement_id'])
      .where('document_id', 'is', null)
      .where('asked_at', '<', new Date(ctx.now().getTime() - WAIT_MS))
      .orderBy('attempts')
      .orderBy('id')
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute();
    if (rows.length === 0) return;
    await q
      .updateTable('closing_documents')
      .set((of) => ({ attempts: of('attempts', '+', 1), asked_at: ctx.now() }))
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
    for (const saleId of new Set(rows.flatMap(({ sale_id }) => sale_id ?? [])))
      await enqueue(ctx, closingDocumentsJob, { saleId }, { key: saleId });
    for (const statementId of rows.flatMap(({ statement_id }) => statement_id ?? []))
      await enqueue(ctx, statementDocumentJob, { statementId }, { key: statementId });
  });
}
