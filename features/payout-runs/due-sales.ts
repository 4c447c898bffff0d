import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { payableAt } from './load-plan.ts';
import { isInRun, isPayable, obstacleOf, oldestFirst, owedForSale } from './sql.ts';

/** What the schedule pays if it runs now. */
interface DueSales {
  /** the oldest sale first */
  saleIds: string[];
  /** sellers who are left out because they are owed less than the minimum */
  sellersBelowMinimum: number;
}

/**
 * The sales that nothing holds, whose sellers are ready, and that are in no run: those of sellers who are owed at least the
 * minimum for them in total, test and live sales apart.
 * @param input `minimumCents`: cents; `leftSince`: leaves out what a run has refused or dropped since then, null for nothing
 */
export async function dueSales(
  ctx: Ctx,
  { minimumCents, leftSince }: { minimumCents: number; leftSince: Date | null },
): Promise<DueSales> {
  const at = await payableAt(ctx);
  const wasLeft =
    leftSince === null
      ? sql`false`
      : sql`exists (select from payout_run_items l where l.sale_id = s.id and l.status in ('refused', 'dropped')
          and l.ended_at > ${leftSince})`;
  const { rows } = await sql<{ id: string; agent_id: string; of_seller: number }>`
    select s.id, s.agent_id, (sum(s.owed) over (partition by s.agent_id, s.livemode))::bigint as of_seller
    from (select s.id, s.agent_id, s.livemode, s.created_at, ${owedForSale} as owed from property_sales s
      join agents a on a.id = s.agent_id
      where ${isPayable(at)} and ${obstacleOf} is null and not ${isInRun} and not ${wasLeft}) s
    order by ${oldestFirst}`.execute(ctx.db.q());
  const below = rows.filter(({ of_seller }) => of_seller < minimumCents);
  return {
    saleIds: rows.filter(({ of_seller }) => of_seller >= minimumCents).map(({ id }) => id),
    sellersBelowMinimum: new Set(below.map(({ agent_id }) => agent_id)).size,
  };
}
