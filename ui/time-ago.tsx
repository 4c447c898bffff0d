import { useEffect, useState } from 'react';
import { formatTime } from './format-time.ts';

const MINUTE = 60;
const DAY = 86_400;
const units = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const;
const relativeFormat = new Intl.RelativeTimeFormat('en-US');

/** '12 minutes ago', or 'just now' below one minute and for times in the future. `of` is ISO, UTC; `now` in milliseconds. */
export function timeAgo(of: string, now: number): string {
  const seconds = (now - Date.parse(of)) / 1000;
  for (const [unit, size] of units)
    if (seconds >= size) return relativeFormat.format(-Math.floor(seconds / size), unit);
  return 'just now';
}

/** How long ago a time was, updated every minute; the tooltip has the exact time in the user's time zone. */
export function TimeAgo({ of }: { of: string }) {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), MINUTE * 1000);
    return () => clearInterval(timer);
  }, []);
  // A minute may have passed between the server's render and hydration.
  return (
    <time
      dateTime={of}
      title={now === null ? formatTime(of, 'exact', 'UTC') : formatTime(of, 'exact')}
      suppressHydrationWarning
    >
      {timeAgo(of, now ?? Date.now())}
    </time>
  );
}
