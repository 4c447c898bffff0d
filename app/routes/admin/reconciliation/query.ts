import { type BreakAction, breakActions } from '#features/reconciliation/break-actions.ts';
import type { BreakKind } from '#features/reconciliation/model.ts';
import { breakKinds } from '#features/reconciliation/rules.ts';
import type { AdminListQuery } from '#routing/admin-paths.ts';

const tabs = ['breaks', 'disputes', 'runs', 'balances'] as const;
const states = ['open', 'resolved', 'all'] as const;
/** Ages to choose from, in days. */
export const ages = [1, 7, 30] as const;

const oneOf = <T extends string>(values: readonly T[], text: string | null): T | null =>
  values.find((value) => value === text) ?? null;

/** The page as its URL says; what is unknown is ignored. */
export function parseReconciliationQuery(params: URLSearchParams) {
  const page = Number(params.get('page'));
  return {
    tab: oneOf(tabs, params.get('tab')) ?? 'breaks',
    state: oneOf(states, params.get('state')) ?? 'open',
    kind: oneOf(Object.keys(breakKinds) as BreakKind[], params.get('kind')),
    age: ages.find((days) => String(days) === params.get('age')) ?? null,
    before: params.get('before'),
    page: Number.isSafeInteger(page) && page > 1 ? Math.min(page, 1000) : 1,
    details: params.get('details'),
    action: oneOf<BreakAction>(breakActions, params.get('do')),
  };
}

export type ReconciliationQuery = ReturnType<typeof parseReconciliationQuery>;

/** The URL parameters of the list, without drawer and dialog. */
export const toReconciliationQuery = (query: ReconciliationQuery): AdminListQuery => ({
  tab: query.tab === 'breaks' ? undefined : query.tab,
  state: query.state === 'open' ? undefined : query.state,
  kind: query.kind ?? undefined,
  age: query.age ?? undefined,
  before: query.before ?? undefined,
  page: query.page > 1 ? query.page : undefined,
});
