import { useEffect, useState } from 'react';

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

/** `until` is the time of a moment that is today, and otherwise the moment. */
type Style = keyof typeof styles | 'until';

interface LocalTimeProps {
  /** ISO, UTC */
  of: string;
  as?: Style;
}

/**
 * A moment on the reader's own clock. The server knows no zone and says UTC, with its name; the browser takes over once
 * it has agreed on the server's page.
 */
export function LocalTime({ of, as = 'moment' }: LocalTimeProps) {
  const [local, setLocal] = useState(false);
  useEffect(() => setLocal(true), []);
  // Server and browser may stand on different sides of midnight.
  return (
    <time dateTime={of} suppressHydrationWarning>
      {momentText(of, as, local ? undefined : 'UTC')}
    </time>
  );
}

/** The same as text; a zone that is named stands behind it, for a clock's time. */
export function momentText(of: string, as: Style, zone?: 'UTC'): string {
  const words = (moment: string | Date, style: keyof typeof styles) =>
    new Intl.DateTimeFormat('en-US', { ...styles[style], ...(zone && { timeZone: zone }) })
      .format(new Date(moment))
      .replaceAll('\u202f', ' ');
  const today = as === 'until' && words(of, 'day') === words(new Date(), 'day');
  const style = as === 'until' ? (today ? 'time' : 'moment') : as;
  return zone && style !== 'day' && style !== 'date' ? `${words(of, style)} ${zone}` : words(of, style);
}
