import { useEffect, useState } from 'react';

/** The browser's time zone, an IANA name; empty until the page is hydrated. */
export function useTimeZone(): string {
  const [zone, setZone] = useState('');
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone ?? ''), []);
  return zone;
}

/** Sends the browser's time zone with a form; empty without scripts. */
export const TimeZoneField = () => <input type="hidden" name="timeZone" value={useTimeZone()} />;
