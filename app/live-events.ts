import { useEffect, useRef } from 'react';
import { type LiveMessage, shareStream } from './shared-stream.ts';

export type { LiveMessage };

type Listener = (message: LiveMessage) => void;

const listeners = new Set<Listener>();
let leave: (() => void) | null = null;

/** One place in the browser's stream for everything on a page that listens, held while anything does. */
function listen(listener: Listener): () => void {
  listeners.add(listener);
  leave ??= shareStream((message) => {
    for (const each of listeners) each(message);
  });
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    leave?.();
    leave = null;
  };
}

/** Calls back for each live event while the component is there and `active`; the newest callback counts. */
export function useLiveEvents(listener: Listener, active = true): void {
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => (active ? listen((message) => newest.current(message)) : undefined), [active]);
}
