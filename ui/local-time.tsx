import { useEffect, useState } from 'react';

const styles = {
  /** 3:45 PM */
  time: { timeStyle: 'short' },
  /** Nov 20, 3:04 PM */
  moment: { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  /** November 20, 2026 */
  day: { dateStyle: 'long' },
} satisfies Record<string, Intl.DateTimeFormatOptions>;

interface LocalTimeProps {
  /** ISO, UTC */
  of: string;
  as?: keyof typeof styles;
}

/**
 * A moment on the reader's own clock. The server knows no zone and says UTC, with its name; the browser takes over once
 * it has agreed on the server's page.
 */
export function LocalTime({ of, as = 'moment' }: LocalTimeProps) {
  const [local, setLocal] = useState(false);
  useEffect(() => setLocal(true), []);
  return <time dateTime={of}>{momentText(of, as, local ? undefined : 'UTC')}</time>;
}

/** The same as text; a zone that is named stands behind it, for a clock's time. */
export function momentText(of: string, as: keyof typeof styles, zone?: 'UTC'): string {
  const text = new Intl.DateTimeFormat('en-US', { ...styles[as], ...(zone && { timeZone: zone }) }).format(
    new Date(of),
  );
  const words = text.replaceAll('\u202f', ' ');
  return zone && as !== 'day' ? `${words} ${zone}` : words;
}
