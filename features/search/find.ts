import type { Ctx } from '#platform/context.ts';
import type { Market } from './market.ts';
import { EXACT_TOTAL, PAGE_SIZE, type SearchCriteria } from './model.ts';
import { type FetchedPage, type FoundRow, fetchPage } from './pages.ts';
import { type Plan, planSearch, planSurely, totalFrom, UNBOUNDED } from './plan.ts';
import { type Filter, isClosed, isImpossible, type Term } from './terms.ts';

/** A page of the list. */
export interface SearchResult {
  rows: FoundRow[];
  /** exact up to 1,000; with `capped` there are more */
  total: number;
  capped: boolean;
  /** the words that were searched instead of the typed ones; null when those were found */
  correctedTo: string | null;
  /** the page shown: the asked one, or the last one there is */
  page: number;
  /** pages that can be asked for; with `capped` at least so many */
  pageCount: number;
}

export interface Search {
  ctx: Ctx;
  market: Market;
  criteria: SearchCriteria;
  filter: Filter;
}

export const nothing: SearchResult = {
  rows: [],
  total: 0,
  capped: false,
  correctedTo: null,
  page: 1,
  pageCount: 0,
};

/** The page of the listings that have all terms and pass the filter; the last page when the asked one is behind it. */
export async function find(
  search: Search,
  terms: readonly Term[],
  asked = search.criteria.page,
): Promise<SearchResult> {
  const { ctx, criteria, market, filter } = search;
  if (terms.some(isImpossible) || isClosed(filter)) return nothing;
  const page = { sort: criteria.sort, first: (asked - 1) * PAGE_SIZE, now: ctx.now() };
  const likely = planSearch(market, filter, terms, page);
  const answer =
    (await follow(search, likely, asked)) ?? (await follow(search, planSurely(market, filter, terms), asked));
  if (!answer || answer.total === 0) return nothing;
  if (answer.rows.length === 0) return find(search, terms, Math.min(answer.pageCount, asked - 1));
  return answer;
}

/** Null when the plan's estimates were too wrong for it to give the answer. */
async function follow(search: Search, plan: Plan, asked: number): Promise<SearchResult | null> {
  const { ctx, filter, criteria } = search;
  const page = plan.way === 'walk' ? Math.min(asked, plan.deepestPage) : asked;
  const first = (page - 1) * PAGE_SIZE;
  const fetched = await fetchPage(ctx.db.replica(), plan, filter, criteria.sort, first);
  const share = plan.way === 'walk' && plan.count.by === 'share' ? plan.count.share : 1;
  const counted = totalFrom(fetched.counted, share);
  if (!counted) return null;
  const exact = isExact(plan, counted.capped);
  if (plan.way === 'walk' && gaveUp(plan.bound, exact, fetched, first)) return null;
  // The front part of the list is enough when it fills the page and shows that there are more than 1,000.
  if (plan.way === 'match' && !exact && !(counted.capped && fetched.counted > first + PAGE_SIZE)) return null;
  const total = Math.max(counted.total, fetched.rows.length);
  const atLeast = Math.max(EXACT_TOTAL + 1, first + PAGE_SIZE + (fetched.more ? 1 : 0));
  const pages = Math.ceil((exact ? fetched.counted : atLeast) / PAGE_SIZE);
  return {
    rows: fetched.rows,
    total,
    capped: counted.capped,
    correctedTo: null,
    // The inverted index answers with its last page when the asked one is behind it.
    page: exact ? Math.min(page, Math.max(1, pages)) : page,
    pageCount: plan.way === 'walk' ? Math.min(pages, plan.deepestPage) : pages,
  };
}

/** Whether what was counted is the number of all hits. */
function isExact(plan: Plan, capped: boolean): boolean {
  if (plan.way === 'match') return plan.nearest === null;
  return !capped || (plan.count.by === 'share' && plan.count.share >= 1);
}

/** A page that is not full is right only if it holds the last hits. */
function gaveUp(bound: number, exact: boolean, { rows, more, counted }: FetchedPage, first: number): boolean {
  if (more) return false;
  if (exact) return first + rows.length < counted;
  return bound !== UNBOUNDED || rows.length === 0;
}
