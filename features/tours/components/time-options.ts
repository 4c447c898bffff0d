import { minuteLabel } from '../wall-clock.ts';

/** The full and half hours of a day as choices, in minutes after midnight; the day ends at 1440, midnight. */
export const timeOptions = (from: number, to: number): { value: string; label: string }[] =>
  Array.from({ length: (to - from) / 30 + 1 }, (_, at) => from + at * 30).map((minutes) => ({
    value: String(minutes),
    label: minutes === 1440 ? 'Midnight' : minuteLabel(minutes),
  }));
