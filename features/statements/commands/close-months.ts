import { sql } from 'kysely';
import { brandName } from '#features/settings/reads.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { HOUR } from '#platform/durations.ts';
import { linesOf } from '../lines.ts';
import { byMonth, type ClosedContent, lastClosedOf } from '../load-statement.ts';
import type { SellerEntry } from '../model.ts';
import { firstDay, monthEnd, monthOf, previousMonth } from '../months.ts';
import { isOpenEntry, isStated, openEntries } from '../open-entries.ts';
import { mayCloseMonths } from '../rules.ts';

/** A month is closed this long after its end: what began before it has been committed or given up by then. */
const GRACE_MS = 2 * HOUR;

/**
 * Closes the months that are over: for each seller, what stands on the statement of a month is written down and never changes
 * again. An entry that is committed later still stands on the next one. Any number of processes may run this at once, and a run
 * that dies is gone on with by the next.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function closeMonths(ctx: Ctx): Promise<void> {
  authorize(ctx, mayCloseMonths);
  const month = previousMonth(monthOf(new Date(ctx.now().getTime() - GRACE_MS)));
  const q = ctx.db.q();
  const done = await q
    .selectFrom('closed_months')
    .select('month')
    .where('month', '>=', firstDay(month))
    .executeTakeFirst();
  if (done) return;
  const sellers = await sql<{ id: string }>`
    select distinct s.agent_id as id from property_sales s join ledger_entries e on e.sale_id = s.id
    where e.created_at < ${monthEnd(month)} and ${isOpenEntry} and ${isStated(ctx.config)}`.execute(q);
  for (const { id } of sellers.rows) await closeFor(ctx, id, month);
  await q
    .insertInto('closed_months')
    .values({ month: firstDay(month), closed_at: ctx.now() })
    .onConflict((conflict) => conflict.column('month').doNothing())
    .execute();
}

async function closeFor(ctx: Ctx, agentId: string, through: string): Promise<void> {
  const brand = await brandName(ctx);
  await ctx.db.tx(async () => {
    const { name } = await ctx.db
      .q()
      .selectFrom('agents')
      .select('name')
      .where('id', '=', agentId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const last = await lastClosedOf(ctx, agentId);
    const entries = await openEntries(ctx, { agentId, until: monthEnd(through) });
    let opening = last.closingCents;
    for (const [month, its] of byMonth(entries, last.month)) {
      if (month > through) return;
      const content = { sellerName: name, brand, lines: its.flatMap(linesOf) };
      opening = await closeStatement(ctx, { agentId, month, opening, content, entries: its });
    }
  });
}

/** @returns the balance at the end of the month, in cents */
async function closeStatement(
  ctx: Ctx,
  {
    agentId,
    month,
    opening,
    content,
    entries,
  }: {
    agentId: string;
    month: string;
    opening: number;
    content: ClosedContent;
    entries: readonly SellerEntry[];
  },
): Promise<number> {
  const closing = content.lines.reduce((balance, { cents }) => balance + cents, opening);
  const { id } = await ctx.db
    .q()
    .insertInto('seller_statements')
    .values({
      agent_id: agentId,
      month: firstDay(month),
      opening_cents: opening,
      closing_cents: closing,
      content: JSON.stringify(content),
      closed_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // A job makes the document of it: features/closing.
  await ctx.db
    .q()
    .insertInto('closing_documents')
    .values({ kind: 'statement', statement_id: id, asked_at: new Date(0) })
    .execute();
  await sql`insert into seller_statement_entries (entry_id, statement_id)
    select unnest(${entries.map((entry) => entry.id)}::bigint[]), ${id}`.execute(ctx.db.q());
  return closing;
}
