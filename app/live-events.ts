import { useEffect, useRef } from 'react';
import { paths } from './paths.ts';

export interface LiveMessage {
  /** as `noun.happened`; `ready` and `resync` say that something may have been missed */
  type: string;
  payload: Record<string, unknown> | null;
}
type Listener = (message: LiveMessage) => void;

const listeners = new Set<Listener>();
let source: EventSource | null = null;

/** One stream for everything on a page that listens, open while anything does. The browser reconnects by itself. */
function listen(listener: Listener): () => void {
  listeners.add(listener);
  source ??= openStream();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    source?.close();
    source = null;
  };
}

function openStream(): EventSource {
  const stream = new EventSource(paths.events());
  stream.onmessage = ({ data }: MessageEvent<string>) => {
    const message = JSON.parse(data) as LiveMessage;
    for (const listener of listeners) listener(message);
  };
  return stream;
}

/** Calls back for each live event while the component is there; the newest callback counts. */
export function useLiveEvents(listener: Listener): void {
  const newest = useRef(listener);
  newest.current = listener;
  useEffect(() => listen((message) => newest.current(message)), []);
}
