import { isTimeZone } from '#features/notifications/rules.ts';
import { cutText } from '#platform/cut-text.ts';
import { pageSizeFrom } from '#ui/page-sizes.ts';
import {
  type FileFormat,
  listStatuses,
  paidByKinds,
  saleModes,
  type TransactionFilters,
  type TransactionQuery,
  transactionSorts,
} from './model.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MAX_PAGE = 1_000_000;

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | null =>
  values.find((value) => value === text) ?? null;

/** A day that the calendar does not have, such as February 30, is none. */
function dayFrom(text: string | null): string {
  const at = Date.parse(text && DAY.test(text) ? text : '');
  return text && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? text : '';
}

/** Empty for what is no time zone. */
const zoneFrom = (text: string | null): string => (text && isTimeZone(text) ? text : '');

/** What the URL says; what cannot be a value is ignored. */
export function transactionQueryFrom(params: URLSearchParams): TransactionQuery {
  // A database cannot compare with NUL.
  const text = (name: string) => cutText((params.get(name) ?? '').replaceAll('\0', ' ').trim(), 200);
  const order = params.get('sort') ?? '';
  const by = oneOf(transactionSorts, order.replace(/^-/, ''));
  const page = Number(params.get('page') ?? 1);
  return {
    q: text('q'),
    from: dayFrom(params.get('from')),
    to: dayFrom(params.get('to')),
    zone: zoneFrom(params.get('zone')),
    paid: params.get('paid') === '1',
    status: oneOf(listStatuses, params.get('status')),
    method: oneOf(paidByKinds, params.get('method')),
    seller: text('seller'),
    buyer: text('buyer'),
    mode: oneOf(saleModes, params.get('mode')),
    sort: by && { by, descending: order.startsWith('-') },
    page: Number.isSafeInteger(page) && page > 0 ? Math.min(page, MAX_PAGE) : 1,
    size: pageSizeFrom(params.get('size')),
  };
}

/** The filters as parameters of a URL. */
const filterParams = ({
  q,
  from,
  to,
  zone,
  paid,
  status,
  method,
  seller,
  buyer,
  mode,
}: TransactionFilters) => ({
  q: q || undefined,
  from: from || undefined,
  to: to || undefined,
  zone: (from || to) && zone ? zone : undefined,
  paid: paid ? 1 : undefined,
  status: status ?? undefined,
  method: method ?? undefined,
  seller: seller || undefined,
  buyer: buyer || undefined,
  mode: mode ?? undefined,
});

/** Filters and order as parameters of a URL, without the page: another order or filter starts at the first one. */
export const listParams = (query: Omit<TransactionQuery, 'page' | 'size'> & { size?: number | null }) => ({
  ...filterParams(query),
  sort: query.sort ? `${query.sort.descending ? '-' : ''}${query.sort.by}` : undefined,
  size: query.size ?? undefined,
});

/** The `do` by which a URL asks whether a file that is too long to wait for is to be written in the background. */
export const prepareDialog = (format: FileFormat) => `prepare_${format}`;

export const isNarrowed = (filters: TransactionFilters): boolean =>
  Object.values(filterParams(filters)).some((value) => value !== undefined);
