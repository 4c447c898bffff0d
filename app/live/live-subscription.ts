import { joinSharedStream, type LiveMessage } from './shared-stream.ts';

type Listener = (message: LiveMessage) => void;

const listeners = new Set<Listener>();
let unsubscribe: (() => void) | null = null;

/** All listeners of a page share one subscription to the browser's stream, kept as long as there is a listener. */
export function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  unsubscribe ??= joinSharedStream((message) => {
    for (const each of listeners) each(message);
  });
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    unsubscribe?.();
    unsubscribe = null;
  };
}
