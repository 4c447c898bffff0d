import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { auditedRequest } from '../audited-request.ts';
import { listParams } from '../filters.ts';
import { PREPARING_LASTS_MS, transactionLimits } from '../limits.ts';
import type { FileRequest } from '../model.ts';
import { writeFileJob } from '../queues.ts';
import { mayOverseeSales } from '../rules.ts';
import { withSeller } from '../seller-filter.ts';

/**
 * Has the list written to a file in the background, however long it is. Who asked for it is notified on the page and by email when it
 * can be downloaded.
 * @returns the file's id
 * @throws Unauthenticated, Forbidden for everyone but administrators; TooManyRequests (5 an hour)
 */
export async function prepareTransactionsFile(ctx: Ctx, { format, query }: FileRequest): Promise<string> {
  const user = authorizedUser(ctx, mayOverseeSales);
  await takeTokens(ctx, transactionLimits.prepare, `user:${user.id}`);
  const { sort, ...filters } = query;
  const { filter } = await withSeller(ctx, filters);
  return ctx.db.tx(async () => {
    const { id } = await ctx.db
      .q()
      .insertInto('transaction_files')
      .values({
        requested_by: user.id,
        format,
        query: JSON.stringify(listParams(query)),
        created_at: ctx.now(),
        expires_at: new Date(ctx.now().getTime() + PREPARING_LASTS_MS),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(ctx, {
      action: 'transactions.prepare_file',
      entity: 'transaction_file',
      entityId: id,
      after: auditedRequest(format, filter, sort),
    });
    await enqueue(ctx, writeFileJob, { fileId: id });
    return id;
  });
}
