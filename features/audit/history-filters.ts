import { cutText } from '#platform/cut-text.ts';

/** Who, when nobody with an account did it. */
export const SYSTEM = 'system';

/** What of the history is shown; an empty text is no condition. */
export interface HistoryFilters {
  /** email address of an account, or `SYSTEM` */
  who: string;
  /** an action, as in the audit log */
  action: string;
  /** a kind of record, as in the audit log */
  record: string;
  /** one record of that kind */
  recordId: string;
  /** first and last day, both included, as YYYY-MM-DD, UTC */
  from: string;
  to: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const day = (text: string): string => (DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : '');

/** The filters as a URL has them; what cannot be a value is ignored. */
export function historyFiltersFrom(params: URLSearchParams): HistoryFilters {
  // A database cannot compare with NUL.
  const text = (name: string) => cutText((params.get(name) ?? '').replaceAll('\0', '').trim(), 200);
  return {
    who: text('who'),
    action: text('action'),
    record: text('record'),
    recordId: text('id'),
    from: day(text('from')),
    to: day(text('to')),
  };
}

/** The same as URL parameters. */
export const historyQuery = ({ who, action, record, recordId, from, to }: HistoryFilters) => ({
  who: who || undefined,
  action: action || undefined,
  record: record || undefined,
  id: recordId || undefined,
  from: from || undefined,
  to: to || undefined,
});
