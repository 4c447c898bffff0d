import { useEffect, useState } from 'react';
import { formatTime, type TimeStyle } from './format-time.ts';

interface LocalTimeProps {
  /** ISO, UTC */
  of: string;
  as?: TimeStyle;
}

/**
 * A time in the user's own time zone. The server does not know that zone and renders UTC, labelled as such; the browser
 * replaces it after hydration.
 */
export function LocalTime({ of, as = 'moment' }: LocalTimeProps) {
  const [local, setLocal] = useState(false);
  useEffect(() => setLocal(true), []);
  // Server and browser may disagree when midnight falls between their renders.
  return (
    <time dateTime={of} suppressHydrationWarning>
      {formatTime(of, as, local ? undefined : 'UTC')}
    </time>
  );
}
