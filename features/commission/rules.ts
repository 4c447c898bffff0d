import { hasRole } from '#platform/access.ts';
import { parseDecimal } from '#platform/typed-text.ts';
import type { Commission } from './model.ts';

export const mayManageCommission = hasRole('admin');

export const commissionMessages = {
  saved: 'Platform commission saved',
  planned: 'Change of the platform commission planned',
  dropped: 'Planned change dropped',
  failed: 'Failed to save platform commission.',
  loadFailed: 'The platform commission could not be loaded.',
  newer: 'This record was changed by someone else',
  percentMissing: 'Percent is required',
  percentWrong: 'Enter a percentage from 0 to 100 with at most three decimals',
  dayMissing: 'Choose a day',
  dayPast: 'Choose a day after today',
  dayFar: 'Choose a day within the next five years',
} as const;

/** The UTC day of a moment, as YYYY-MM-DD. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10);

/** What holds on a UTC day: a planned change whose day has come has replaced what was before. */
export function commissionOn({ percent, effectiveFrom, next }: Commission, day: string): Commission {
  if (next && next.from <= day) return { percent: next.percent, effectiveFrom: next.from, next: null };
  return { percent, effectiveFrom, next };
}

export interface TypedCommission {
  percent: string;
  /** `now`, or `day` with a day */
  when: string;
  day: string;
}

export type CommissionErrors = Partial<Record<'percent' | 'day', string>>;

type ParsedCommission =
  | { ok: true; percent: number; from: string | null }
  | { ok: false; errors: CommissionErrors };

const YEARS_AHEAD = 5;

/** A change as it was typed; `from` is null for at once. */
export function parseCommission(
  { percent: typed, when, day }: TypedCommission,
  today: string,
): ParsedCommission {
  const cell = parseDecimal(typed.trim().replace(/\s*%$/, ''), 0, 100, 3);
  const dayProblem = when === 'day' ? problemOf(day, today) : null;
  const errors: CommissionErrors = {
    ...('blank' in cell && { percent: commissionMessages.percentMissing }),
    ...('wrong' in cell && { percent: commissionMessages.percentWrong }),
    ...(dayProblem && { day: dayProblem }),
  };
  if (!('value' in cell) || dayProblem) return { ok: false, errors };
  return { ok: true, percent: cell.value, from: when === 'day' ? day : null };
}

function problemOf(day: string, today: string): string | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T00:00:00Z`) : null;
  if (!at || Number.isNaN(at.getTime()) || utcDay(at) !== day) return commissionMessages.dayMissing;
  if (day <= today) return commissionMessages.dayPast;
  const last = `${Number(today.slice(0, 4)) + YEARS_AHEAD}${today.slice(4)}`;
  return day > last ? commissionMessages.dayFar : null;
}

/** What an administrator has seen, for comparison with what holds when it is saved. */
export const commissionVersion = ({ percent, effectiveFrom, next }: Commission): string =>
  JSON.stringify([percent, effectiveFrom, next?.percent ?? null, next?.from ?? null]);
