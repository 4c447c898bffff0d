import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { BadRequest, NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { CSV_TYPE } from '#platform/table-file/csv.ts';
import { statementLimits } from './limits.ts';
import { loadStatement, sellerName, statementMonths } from './load-statement.ts';
import type { Statement } from './model.ts';
import { isMonth, monthOf } from './months.ts';
import { registeredStatement } from './registered-statement.ts';
import { mayReadStatements } from './rules.ts';
import { statementCsv } from './statement-file.ts';
import { statementPdf } from './statement-pdf.ts';

/** The statements of one seller. */
export interface StatementOverview {
  /** newest first; the present month is always among them */
  months: { month: string; closed: boolean; closingCents: number }[];
  statement: Statement;
}

/**
 * Who asks, and for which seller: themselves, or for administrators the one asked for; to others the seller does not exist. Somebody who
 * is no seller and names none gets an empty id, which no seller has.
 */
function askedFor(ctx: Ctx, sellerId: string | null): { userId: string; agentId: string } {
  const user = authorizedUser(ctx, mayReadStatements);
  const agentId = sellerId ?? user.agentId ?? '';
  if (user.role !== 'admin' && agentId !== user.agentId) throw new NotFound('Seller not found');
  return { userId: user.id, agentId };
}

/**
 * The statement of a month, and the months that there are.
 * @param input.sellerId for administrators; sellers read their own
 * @param input.month 'YYYY-MM'; the present one by default
 * @throws Unauthenticated, Forbidden for everyone but sellers and administrators; NotFound for another seller; BadRequest for what
 *   is no month
 */
export async function statementOverview(
  ctx: Ctx,
  { sellerId = null, month = null }: { sellerId?: string | null; month?: string | null },
): Promise<StatementOverview> {
  const { agentId } = askedFor(ctx, sellerId);
  const wanted = checkedMonth(ctx, month);
  const statement = await loadStatement(ctx, { agentId, month: wanted });
  return { statement, months: await statementMonths(ctx, agentId) };
}

/**
 * The months of a seller that have a statement, newest first.
 * @throws Unauthenticated, Forbidden for everyone but sellers and administrators; NotFound for another seller
 */
export async function sellerStatementMonths(
  ctx: Ctx,
  { sellerId }: { sellerId: string },
): Promise<StatementOverview['months']> {
  const { agentId } = askedFor(ctx, sellerId);
  await sellerName(ctx, agentId);
  return statementMonths(ctx, agentId);
}

/** A statement as a file. */
interface StatementFile {
  name: string;
  type: 'application/pdf' | typeof CSV_TYPE;
  body: Uint8Array<ArrayBuffer> | string;
}

/**
 * A statement as a file; of a closed month it is always the same bytes, those that are registered.
 * @throws Unauthenticated, Forbidden for everyone but sellers and administrators; NotFound for another seller and for a month that
 *   has not begun; TooManyRequests; FileStoreError
 */
export async function statementFile(
  ctx: CtxWith<'files'>,
  { sellerId, month, format }: { sellerId: string; month: string; format: 'pdf' | 'csv' },
): Promise<StatementFile> {
  const { userId, agentId } = askedFor(ctx, sellerId);
  const statement = await loadStatement(ctx, { agentId, month: checkedMonth(ctx, month) });
  await takeTokens(ctx, statementLimits.file, `user:${userId}`);
  const name = `statement-${month}.${format}`;
  if (format === 'csv') return { name, type: CSV_TYPE, body: statementCsv(statement) };
  // Loaded when the first document is printed: most processes never print one.
  const { renderPdf } = await import('#platform/pdf/render.ts');
  const body =
    (await registeredStatement(ctx, { agentId, month })) ?? (await renderPdf(statementPdf(statement)));
  return { name, type: 'application/pdf', body };
}

function checkedMonth(ctx: Ctx, month: string | null): string {
  const now = monthOf(ctx.now());
  if (month === null) return now;
  if (!isMonth(month)) throw new BadRequest('This is no month.');
  if (month > now) throw new NotFound('This month has not started.');
  return month;
}
