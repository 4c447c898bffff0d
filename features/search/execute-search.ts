import type { Ctx } from '#platform/context.ts';
import { type FetchedPage, type FoundRow, fetchPage } from './fetch-page.ts';
import { type Cursor, EXACT_TOTAL, type NamedPlace, PAGE_SIZE, type SearchCriteria } from './model.ts';
import { extrapolateTotal, fallbackPlan, type Plan, planSearch, UNBOUNDED } from './plan.ts';
import type { SearchStatistics } from './search-statistics.ts';
import { type Filter, isImpossible, isUnsatisfiable, type Term } from './terms.ts';

/** A page of the list. */
export interface SearchResult {
  rows: FoundRow[];
  /** exact up to 1,000; with `capped` there are more */
  total: number;
  capped: boolean;
  /** the corrected search text; null if it was not corrected */
  correctedTo: string | null;
  /** the places of one name that the text may mean, when there are several; the results are of all of them */
  namesakes: readonly NamedPlace[];
  /** their name, in words */
  named: string;
  /** the page returned: the requested one, or the last one */
  page: number;
  /** number of pages; with `capped` at least this many */
  pageCount: number;
  /** where the next page begins; null on the last one */
  next: Cursor | null;
}

export interface Search {
  ctx: Ctx;
  statistics: SearchStatistics;
  criteria: SearchCriteria;
  filter: Filter;
}

export const emptyResult: SearchResult = {
  rows: [],
  total: 0,
  capped: false,
  correctedTo: null,
  namesakes: [],
  named: '',
  page: 1,
  pageCount: 0,
  next: null,
};

/** The requested page of listings that match all terms and the filter, or the last page if it is past the end. */
export async function executeSearch(
  search: Search,
  terms: readonly Term[],
  requestedPage = search.criteria.page,
): Promise<SearchResult> {
  const { ctx, criteria, statistics, filter } = search;
  if (terms.some(isImpossible) || isUnsatisfiable(filter)) return emptyResult;
  const first = (requestedPage - 1) * PAGE_SIZE;
  const page = { sort: criteria.sort, first, follows: criteria.after !== null, now: ctx.now() };
  const plan = planSearch(statistics, filter, terms, page);
  const answer =
    (await executePlan(search, plan, requestedPage)) ??
    (await executePlan(search, fallbackPlan(statistics, filter, terms), requestedPage));
  if (!answer || answer.total === 0) return emptyResult;
  if (answer.rows.length === 0 && !criteria.after)
    return executeSearch(search, terms, Math.min(answer.pageCount, requestedPage - 1));
  return answer;
}

/** Executes a plan; null when its estimates were too wrong to give the answer. */
async function executePlan(search: Search, plan: Plan, requestedPage: number): Promise<SearchResult | null> {
  const { ctx, filter, criteria } = search;
  const { after } = criteria;
  const page = plan.way === 'walk' && !after ? Math.min(requestedPage, plan.deepestPage) : requestedPage;
  const first = (page - 1) * PAGE_SIZE;
  const fetched = await fetchPage(ctx, plan, filter, criteria.sort, after ? 0 : first, after);
  const share = plan.way === 'walk' && plan.count.by === 'share' ? plan.count.share : 1;
  const counted = extrapolateTotal(fetched.counted, share);
  if (!counted) return null;
  const exact = isExact(plan, counted.capped);
  const incomplete = after
    ? endedEarly(plan, fetched)
    : plan.way === 'walk' && gaveUp(plan.bound, exact, fetched, first);
  if (incomplete) return null;
  // The first part of the list is enough when it fills the page and proves that there are more than 1,000 hits.
  if (plan.way === 'match' && !exact && !(counted.capped && fetched.counted > first + PAGE_SIZE)) return null;
  const total = Math.max(counted.total, fetched.rows.length);
  const atLeast = Math.max(EXACT_TOTAL + 1, first + PAGE_SIZE + (fetched.more ? 1 : 0));
  const pages = Math.ceil((exact ? fetched.counted : atLeast) / PAGE_SIZE);
  return {
    rows: fetched.rows,
    total,
    capped: counted.capped,
    correctedTo: null,
    namesakes: [],
    named: '',
    // The index query returns its last page when the requested one is past the end.
    page: exact && !after ? Math.min(page, Math.max(1, pages)) : page,
    pageCount: plan.way === 'walk' ? Math.min(pages, plan.deepestPage) : pages,
    next: fetched.more ? cursorOf(fetched.rows.at(-1)) : null,
  };
}

const cursorOf = (row: FoundRow | undefined): Cursor | null =>
  row ? { key: row.sort_key, id: row.id } : null;

/** After a listing, only a walk without a bound or all hits show that nothing more follows. */
const endedEarly = (plan: Plan, { more, counted }: FetchedPage): boolean =>
  !more &&
  (plan.way === 'walk' ? plan.bound !== UNBOUNDED || counted <= plan.minCount : plan.nearest !== null);

/** Whether the count is the number of all hits. */
function isExact(plan: Plan, capped: boolean): boolean {
  if (plan.way === 'match') return plan.nearest === null;
  return !capped || (plan.count.by === 'share' && plan.count.share >= 1);
}

/** An incomplete page is correct only if it contains the last hits. */
function gaveUp(bound: number, exact: boolean, { rows, more, counted }: FetchedPage, first: number): boolean {
  if (more) return false;
  if (exact) return first + rows.length < counted;
  return bound !== UNBOUNDED || rows.length === 0;
}
