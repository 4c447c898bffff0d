import { sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import type { ListingPicture, PropertyStatus } from '#features/listings/model.ts';
import { mainPicture } from '#features/listings/sql.ts';
import { authorizedSeller } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { dailyCounts } from './daily.ts';
import type {
  Comparison,
  Counts,
  DayCounts,
  ListingStatistics,
  ListingTotals,
  OwnStatistics,
} from './model.ts';
import {
  compare,
  coveredDays,
  dayOf,
  eachMetric,
  maySeeStatistics,
  mediansOf,
  type SimilarListing,
  total,
  withoutGaps,
} from './rules.ts';
import { type SimilarSet, similarSets } from './similar.ts';

/** How many listings are compared at a time: a page of My Properties. */
const MOST_COMPARED = 25;

const sums = sql`coalesce(sum(d.views), 0)::integer as views, coalesce(sum(d.watches), 0)::integer as watches,
  coalesce(sum(d.inquiries), 0)::integer as inquiries`;

/**
 * The statistics of one of the seller's own listings.
 * @throws Unauthenticated, Forbidden for everyone but sellers; NotFound for any other listing, so that ids cannot be probed
 */
export async function listingStatistics(
  ctx: Ctx,
  { propertyId }: { propertyId: string },
): Promise<ListingStatistics> {
  const { agentId } = authorizedSeller(ctx, maySeeStatistics);
  const listing = isUuid(propertyId) && (await ownListingFacts(ctx, agentId, propertyId));
  const [set] = listing ? await similarSets(ctx, { agentId, propertyIds: [propertyId] }) : [];
  if (!listing || !set) throw new NotFound('Property not found');
  const days = coveredDays(ctx.now());
  const rows = await countsByDay(ctx, [set.id, ...set.similar.map(({ id }) => id)], days[0] ?? '');
  const own = withoutGaps(days, rows.get(set.id) ?? []);
  const shared = days.filter((day) => day >= set.since);
  const similar = set.similar.map(({ id, firstInquiryDays }) => {
    const byDay = withoutGaps(shared, rows.get(id) ?? []);
    return { byDay, counts: total(byDay), firstInquiryDays };
  });
  const comparison = comparisonOf(set, similar);
  const before = Array<null>(days.length - shared.length).fill(null);
  return {
    listing,
    days: own,
    counts: total(own),
    comparison,
    usualDays:
      typeof comparison === 'string'
        ? null
        : [...before, ...shared.map((_, at) => mediansOf(similar.flatMap(({ byDay }) => byDay[at] ?? [])))],
    firstInquiryDays: set.firstInquiryDays,
  };
}

/**
 * Totals of the last days of those of the given listings that are the seller's own, and what is usual for similar ones, by id: at
 * most a page of My Properties, in two queries.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function listingTotals(
  ctx: Ctx,
  { propertyIds }: { propertyIds: readonly string[] },
): Promise<Record<string, ListingTotals>> {
  const { agentId } = authorizedSeller(ctx, maySeeStatistics);
  return Object.fromEntries(await totalsOf(ctx, agentId, propertyIds));
}

/**
 * The statistics of all of the seller's listings together; the newest on the market are compared with similar ones.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function ownStatistics(ctx: Ctx): Promise<OwnStatistics> {
  const { agentId } = authorizedSeller(ctx, maySeeStatistics);
  const days = coveredDays(ctx.now());
  const [counted, onMarket] = await Promise.all([
    sql<DayCounts>`select d.day::text as day, ${sums}
      from properties p join ${dailyCounts} d on d.property_id = p.id
      where p.agent_id = ${agentId} and p.deleted_at is null and d.day >= ${days[0]}::date
      group by d.day`.execute(ctx.db.q()),
    ctx.db
      .q()
      .selectFrom('properties')
      .select('id')
      .where('agent_id', '=', agentId)
      .where('is_public', '=', true)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(MOST_COMPARED)
      .execute(),
  ]);
  const totals = await totalsOf(
    ctx,
    agentId,
    onMarket.map(({ id }) => id),
  );
  const compared = [...totals.values()].flatMap(({ counts, comparison }) =>
    typeof comparison === 'string' ? [] : [{ counts, usual: comparison.counts }],
  );
  const all = withoutGaps(days, counted.rows);
  return {
    days: all,
    counts: total(all),
    compared: {
      listings: compared.length,
      above: eachMetric(
        (metric) => compared.filter(({ counts, usual }) => counts[metric] > usual[metric]).length,
      ),
    },
  };
}

interface ListingRow {
  id: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  type: string;
  status: PropertyStatus;
  picture: ListingPicture | null;
  views: number;
}

async function ownListingFacts(
  ctx: Ctx,
  agentId: string,
  propertyId: string,
): Promise<ListingStatistics['listing'] | null> {
  const { rows } = await sql<ListingRow>`
    select p.id, p.address, p.city, p.state, p.zip, coalesce(t.name, 'Residential') as type, p.status, p.views,
      ${mainPicture('p')} as picture
    from properties p left join property_types t on t.id = p.type_id
    where p.id = ${propertyId} and p.agent_id = ${agentId} and p.deleted_at is null`.execute(ctx.db.q());
  const [row] = rows;
  if (!row) return null;
  const { city, state, zip, ...facts } = row;
  return { ...facts, town: townLine({ city, state, zip }) };
}

async function countsByDay(
  ctx: Ctx,
  propertyIds: readonly string[],
  since: string,
): Promise<Map<string, DayCounts[]>> {
  const { rows } = await sql<DayCounts & { property_id: string }>`
    select d.property_id, d.day::text as day, ${sums} from ${dailyCounts} d
    where d.property_id = any(${[...propertyIds]}::uuid[]) and d.day >= ${since}::date
    group by d.property_id, d.day`.execute(ctx.db.q());
  const found = new Map<string, DayCounts[]>();
  for (const { property_id, ...row } of rows) {
    const listing = found.get(property_id);
    if (listing) listing.push(row);
    else found.set(property_id, [row]);
  }
  return found;
}

async function totalsOf(
  ctx: Ctx,
  agentId: string,
  propertyIds: readonly string[],
): Promise<Map<string, ListingTotals>> {
  const wanted = propertyIds.filter(isUuid).slice(0, MOST_COMPARED);
  if (wanted.length === 0) return new Map();
  const sets = await similarSets(ctx, { agentId, propertyIds: wanted });
  const [first = dayOf(ctx.now())] = coveredDays(ctx.now());
  const asked = sets.flatMap(({ id, since, similar }) => [
    { subject: id, id, since: first },
    ...similar.map((one) => ({ subject: id, id: one.id, since })),
  ]);
  const { rows } = await sql<Counts & { subject: string; id: string }>`
    select asked.subject, asked.id, ${sums}
    from unnest(${asked.map((one) => one.subject)}::uuid[], ${asked.map((one) => one.id)}::uuid[],
        ${asked.map((one) => one.since)}::date[]) as asked (subject, id, since)
      left join lateral (select * from ${dailyCounts} d
        where d.property_id = asked.id and d.day >= asked.since) d on true
    group by asked.subject, asked.id`.execute(ctx.db.q());
  const found = new Map(rows.map(({ subject, id, ...counts }) => [`${subject} ${id}`, counts]));
  const none: Counts = { views: 0, watches: 0, inquiries: 0 };
  const countsOf = (subject: string, id: string) => found.get(`${subject} ${id}`) ?? none;
  return new Map(
    sets.map((set) => {
      const similar = set.similar.map(({ id, firstInquiryDays }) => ({
        counts: countsOf(set.id, id),
        firstInquiryDays,
      }));
      return [set.id, { counts: countsOf(set.id, set.id), comparison: comparisonOf(set, similar) }];
    }),
  );
}

const comparisonOf = ({ onMarket, place }: SimilarSet, similar: readonly SimilarListing[]): Comparison =>
  onMarket ? compare(similar, place) : 'off_market';
