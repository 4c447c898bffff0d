import { useEffect, useState } from 'react';
import { momentText } from './local-time.tsx';

const MINUTE = 60;
const DAY = 86_400;
const units = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const;
const words = new Intl.RelativeTimeFormat('en-US');

/** '12 minutes ago', 'just now' below one minute and for clocks that differ. `of` is ISO, UTC; `now` in milliseconds. */
export function timeAgo(of: string, now: number): string {
  const seconds = (now - Date.parse(of)) / 1000;
  for (const [unit, size] of units)
    if (seconds >= size) return words.format(-Math.floor(seconds / size), unit);
  return 'just now';
}

/** How long ago a moment was, kept current; the moment itself, on the reader's clock, stands in the title. */
export function TimeAgo({ of }: { of: string }) {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), MINUTE * 1000);
    return () => clearInterval(timer);
  }, []);
  // Between the server's page and the browser's a minute may have passed.
  return (
    <time
      dateTime={of}
      title={now === null ? momentText(of, 'exact', 'UTC') : momentText(of, 'exact')}
      suppressHydrationWarning
    >
      {timeAgo(of, now ?? Date.now())}
    </time>
  );
}
