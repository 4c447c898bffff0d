import { useEffect, useRef } from 'react';
import type { LiveMessage } from './shared-stream.ts';

export type { LiveMessage };

/** Whether events may have been missed: the stream begins later than the page was read, and may have been interrupted for long. */
export const mayHaveMissed = ({ type }: LiveMessage): boolean => type === 'ready' || type === 'resync';

/** Calls `listener` for each live event while the component is mounted and `active`; the latest callback is used. */
export function useLiveEvents(listener: (message: LiveMessage) => void, active = true): void {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    if (!active) return;
    let isLeaving = false;
    let leave: (() => void) | undefined;
    // Visitors have no stream, so its code is loaded by those who join it.
    void import('./live-subscription.ts').then(
      ({ subscribe }) => {
        if (!isLeaving) leave = subscribe((message) => latest.current(message));
      },
      // A page that goes away or offline meanwhile stays as it is.
      () => undefined,
    );
    return () => {
      isLeaving = true;
      leave?.();
    };
  }, [active]);
}
