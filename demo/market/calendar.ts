import { DAY } from '#platform/durations.ts';

/** Points in time relative to the last midnight UTC before `now`, so that the demo data is the same all day. */
export interface Calendar {
  midnight: Date;
  /** `days` (fractions allowed) before that midnight */
  ago(days: number): Date;
  /** `days` after it */
  ahead(days: number): Date;
}

export function calendarAt(now: Date): Calendar {
  const midnight = Math.floor(now.getTime() / DAY) * DAY;
  const at = (time: number) => new Date(Math.round(time / 1000) * 1000);
  return {
    midnight: new Date(midnight),
    ago: (days) => at(midnight - days * DAY),
    ahead: (days) => at(midnight + days * DAY),
  };
}
