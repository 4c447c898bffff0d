import { refreshSearchStatistics } from '#features/search/commands/refresh-search-statistics.ts';
import type { SearchCriteria } from '#features/search/model.ts';
import { mapMarkers, relaxedListings, searchListings, suggest } from '#features/search/reads.ts';
import { parseCriteria } from '#features/search/rules.ts';
import { similarListings } from '#features/similar-listings/reads.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { openListingDatabase } from '../data/listing-database.ts';
import {
  type Condition,
  type Corpus,
  conditions,
  promisedMix,
  sampleCorpus,
  searchQueries,
  type TermClass,
  termClasses,
} from '../data/search-queries.ts';
import { type Clock, clockFor } from '../support/clock.ts';
import type { SuiteReport } from '../support/suite-report.ts';
import { milliseconds, table, timings } from '../support/timings.ts';

const SIZES = (process.env.BENCH_SIZES ?? '10000,100000,1000000').split(',').map(Number);
const EACH = Number(process.env.BENCH_EACH ?? 60);
const WARM_UP = 12;
const NAIVE_TERMS = Number(process.env.BENCH_NAIVE ?? 10);
const VERBOSE = process.env.BENCH_VERBOSE === '1';

interface Sample {
  kind: TermClass;
  condition: Condition;
  duration: number;
  criteria: SearchCriteria;
}
interface Measured {
  size: number;
  searches: Sample[];
  suggestions: number[];
  /** searches that find nothing, with those that ask for less */
  relaxed: number[];
  similar: number[];
  markers: { country: number[]; around: number[] };
  naive: number[];
  bySearch: number[];
}

/**
 * The public search with three numbers of listings (R11): p95 of the promised mix under 15 ms, no class above 50 ms
 * (its p99; single outliers are shown as max), at least 30 times faster than plain ILIKE with its count.
 */
export async function searchSuite(serverUrl: string): Promise<SuiteReport> {
  const results: Measured[] = [];
  for (const size of SIZES) {
    const database = await openListingDatabase(serverUrl, size);
    try {
      results.push(await measure(database, size));
    } finally {
      await database.close();
    }
  }
  return report(results);
}

async function measure(database: Database, size: number): Promise<Measured> {
  const ctx = testContext(database);
  await refreshSearchStatistics({ ...ctx, actor: { kind: 'system', name: 'bench' } });
  const corpus = await sampleCorpus(database);
  const timed = await clockFor(database);
  await measureSearches(ctx, corpus, timed, WARM_UP);
  const searches = await measureSearches(ctx, corpus, timed, EACH);
  const suggestions: number[] = [];
  for (const kind of ['prefix', 'address', 'two words'] as const) {
    for (const { text } of searchQueries(corpus, kind, 'plain', EACH)) {
      suggestions.push(
        await timed(() => suggest(ctx, text.slice(0, 2 + Math.floor(Math.random() * text.length)))),
      );
    }
  }
  const relaxed: number[] = [];
  for (const params of fruitless(corpus, EACH))
    relaxed.push(
      await timed(async () => {
        const { total } = await searchListings(ctx, parseCriteria(params, []));
        if (total === 0) await relaxedListings(ctx, params, []);
      }),
    );
  const similar: number[] = [];
  for (const { id } of corpus.listings.slice(0, EACH * 4))
    similar.push(await timed(() => similarListings(ctx, id)));
  const country = { south: 24.4, west: -125, north: 49.5, east: -66.9 };
  const markers = { country: [] as number[], around: [] as number[] };
  for (const kind of ['no words', ...promisedMix] as const) {
    for (const condition of conditions) {
      for (const criteria of searchQueries(corpus, kind, condition, Math.ceil(EACH / 4))) {
        const requested = { ...criteria, bbox: criteria.bbox ?? country };
        const duration = await timed(() => mapMarkers(ctx, requested, 8));
        (criteria.bbox ? markers.around : markers.country).push(duration);
      }
    }
  }
  return {
    size,
    searches,
    suggestions,
    relaxed,
    similar,
    markers,
    ...(await compareWithIlike(ctx, corpus, timed)),
  };
}

/** Addresses with a word that nobody wrote or a unit that is not there, and places with filters that nothing there meets. */
function fruitless(corpus: Corpus, count: number): URLSearchParams[] {
  const absent = searchQueries(corpus, 'absent', 'plain', count);
  return searchQueries(corpus, 'two words', 'plain', count).map(({ text }, n) => {
    const { address = '', city = '' } = corpus.listings[n % corpus.listings.length] ?? {};
    const queries: Record<string, string>[] = [
      { q: `${address} Unit 99999, ${city}` },
      { q: `${text} ${absent[n]?.text}` },
      { q: city, min: '900000000', beds: '9' },
    ];
    return new URLSearchParams(queries[n % queries.length]);
  });
}

