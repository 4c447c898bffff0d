import type { ListFilter } from './list.ts';
import type { FileFormat, TransactionOrder } from './model.ts';

/** What the audit log says of a file that was asked for. A search may be somebody's name, which stays out of the log. */
export const auditedRequest = (
  format: FileFormat,
  { q, from, to, zone, paid, status, method, mode, sellerId, buyer }: ListFilter,
  sort: TransactionOrder | null,
) => ({
  format,
  search: q === '' ? undefined : true,
  from: from || undefined,
  to: to || undefined,
  zone: zone || undefined,
  paid: paid || undefined,
  status: status ?? undefined,
  method: method ?? undefined,
  mode: mode ?? undefined,
  sellerId: sellerId ?? undefined,
  buyer: buyer || undefined,
  sort: sort ? `${sort.descending ? '-' : ''}${sort.by}` : undefined,
});
