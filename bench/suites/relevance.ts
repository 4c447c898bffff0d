import { propertyTypes } from '#features/listings/reads.ts';
import { refreshSearchStatistics } from '#features/search/commands/refresh-search-statistics.ts';
import { readSearchText, relaxedListings, searchListings } from '#features/search/reads.ts';
import { parseCriteria } from '#features/search/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { openListingDatabase } from '../data/listing-database.ts';
import { type Home, home, relevanceMarket } from '../relevance/market.ts';
import { type Kind, type Query, queriesFor } from '../relevance/queries.ts';
import type { SuiteReport } from '../support/suite-report.ts';
import { table } from '../support/timings.ts';

const SIZE = Number(process.env.BENCH_HOMES ?? 200_000);
const QUERIES = Number(process.env.BENCH_QUERIES ?? 2_000);
const VERBOSE = process.env.BENCH_VERBOSE === '1';
const PROMISED: Record<Kind, number> = { address: 0.98, place: 0.95, intent: 0.95 };

interface Judged {
  query: Query;
  /** the target on the first page (1 or 0), or the share of it that fits */
  score: number;
  /** something fits, but neither the list nor the search that asks for less shows anything */
  unanswered: boolean;
  shown: number;
}

/**
 * Whether people find what they type, on a generated market: the home whose address is typed on the first page in at least 98 % of
 * queries, a first page of which at least 95 % is in the place named and meets what was asked for, and no query without an answer.
 */
export async function relevanceSuite(serverUrl: string): Promise<SuiteReport> {
  const homes = Array.from({ length: SIZE }, (_, number) => home(number));
  const byId = new Map(homes.map((one) => [one.id, one]));
  const database = await openListingDatabase(serverUrl, SIZE, relevanceMarket);
  try {
    const ctx = testContext(database);
    await refreshSearchStatistics({ ...ctx, actor: { kind: 'system', name: 'bench' } });
    const judged: Judged[] = [];
    for (const query of queriesFor(homes, QUERIES)) judged.push(await judge(ctx, query, homes, byId));
    return report(judged);
  } finally {
    await database.close();
  }
}

async function judge(
  ctx: Ctx,
  query: Query,
  homes: readonly Home[],
  byId: ReadonlyMap<string, Home>,
): Promise<Judged> {
  const { wants } = query;
  const params = new URLSearchParams({ q: query.text });
  const types = await propertyTypes(ctx);
  const { rows, total } = await searchListings(
    ctx,
    parseCriteria(params, types, undefined, await readSearchText(ctx, params, types)),
  );
  const shown = rows.flatMap(({ id }) => byId.get(id) ?? []);
  const answered = total > 0 || (await relaxedListings(ctx, params, types)) !== null;
  if ('target' in wants) {
    const score = shown.some(({ id }) => id === wants.target) ? 1 : 0;
    return { query, score, unanswered: !answered, shown: total };
  }
  if (total > 0)
    return { query, score: shown.filter(wants.fits).length / shown.length, unanswered: false, shown: total };
  const exists = homes.some(wants.fits);
  return { query, score: exists ? 0 : 1, unanswered: exists && !answered, shown: 0 };
}

function report(judged: readonly Judged[]): SuiteReport {
  const missed: string[] = [];
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const mean = (list: readonly Judged[]) =>
    list.reduce((sum, { score }) => sum + score, 0) / Math.max(1, list.length);
  const rows = [...Map.groupBy(judged, ({ query }) => query.className)].map(([name, own]) => [
    name,
    own[0]?.query.kind ?? '',
    String(own.length),
    percent(mean(own)),
    own.find(({ score }) => score < 1)?.query.text ?? '',
  ]);
  for (const [kind, own] of Map.groupBy(judged, ({ query }) => query.kind)) {
    const score = mean(own);
    rows.push([`**${kind}, all**`, kind, String(own.length), percent(score), '']);
    if (score < PROMISED[kind])
      missed.push(`relevance, ${kind}: ${percent(score)}, promised at least ${percent(PROMISED[kind])}`);
  }
  for (const [name, kind, , score] of rows)
    if (kind === 'address' && Number.parseFloat(score ?? '') < 98)
      missed.push(`relevance, ${name}: ${score}, promised at least 98 % in every way of writing`);
  const unanswered = judged.filter((one) => one.unanswered);
  if (unanswered.length > 0)
    missed.push(
      `relevance: ${unanswered.length} queries without an answer, such as '${unanswered[0]?.query.text}'`,
    );
  const text = [
    `${judged.length.toLocaleString('en-US')} queries in ${rows.length - 3} classes, ${SIZE.toLocaleString('en-US')} listings:`,
    '',
    table(['class', 'kind', 'n', 'found', 'such as was missed'], rows),
  ];
  if (VERBOSE)
    text.push(
      '',
      ...judged
        .filter(({ score }) => score < 1)
        .map(({ query, score, shown }) => `${percent(score)} of ${shown}: ${query.className}: ${query.text}`),
    );
  return { title: 'Relevance of the search', text: text.join('\n'), missed };
}
