import { sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import { mainPicture } from '#features/listings/sql.ts';
import { authorizedSeller } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { countsByDay, countsOfSeller, countsSince, firstInquiryDays } from './daily.ts';
import {
  type Comparison,
  type Counts,
  type ListingStatistics,
  type ListingTotals,
  MOST_SUMMED,
  type OwnStatistics,
} from './model.ts';
import {
  compare,
  coveredDays,
  eachMetric,
  maySeeStatistics,
  medianDays,
  mediansOf,
  total,
  withoutGaps,
} from './rules.ts';
import { type SimilarSet, similarSets } from './similar.ts';

/** How many listings are compared at a time: a page of My Properties. */
const MOST_COMPARED = 25;
/** How many of a seller's newest listings on the market the dashboard compares. */
const COMPARED_TOGETHER = 10;

/**
 * The statistics of one of the seller's own listings.
 * @throws Unauthenticated, Forbidden for everyone but sellers; NotFound for any other listing, so that ids cannot be probed
 */
export async function listingStatistics(
  ctx: Ctx,
  { propertyId }: { propertyId: string },
): Promise<ListingStatistics> {
  const { agentId } = authorizedSeller(ctx, maySeeStatistics);
  const [set] = isUuid(propertyId) ? await similarSets(ctx, { agentId, propertyIds: [propertyId] }) : [];
  if (!set) throw new NotFound('Property not found');
  const days = coveredDays(ctx.now());
  const ids = [set.id, ...set.similarIds];
  const [listing, counted, inquired] = await Promise.all([
    listingFacts(ctx, set.id),
    countsByDay(ctx, ids, days[0] ?? ''),
    firstInquiryDays(ctx, ids),
  ]);
  const own = withoutGaps(days, counted.get(set.id) ?? []);
  const shared = days.filter((day) => day >= set.since);
  const similar = set.similarIds.map((id) => withoutGaps(shared, counted.get(id) ?? []));
  const comparison = comparisonOf(set, similar.map(total));
  const isCompared = typeof comparison !== 'string';
  const before = Array<null>(days.length - shared.length).fill(null);
  const usualDays = shared.map((_, at) => mediansOf(similar.flatMap((listing) => listing[at] ?? [])));
  const daysOf = (id: string) => inquired.get(id) ?? null;
  return {
    listing,
    days: own,
    counts: total(own),
    comparison,
    usualDays: isCompared ? [...before, ...usualDays] : null,
    firstInquiryDays: {
      own: daysOf(set.id),
      usual: isCompared ? medianDays(set.similarIds.map(daysOf)) : null,
    },
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
 * The statistics of the seller's listings together; the newest on the market are compared with similar ones.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function ownStatistics(ctx: Ctx): Promise<OwnStatistics> {
  const { agentId } = authorizedSeller(ctx, maySeeStatistics);
  const days = coveredDays(ctx.now());
  const [counted, more, onMarket] = await Promise.all([
    countsOfSeller(ctx, agentId, days[0] ?? ''),
    ctx.db
      .q()
      .selectFrom('properties')
      .select('id')
      .where('agent_id', '=', agentId)
      .where('deleted_at', 'is', null)
      .limit(1)
      .offset(MOST_SUMMED)
      .execute(),
    ctx.db
      .q()
      .selectFrom('properties')
      .select('id')
      .where('agent_id', '=', agentId)
      .where('is_public', '=', true)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(COMPARED_TOGETHER)
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
  const all = withoutGaps(days, counted);
  return {
    days: all,
    counts: total(all),
    isPart: more.length > 0,
    compared: {
      listings: compared.length,
      above: eachMetric(
        (metric) => compared.filter(({ counts, usual }) => counts[metric] > usual[metric]).length,
      ),
    },
  };
}

/** What is shown of a listing that is known to be the seller's own. */
async function listingFacts(ctx: Ctx, id: string): Promise<ListingStatistics['listing']> {
  const { city, state, zip, ...facts } = await ctx.db
    .q()
    .selectFrom('properties as p')
    .leftJoin('property_types as t', 't.id', 'p.type_id')
    .select(['p.id', 'p.address', 'p.city', 'p.state', 'p.zip', 'p.status', 'p.views'])
    .select((row) => row.fn.coalesce('t.name', sql.lit('Residential')).as('type'))
    .select(mainPicture('p').as('picture'))
    .where('p.id', '=', id)
    .executeTakeFirstOrThrow();
  return { ...facts, town: townLine({ city, state, zip }) };
}

async function totalsOf(
  ctx: Ctx,
  agentId: string,
  propertyIds: readonly string[],
): Promise<Map<string, ListingTotals>> {
  const wanted = propertyIds.filter(isUuid).slice(0, MOST_COMPARED);
  const sets = wanted.length > 0 ? await similarSets(ctx, { agentId, propertyIds: wanted }) : [];
  if (sets.length === 0) return new Map();
  const [first = ''] = coveredDays(ctx.now());
  const counts = await countsSince(
    ctx,
    sets.flatMap(({ id, since, similarIds }) => [
      { id, since: first },
      ...similarIds.map((similarId) => ({ id: similarId, since })),
    ]),
  );
  const totals = new Map<string, ListingTotals>();
  let at = 0;
  for (const set of sets) {
    const [own, ...similar] = counts.slice(at, at + 1 + set.similarIds.length);
    at += 1 + set.similarIds.length;
    if (own) totals.set(set.id, { counts: own, comparison: comparisonOf(set, similar) });
  }
  return totals;
}

const comparisonOf = ({ onMarket, place }: SimilarSet, similar: readonly Counts[]): Comparison =>
  onMarket ? compare(similar, place) : 'off_market';
