/** Months are written 'YYYY-MM', are those of UTC, and of this century: there was no sale before. */
const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

export const isMonth = (text: string): boolean => MONTH.test(text);

export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** A month as the database keeps it. */
export const firstDay = (month: string): string => `${month}-01`;

/** The first moment of a month. */
export const monthStart = (month: string): Date => new Date(`${firstDay(month)}T00:00:00Z`);

export function nextMonth(month: string): string {
  const start = monthStart(month);
  return monthOf(new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)));
}

export function previousMonth(month: string): string {
  return monthOf(new Date(monthStart(month).getTime() - 1));
}

/** The first moment after a month. */
export const monthEnd = (month: string): Date => monthStart(nextMonth(month));

/** 'October 2026'. */
export const monthName = (month: string): string =>
  monthStart(month).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/**
 * Whose statement an entry stands on: that of its month, or, when this one is closed because the entry was committed later than
 * others of its time, the next one.
 */
export function statementMonth(at: Date, lastClosed: string | null): string {
  const own = monthOf(at);
  return lastClosed !== null && own <= lastClosed ? nextMonth(lastClosed) : own;
}
