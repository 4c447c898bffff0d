import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { FEWEST_SIMILAR, MOST_SIMILAR } from './model.ts';
import { coveredDays } from './rules.ts';

/** A listing that is to be compared, and those it is compared with. */
export interface SimilarSet {
  id: string;
  onMarket: boolean;
  /** the first of the compared days, 'YYYY-MM-DD' of UTC */
  since: string;
  /** where the similar ones are: the city or the state */
  place: string;
  similarIds: string[];
}

/**
 * Other listings of the same type in the same place with a price within 25 %, nearest in price first, that are on the market and
 * have been on all days that are compared. Both directions follow an index in the order of prices, so that no more is
 * read of a large place than is taken.
 */
const nearest = (place: RawBuilder<unknown>) => sql`(select array(
  select near.id from (
    (select c.id, c.price_cents - s.price_cents as distance from properties c
      where c.is_public and c.type_id = s.type_id and ${place}
        and c.price_cents between s.price_cents and s.price_cents * 5 / 4
        and c.listed_at < s.listed_before and c.id <> s.id
      order by c.price_cents, c.id limit ${MOST_SIMILAR})
    union all
    (select c.id, s.price_cents - c.price_cents from properties c
      where c.is_public and c.type_id = s.type_id and ${place}
        and c.price_cents between (s.price_cents * 3 + 3) / 4 and s.price_cents - 1
        and c.listed_at < s.listed_before and c.id <> s.id
      order by c.price_cents desc, c.id desc limit ${MOST_SIMILAR})
  ) near order by near.distance, near.id limit ${MOST_SIMILAR}))`;

const inCity = nearest(sql`lower(c.state) = s.state and lower(c.city) = s.city`);
const inState = nearest(sql`lower(c.state) = s.state`);

/**
 * A seller's listings that are not deleted, each with the similar ones: of the same city, or of the state when those are too few.
 * One query for all of them.
 */
export async function similarSets(
  ctx: Ctx,
  { agentId, propertyIds }: { agentId: string; propertyIds: readonly string[] },
): Promise<SimilarSet[]> {
  const [first = ''] = coveredDays(ctx.now());
  const { rows } = await sql<SimilarSet>`
    with subject as materialized (
      select p.id, p.type_id, p.state as state_name, lower(p.state) as state, p.city as city_name, lower(p.city) as city,
        p.price_cents, p.is_public and p.listed_at is not null as on_market, days.since,
        (days.since + 1)::timestamp at time zone 'UTC' as listed_before
      from properties p
        cross join lateral (select greatest(${first}::date,
          (coalesce(p.listed_at, p.created_at) at time zone 'UTC')::date) as since) days
      where p.id = any(${[...propertyIds]}::uuid[]) and p.agent_id = ${agentId} and p.deleted_at is null
    )
    select s.id, s.on_market as "onMarket", s.since::text as since,
      case when cardinality(city.ids) >= ${FEWEST_SIMILAR} then s.city_name else s.state_name end as place,
      coalesce(found.ids, '{}') as "similarIds"
    from subject s
      left join lateral (select case when s.on_market and s.city <> '' then ${inCity} end as ids offset 0) city on true
      left join lateral (select case when cardinality(city.ids) >= ${FEWEST_SIMILAR} then city.ids
        when s.on_market and s.state <> '' then ${inState} end as ids offset 0) found on true`.execute(
    ctx.db.q(),
  );
  return rows;
}
