import { useEffect, useState } from 'react';
import { messageTime } from '../display.ts';

/** When a message was written, in the reader's own time zone; the server's UTC until the browser takes over. */
export function MessageTime({ of }: { of: string }) {
  const [zone, setZone] = useState<string | null>(null);
  useEffect(() => setZone(Intl.DateTimeFormat().resolvedOptions().timeZone), []);
  return (
    <time dateTime={of} title={`${of} (${zone ?? 'UTC'})`}>
      {zone === null ? `${messageTime(of, 'UTC')} UTC` : messageTime(of)}
    </time>
  );
}
