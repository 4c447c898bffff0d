import { brandName } from '#features/settings/reads.ts';
import { checkUrlOf } from '#features/verification/display.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { linesOf, withBalances } from './lines.ts';
import type { SellerEntry, Statement, StatementLine } from './model.ts';
import { firstDay, monthOf, statementMonth } from './months.ts';
import { openEntries } from './open-entries.ts';
import { statementNumber } from './rules.ts';

/** What a closed statement keeps of its document, besides the balances. */
export interface ClosedContent {
  sellerName: string;
  brand: string;
  lines: StatementLine[];
}

/** Where the books of a seller stand: the last month that is closed, if any, and the balance at its end. */
interface LastClosed {
  month: string | null;
  closingCents: number;
}

export async function lastClosedOf(ctx: Ctx, agentId: string): Promise<LastClosed> {
  const q = ctx.db.q();
  const [own, all] = await Promise.all([
    q
      .selectFrom('seller_statements')
      .select(['closing_cents', (of) => of.fn<string>('to_char', ['month', of.val('YYYY-MM')]).as('month')])
      .where('agent_id', '=', agentId)
      .orderBy('seller_statements.month', 'desc')
      .limit(1)
      .executeTakeFirst(),
    q
      .selectFrom('closed_months')
      .select((of) => of.fn<string | null>('to_char', [of.fn.max('month'), of.val('YYYY-MM')]).as('month'))
      .executeTakeFirst(),
  ]);
  const months = [own?.month, all?.month].filter((month) => month != null);
  return { month: months.sort().at(-1) ?? null, closingCents: own?.closing_cents ?? 0 };
}

/** The entries of each month that is not closed, in the order of the months. */
export function byMonth(
  entries: readonly SellerEntry[],
  lastClosed: string | null,
): [month: string, entries: SellerEntry[]][] {
  const months = Map.groupBy(entries, ({ at }) => statementMonth(at, lastClosed));
  return [...months].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** @throws NotFound for a seller that does not exist */
export async function sellerName(ctx: Ctx, agentId: string): Promise<string> {
  const row = isUuid(agentId)
    ? await ctx.db.q().selectFrom('agents').select('name').where('id', '=', agentId).executeTakeFirst()
    : undefined;
  if (!row) throw new NotFound('Seller not found');
  return row.name;
}

/**
 * What is read in several queries about a seller's statements. It is read again when a month was closed meanwhile: what stood on no
 * statement in one query may stand on a closed one in the next, and would be missing from both.
 * @throws NotFound for what is no id
 */
async function whileNothingCloses<T>(ctx: Ctx, agentId: string, read: () => Promise<T>): Promise<T> {
  if (!isUuid(agentId)) throw new NotFound('Seller not found');
  let before: LastClosed;
  let result: T;
  let after = await lastClosedOf(ctx, agentId);
  do {
    before = after;
    result = await read();
    after = await lastClosedOf(ctx, agentId);
  } while (before.month !== after.month);
  return result;
}

/**
 * A seller's statement of a month, whoever asks: as it was closed, or, while it is open, from the ledger.
 * @throws NotFound for a seller that does not exist
 */
export const loadStatement = (
  ctx: Ctx,
  { agentId, month }: { agentId: string; month: string },
): Promise<Statement> => whileNothingCloses(ctx, agentId, () => readStatement(ctx, agentId, month));

async function readStatement(ctx: Ctx, agentId: string, month: string): Promise<Statement> {
  const name = await sellerName(ctx, agentId);
  const stored = await ctx.db
    .q()
    .selectFrom('seller_statements')
    .selectAll()
    .where('agent_id', '=', agentId)
    .where('month', '=', firstDay(month))
    .executeTakeFirst();
  if (stored) {
    const content = stored.content as unknown as ClosedContent;
    const number = statementNumber(stored.number);
    return {
      sellerId: agentId,
      month,
      closed: true,
      check: { number, url: checkUrlOf(ctx, number) },
      sellerName: content.sellerName,
      brand: content.brand,
      openingCents: stored.opening_cents,
      closingCents: stored.closing_cents,
      lines: withBalances(content.lines, stored.opening_cents),
    };
  }
  const head = { sellerId: agentId, month, sellerName: name, brand: await brandName(ctx), check: null };
  const last = await lastClosedOf(ctx, agentId);
  if (last.month !== null && month <= last.month) {
    const balance = await balanceAfter(ctx, agentId, month);
    return { ...head, closed: true, openingCents: balance, closingCents: balance, lines: [] };
  }
  const entries = await openEntries(ctx, { agentId, until: null });
  let opening = last.closingCents;
  let lines: StatementLine[] = [];
  for (const [of, its] of byMonth(entries, last.month)) {
    const found = its.flatMap(linesOf);
    if (of === month) lines = found;
    else if (of < month) opening += found.reduce((sum, { cents }) => sum + cents, 0);
  }
  const balanced = withBalances(lines, opening);
  return {
    ...head,
    closed: false,
    openingCents: opening,
    closingCents: balanced.at(-1)?.balanceCents ?? opening,
    lines: balanced,
  };
}

/** The balance at the end of a closed month in which nothing happened. */
async function balanceAfter(ctx: Ctx, agentId: string, month: string): Promise<number> {
  const row = await ctx.db
    .q()
    .selectFrom('seller_statements')
    .select('closing_cents')
    .where('agent_id', '=', agentId)
    .where('month', '<', firstDay(month))
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.closing_cents ?? 0;
}

interface MonthOfSeller {
  month: string;
  closed: boolean;
  closingCents: number;
}

/** The months that have a statement, newest first, the present one always among them. */
export const statementMonths = (ctx: Ctx, agentId: string): Promise<MonthOfSeller[]> =>
  whileNothingCloses(ctx, agentId, () => readMonths(ctx, agentId));

async function readMonths(ctx: Ctx, agentId: string): Promise<MonthOfSeller[]> {
  const stored = await ctx.db
    .q()
    .selectFrom('seller_statements')
    .select(['closing_cents', (of) => of.fn<string>('to_char', ['month', of.val('YYYY-MM')]).as('name')])
    .where('agent_id', '=', agentId)
    .execute();
  const last = await lastClosedOf(ctx, agentId);
  const entries = await openEntries(ctx, { agentId, until: null });
  const months = stored.map(({ name, closing_cents }) => ({
    month: name,
    closed: true,
    closingCents: closing_cents,
  }));
  let balance = last.closingCents;
  for (const [month, its] of byMonth(entries, last.month)) {
    for (const { payableCents, receivableCents } of its) balance += payableCents + receivableCents;
    months.push({ month, closed: false, closingCents: balance });
  }
  const now = monthOf(ctx.now());
  if (!months.some(({ month }) => month === now))
    months.push({ month: now, closed: false, closingCents: balance });
  return months.sort((one, other) => (one.month < other.month ? 1 : -1));
}
