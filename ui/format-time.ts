const styles = {
  /** 3:45 PM */
  time: { timeStyle: 'short' },
  /** Nov 20, 3:04 PM */
  moment: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  /** November 20, 2026 */
  day: { dateStyle: 'long' },
  /** Nov 20, 2026 */
  date: { dateStyle: 'medium' },
  /** November 20, 2026 at 3:04 PM */
  exact: { dateStyle: 'long', timeStyle: 'short' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

/** `until` shows only the time when the day is today, otherwise the date and time. */
export type TimeStyle = keyof typeof styles | 'until';

/** A time as text, in the zone of whoever runs this unless `zone` is given, which is appended to styles that show a time of day. */
export function formatTime(of: string, as: TimeStyle, zone?: 'UTC'): string {
  const format = (moment: string | Date, style: keyof typeof styles) =>
    new Intl.DateTimeFormat('en-US', { ...styles[style], ...(zone && { timeZone: zone }) })
      .format(new Date(moment))
      .replaceAll('\u202f', ' ');
  const today = as === 'until' && format(of, 'day') === format(new Date(), 'day');
  const style = as === 'until' ? (today ? 'time' : 'moment') : as;
  return zone && style !== 'day' && style !== 'date' ? `${format(of, style)} ${zone}` : format(of, style);
}
