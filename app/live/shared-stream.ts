import { paths } from '#routing/paths.ts';

export interface LiveMessage {
  /** `noun.happened`; `ready` and `resync` mean that events may have been missed */
  type: string;
  payload: Record<string, unknown> | null;
}

/** A message relayed by the tab that holds the stream; `id` is where a stream can resume after it. */
interface RelayedMessage {
  id: string;
  /** identifies the same event in every stream */
  event?: number | undefined;
  message: LiveMessage;
}
/** `hello` is sent by a new tab, `to` is the reply to that tab alone. */
type ChannelMessage = { hello: string } | { to: string; id: string } | RelayedMessage;

const NAME = 'acre-live';
const READY: LiveMessage = { type: 'ready', payload: null };
const RETRY_MS = 2_000;
/** Two streams overlap only for a moment, when another tab takes over the stream. */
const MAX_REMEMBERED = 500;

/** The id of the last event that this tab has received. */
let lastReceivedId = '';
const receivedEvents = new Set<number>();

/**
 * Joins the browser's single event stream: the first tab holds it and relays its events; when that tab closes, the next
 * one resumes after the last relayed event, without gaps or duplicates. Without the Web Locks API each tab opens a
 * stream of its own.
 * @returns a function that leaves the stream
 */
export function joinSharedStream(deliver: (message: LiveMessage) => void): () => void {
  let membership: AbortController | null = null;
  const join = () => {
    membership ??= new AbortController();
    participate(deliver, membership.signal);
  };
  const leave = () => {
    membership?.abort();
    membership = null;
  };
  // A page in the back/forward cache must not hold a stream.
  const onShow = ({ persisted }: PageTransitionEvent) => persisted && join();
  addEventListener('pagehide', leave);
  addEventListener('pageshow', onShow);
  join();
  return () => {
    removeEventListener('pagehide', leave);
    removeEventListener('pageshow', onShow);
    leave();
  };
}

function participate(deliver: (message: LiveMessage) => void, signal: AbortSignal): void {
  const receive = ({ id, event, message }: RelayedMessage) => {
    lastReceivedId = id;
    if (event !== undefined) {
      if (receivedEvents.has(event)) return;
      receivedEvents.add(event);
      if (receivedEvents.size > MAX_REMEMBERED)
        for (const oldest of [...receivedEvents].slice(0, 1)) receivedEvents.delete(oldest);
    }
    deliver(message);
  };
  if (!('locks' in navigator) || typeof BroadcastChannel === 'undefined') {
    openStream(receive, signal);
    return;
  }
  const tabId = String(Math.random());
  const channel = new BroadcastChannel(NAME);
  let isHolder = false;
  channel.onmessage = ({ data }: MessageEvent<ChannelMessage>) => {
    if ('hello' in data) {
      if (isHolder && lastReceivedId)
        channel.postMessage({ to: data.hello, id: lastReceivedId } satisfies ChannelMessage);
    } else if ('to' in data) {
      // Events may have been missed since this page was loaded: treat it like a fresh connection.
      if (data.to === tabId) receive({ id: data.id, message: READY });
    } else receive(data);
  };
  signal.addEventListener('abort', () => channel.close());
  channel.postMessage({ hello: tabId } satisfies ChannelMessage);
  const holdStream = () =>
    new Promise<void>((resolve) => {
      isHolder = true;
      const relay = (relayed: RelayedMessage) => {
        channel.postMessage(relayed);
        receive(relayed);
      };
      openStream(relay, signal);
      signal.addEventListener('abort', () => resolve());
    });
  navigator.locks.request(NAME, { signal: signal }, holdStream).catch((error: unknown) => {
    // Aborting while still waiting for the lock is expected.
    if (!signal.aborted) throw error;
  });
}

/** The browser reconnects by itself after a lost connection, but not after an error response (a stopping server). */
function openStream(receive: (relayed: RelayedMessage) => void, signal: AbortSignal): void {
  if (signal.aborted) return;
  const source = new EventSource(paths.events({ after: lastReceivedId || undefined }));
  source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
    const { event, ...message } = JSON.parse(data) as LiveMessage & { event?: number };
    receive({ id: lastEventId, event, message });
  };
  source.onerror = () => {
    if (source.readyState !== EventSource.CLOSED || signal.aborted) return;
    setTimeout(() => openStream(receive, signal), RETRY_MS * (1 + Math.random()));
  };
  signal.addEventListener('abort', () => source.close());
}
