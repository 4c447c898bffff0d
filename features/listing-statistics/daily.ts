import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { type Counts, type DayCounts, MOST_SUMMED } from './model.ts';

/**
 * What happened to listings by day of UTC: rows of `property_id`, `day`, `views`, `watches`, `inquiries`, of which a day may have
 * several. The sums by day and the events that are not in them yet, so that it is exact at any moment.
 */
const dailyCounts = sql`(
  select d.property_id, d.day, d.views, d.watches, d.inquiries from listing_days d
  union all
  select e.property_id, (e.at at time zone 'UTC')::date, case when e.metric = 'views' then e.value else 0 end,
      case when e.metric = 'watches' then e.value else 0 end, case when e.metric = 'inquiries' then e.value else 0 end
    from report_events e where e.property_id is not null and e.metric in ('views', 'watches', 'inquiries'))`;

const sums = sql`coalesce(sum(d.views), 0)::integer as views, coalesce(sum(d.watches), 0)::integer as watches,
  coalesce(sum(d.inquiries), 0)::integer as inquiries`;

// Each is computed listing by listing in a lateral query, which keeps the planner from reading the days of all listings.

/** The counts of listings by day since a day ('YYYY-MM-DD' of UTC), by listing; days without anything are left out. */
export async function countsByDay(
  ctx: Ctx,
  propertyIds: readonly string[],
  since: string,
): Promise<Map<string, DayCounts[]>> {
  const { rows } = await sql<DayCounts & { id: string }>`
    select asked.id, counted.day::text as day, counted.views, counted.watches, counted.inquiries
    from unnest(${[...propertyIds]}::uuid[]) as asked (id)
      cross join lateral (select d.day, ${sums} from ${dailyCounts} d
        where d.property_id = asked.id and d.day >= ${since}::date group by d.day) counted`.execute(
    ctx.db.q(),
  );
  const found = new Map<string, DayCounts[]>();
  for (const { id, ...day } of rows) found.set(id, [...(found.get(id) ?? []), day]);
  return found;
}

/** The counts of a seller's newest listings together by day since a day, without the days without anything. */
export async function countsOfSeller(ctx: Ctx, agentId: string, since: string): Promise<DayCounts[]> {
  const { rows } = await sql<DayCounts>`
    select d.day::text as day, ${sums}
    from (select id from properties where agent_id = ${agentId} and deleted_at is null
        order by created_at desc, id limit ${MOST_SUMMED}) p
      cross join lateral (select c.day, c.views, c.watches, c.inquiries from ${dailyCounts} c
        where c.property_id = p.id and c.day >= ${since}::date offset 0) d
    group by d.day`.execute(ctx.db.q());
  return rows;
}

/** The counts of listings, each since a day of its own, in the order in which they were asked for. */
export async function countsSince(
  ctx: Ctx,
  asked: readonly { id: string; since: string }[],
): Promise<Counts[]> {
  const { rows } = await sql<Counts>`
    select counted.views, counted.watches, counted.inquiries
    from unnest(${asked.map(({ id }) => id)}::uuid[], ${asked.map(({ since }) => since)}::date[])
        with ordinality as asked (id, since, place)
      cross join lateral (select ${sums} from ${dailyCounts} d
        where d.property_id = asked.id and d.day >= asked.since) counted
    order by asked.place`.execute(ctx.db.q());
  return rows;
}

/** Whole days from going on the market to the first inquiry, by listing; those without an inquiry are left out. */
export async function firstInquiryDays(
  ctx: Ctx,
  propertyIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; days: number }>`
    select p.id, greatest(0, floor(extract(epoch from first.at - p.listed_at) / 86400))::integer as days
    from unnest(${[...propertyIds]}::uuid[]) as asked (id)
      join properties p on p.id = asked.id and p.listed_at is not null
      cross join lateral (select min(i.created_at) as at from property_inquiries i where i.property_id = p.id) first
    where first.at is not null`.execute(ctx.db.q());
  return new Map(rows.map(({ id, days }) => [id, days]));
}
