import { paths } from './paths.ts';

export interface LiveMessage {
  /** as `noun.happened`; `ready` and `resync` say that something may have been missed */
  type: string;
  payload: Record<string, unknown> | null;
}

/** What the tab with the stream passes on: a message under the id with which a stream goes on after it. */
interface Passed {
  id: string;
  /** by which the same event is known in every stream */
  event?: number | undefined;
  message: LiveMessage;
}
/** Asked by a tab that has just come, and answered to it alone. */
type Word = { hello: string } | { to: string; id: string } | Passed;

const NAME = 'acre-live';
const READY: LiveMessage = { type: 'ready', payload: null };
const RETRY_MS = 2_000;
/** Two streams overlap for a moment at most, when the stream goes to another tab. */
const REMEMBERED = 500;

/** The id of the last event that this tab has heard of. */
let last = '';
const events = new Set<number>();

/**
 * Takes part in the one event stream of this browser: the first tab holds it and passes on what comes; when it goes, the
 * next one goes on after the last event that it was passed, without gap or repeat. Where tabs cannot agree (no locks),
 * each has a stream of its own.
 * @returns how to leave
 */
export function shareStream(deliver: (message: LiveMessage) => void): () => void {
  let part: AbortController | null = null;
  const enter = () => {
    part ??= new AbortController();
    takePart(deliver, part.signal);
  };
  const exit = () => {
    part?.abort();
    part = null;
  };
  // A page in the back-forward store must hold no stream.
  const onShow = ({ persisted }: PageTransitionEvent) => persisted && enter();
  addEventListener('pagehide', exit);
  addEventListener('pageshow', onShow);
  enter();
  return () => {
    removeEventListener('pagehide', exit);
    removeEventListener('pageshow', onShow);
    exit();
  };
}

function takePart(deliver: (message: LiveMessage) => void, leaving: AbortSignal): void {
  const take = ({ id, event, message }: Passed) => {
    last = id;
    if (event !== undefined) {
      if (events.has(event)) return;
      events.add(event);
      if (events.size > REMEMBERED) for (const oldest of [...events].slice(0, 1)) events.delete(oldest);
    }
    deliver(message);
  };
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined') {
    openStream(take, leaving);
    return;
  }
  const me = String(Math.random());
  const channel = new BroadcastChannel(NAME);
  let holding = false;
  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if ('hello' in data) {
      if (holding && last) channel.postMessage({ to: data.hello, id: last } satisfies Word);
    } else if ('to' in data) {
      // What came between the loading of this page and now: it is read again.
      if (data.to === me) take({ id: data.id, message: READY });
    } else take(data);
  };
  leaving.addEventListener('abort', () => channel.close());
  channel.postMessage({ hello: me } satisfies Word);
  const hold = () =>
    new Promise<void>((resolve) => {
      holding = true;
      const pass = (passed: Passed) => {
        channel.postMessage(passed);
        take(passed);
      };
      openStream(pass, leaving);
      leaving.addEventListener('abort', () => resolve());
    });
  navigator.locks.request(NAME, { signal: leaving }, hold).catch((error: unknown) => {
    // Left before its turn came.
    if (!leaving.aborted) throw error;
  });
}

/** The browser reconnects by itself after a lost connection; after a refusal (a stopping server) only we do. */
function openStream(take: (passed: Passed) => void, leaving: AbortSignal): void {
  if (leaving.aborted) return;
  const source = new EventSource(paths.events({ after: last || undefined }));
  source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
    const { event, ...message } = JSON.parse(data) as LiveMessage & { event?: number };
    take({ id: lastEventId, event, message });
  };
  source.onerror = () => {
    if (source.readyState !== EventSource.CLOSED || leaving.aborted) return;
    setTimeout(() => openStream(take, leaving), RETRY_MS * (1 + Math.random()));
  };
  leaving.addEventListener('abort', () => source.close());
}
