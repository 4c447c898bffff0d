import { sql } from 'kysely';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { auditedRequest } from '../audited-request.ts';
import { fileName, fileOf, fileType } from '../file-formats.ts';
import { fileRows } from '../file-rows.ts';
import { transactionLimits } from '../limits.ts';
import { type ListFilter, matchingIds, transactionCount } from '../list.ts';
import type { FileRequest } from '../model.ts';
import { MOST_SALES_AT_ONCE } from '../model.ts';
import { mayOverseeSales } from '../rules.ts';
import { withSeller } from '../seller-filter.ts';

type ExportTransactionsResult =
  | { ok: true; name: string; type: string; body: AsyncGenerator<Uint8Array> }
  | { ok: false; reason: 'too_long' };

/**
 * The list as a file, all its pages, streamed while it is read: whoever reads no further ends it. That it was exported is recorded
 * first. A list of more than 100,000 sales is refused: `prepareTransactionsFile` has it written in the background.
 * @param mostSales another limit than that
 * @throws Unauthenticated, Forbidden for everyone but administrators; TooManyRequests (20 an hour)
 */
export async function exportTransactions(
  ctx: Ctx,
  { format, query }: FileRequest,
  mostSales = MOST_SALES_AT_ONCE,
): Promise<ExportTransactionsResult> {
  const user = authorizedUser(ctx, mayOverseeSales);
  await takeTokens(ctx, transactionLimits.file, `user:${user.id}`);
  const { sort, ...filters } = query;
  const { filter } = await withSeller(ctx, filters);
  if (await isLongerThan(ctx, filter, mostSales)) return { ok: false, reason: 'too_long' };
  const { more } = await transactionCount(ctx, filter);
  await audit(ctx, {
    action: 'transactions.export',
    entity: 'transaction_file',
    entityId: 'file',
    after: auditedRequest(format, filter, sort),
  });
  const rows = fileRows(ctx, { filter, sort, few: !more });
  const now = ctx.now();
  return {
    ok: true,
    name: fileName(format, now),
    type: fileType(format),
    body: fileOf(format, filter, rows, now),
  };
}

async function isLongerThan(ctx: Ctx, filter: ListFilter, sales: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from (${matchingIds(ctx, filter)}) found offset ${sales} limit 1`.execute(ctx.db.q());
  return rows.length > 0;
}
