import { sql } from 'kysely';
import { openTask } from '#features/tasks/commands/open-task.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { documentsOverdue, nextDocumentsCheck, reminderDue } from '../documents.ts';
import { queueDocumentsReminder } from '../mails.ts';
import { mayWatchDeadlines } from '../rules.ts';
import { factsOf, lockSale, type SaleRow } from '../sale-row.ts';
import { transitionSale } from '../transition-sale.ts';

/** Sales per run; the next one continues. */
const BATCH = 200;
/** How soon the documents of a sale are looked at again while the seller is kept from delivering them. */
const BLOCKED_RECHECK_MS = HOUR;
/** Days after which a problem that is still open becomes urgent for the administrators. */
const PROBLEM_DAYS = 14;

/**
 * Reminds buyers and sellers of documents that are due, tells them and the administrators when they are overdue, and makes problems
 * urgent that nobody has settled for two weeks. Each happens once, however often this runs.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function watchDeadlines(ctx: Ctx): Promise<void> {
  authorize(ctx, mayWatchDeadlines);
  await watchDocuments(ctx);
  await escalateProblems(ctx);
}

async function watchDocuments(ctx: Ctx): Promise<void> {
  const due = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('documents_check_at', '<=', ctx.now())
    .orderBy('documents_check_at')
    .limit(BATCH)
    .execute();
  for (const { id } of due)
    try {
      await ctx.db.tx(async () => {
        const sale = await lockSale(ctx, id);
        if (sale) await checkDocuments(ctx, sale);
      });
    } catch (error) {
      ctx.log.warn(
        { err: error, sale: id },
        'the documents of a sale could not be checked, and will be again',
      );
    }
}

async function checkDocuments(ctx: Ctx, sale: SaleRow): Promise<void> {
  const { documents_due_at: dueAt, documents_check_at: checkAt } = sale;
  const now = ctx.now();
  if (checkAt === null || checkAt > now) return;
  const facts = await factsOf(ctx, sale);
  if (sale.escrow_status !== 'in_escrow' || facts.documentsDelivered || dueAt === null)
    return checkAgain(ctx, sale, null);
  // A deadline that passed before the sale was frozen is told of once it moves again.
  if (facts.frozen || (facts.blockedSince !== null && !documentsOverdue(facts)))
    return checkAgain(ctx, sale, new Date(now.getTime() + BLOCKED_RECHECK_MS));
  if (documentsOverdue(facts)) {
    const moved = await transitionSale(ctx, { sale, event: 'miss_documents_deadline', by: 'system' });
    return moved.ok ? undefined : checkAgain(ctx, sale, null);
  }
  const due = reminderDue(dueAt, now);
  if (due) await queueDocumentsReminder(ctx, sale, due);
  await checkAgain(ctx, sale, nextDocumentsCheck(dueAt, now));
}

async function checkAgain(ctx: Ctx, { id }: SaleRow, at: Date | null): Promise<void> {
  await ctx.db
    .q()
    .updateTable('property_sales')
    .set({ documents_check_at: at })
    .where('id', '=', id)
    .execute();
}

async function escalateProblems(ctx: Ctx): Promise<void> {
  const old = await ctx.db
    .q()
    .selectFrom('disputes as d')
    .select(['d.sale_id', 'd.reason'])
    .where('d.status', '=', 'open')
    .where('d.kind', '=', 'problem')
    .where('d.created_at', '<=', new Date(ctx.now().getTime() - PROBLEM_DAYS * DAY))
    .where(({ not, exists, selectFrom, ref }) =>
      not(
        exists(
          selectFrom('admin_tasks as t')
            .select('t.id')
            .where('t.kind', '=', 'problem_overdue')
            .where('t.subject_id', '=', sql<string>`d.sale_id::text`)
            .where('t.created_at', '>=', ref('d.created_at')),
        ),
      ),
    )
    .limit(BATCH)
    .execute();
  for (const { sale_id, reason } of old)
    await openTask(ctx, { kind: 'problem_overdue', subjectId: sale_id, detail: reason });
}