async function measureSearches(ctx: Ctx, corpus: Corpus, timed: Clock, each: number): Promise<Sample[]> {
  const requested = termClasses.flatMap((kind) =>
    conditions.flatMap((condition) =>
      searchQueries(corpus, kind, condition, each).map((criteria) => ({ kind, condition, criteria })),
    ),
  );
  // Shuffled, so that no class benefits from its neighbours' caching.
  const samples: Sample[] = [];
  for (const one of requested.sort(() => Math.random() - 0.5)) {
    samples.push({ ...one, duration: await timed(() => searchListings(ctx, one.criteria)) });
  }
  return samples;
}

/** Times plain ILIKE over address, description and type, with page and count, against the search for the same words. */
async function compareWithIlike(ctx: Ctx, corpus: Corpus, timed: Clock) {
  const naive: number[] = [];
  const bySearch: number[] = [];
  const texts = promisedMix.flatMap((kind) =>
    searchQueries(corpus, kind, 'plain', Math.ceil(NAIVE_TERMS / 5)),
  );
  for (const criteria of texts) {
    const where = `from properties p left join property_types t on t.id = p.type_id
      where p.is_public and (p.address ilike $1 or p.description ilike $1 or t.name ilike $1)`;
    const pattern = [`%${criteria.text}%`];
    naive.push(
      await timed(async () => {
        await ctx.db.pool.query(`select p.* ${where} order by p.created_at desc, p.id limit 24`, pattern);
        await ctx.db.pool.query(`select count(*) ${where}`, pattern);
      }),
    );
    bySearch.push(await timed(() => searchListings(ctx, { ...criteria, sort: 'newest', page: 1 })));
  }
  return { naive, bySearch };
}

function report(results: readonly Measured[]): SuiteReport {
  const largest = results.at(-1);
  if (!largest) throw new Error('Nothing was measured');
  const missed: string[] = [];
  const must = (holds: boolean, sentence: string) => holds || missed.push(sentence);
  const inMix = (one: Measured) =>
    timings(one.searches.filter(({ kind }) => promisedMix.includes(kind)).map(({ duration }) => duration));
  const row = (name: string, durations: readonly number[]) => {
    const { count, p50, p95, p99, max } = timings(durations);
    return [name, String(count), ...[p50, p95, p99, max].map(milliseconds)];
  };
  const rows: string[][] = [];
  for (const kind of termClasses) {
    const own = largest.searches.filter((one) => one.kind === kind);
    rows.push(
      row(
        kind,
        own.map(({ duration }) => duration),
      ),
    );
    const { p99 } = timings(own.map(({ duration }) => duration));
    must(p99 < 50, `search, ${kind}: p99 is not under 50 ms`);
  }
  for (const condition of conditions) {
    rows.push(
      row(
        condition,
        largest.searches.filter((one) => one.condition === condition).map((s) => s.duration),
      ),
    );
  }
  const mix = inMix(largest);
  rows.push([
    '**the promised mix**',
    String(mix.count),
    ...[mix.p50, mix.p95, mix.p99, mix.max].map(milliseconds),
  ]);
  rows.push(row('suggestions', largest.suggestions));
  rows.push(row('nothing found', largest.relaxed));
  must(timings(largest.relaxed).p99 < 50, 'search, nothing found: p99 is not under 50 ms');
  rows.push(row('similar homes', largest.similar));
  must(timings(largest.similar).p99 < 20, 'similar homes: p99 is not under 20 ms');
  rows.push(row('map of the country', largest.markers.country));
  rows.push(row('map of a part', largest.markers.around));
  must(mix.p95 < 15, `search: p95 of the mix is ${milliseconds(mix.p95)} ms, promised under 15`);
  must(timings(largest.suggestions).p95 < 10, 'suggestions: p95 is not under 10 ms');
  const growth = results.map((one) => {
    const [own, plain, same] = [inMix(one), timings(one.naive), timings(one.bySearch)];
    const factor = Math.round(plain.mean / same.mean);
    if (one === largest) must(factor >= 30, `search is ${factor} times faster than ILIKE, promised 30`);
    const figures = [own.p50, own.p95, own.p99, plain.p50, plain.mean].map(milliseconds);
    return [one.size.toLocaleString('en-US'), ...figures, `${factor} ×`];
  });
  const head = ['milliseconds', 'n', 'p50', 'p95', 'p99', 'max'];
  const growthHead = ['listings', 'p50', 'p95', 'p99', 'ILIKE p50', 'ILIKE mean', 'faster'];
  const text = [
    `At ${largest.size.toLocaleString('en-US')} listings:`,
    '',
    table(head, rows),
    '',
    table(growthHead, growth),
  ];
  if (VERBOSE) text.push('', slowest(largest));
  return { title: 'Search', text: text.join('\n'), missed };
}

const slowest = ({ searches }: Measured): string =>
  searches
    .toSorted((a, b) => b.duration - a.duration)
    .slice(0, 40)
    .map(({ kind, duration, criteria }) => `${duration.toFixed(1)} ${kind} ${JSON.stringify(criteria)}`)
    .join('\n');
