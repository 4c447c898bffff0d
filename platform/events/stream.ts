import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Actor } from '../context.ts';
import { networkOf } from '../http/network-of.ts';
import type { Log } from '../log.ts';
import { eventStreams } from '../metrics.ts';
import { readCursor } from './cursor.ts';
import { audiencesOf } from './events.ts';
import type { Delivery, EventHub } from './hub.ts';
import { type SessionState, SessionTimer } from './session-timer.ts';
import { openFileLimit, StreamCounter, streamLimits } from './stream-limits.ts';

const RECONNECT_MS = 2_000;
/** A slow client with this many pending events is disconnected; it reconnects and resumes. */
const MAX_QUEUE_LENGTH = 1_000;
const UNCACHED = { 'cache-control': 'no-cache, no-transform' };

/** The open event streams of this process. */
export class EventStreams {
  #hub: EventHub;
  #log: Log;
  #heartbeatMs: number;
  #counter: StreamCounter;
  #open = new Set<AbortController>();
  #closed = false;

  constructor(
    hub: EventHub,
    log: Log,
    { heartbeatMs = 25_000, limits = streamLimits(openFileLimit()) } = {},
  ) {
    this.#counter = new StreamCounter(limits);
    this.#hub = hub;
    this.#log = log;
    this.#heartbeatMs = heartbeatMs;
  }

  /**
   * Responds with server-sent events for the actor. Each is JSON `{ type, payload, event }`, where `event` is a number that
   * is the same in every stream; `ready` and `resync` ask the page to reload its data. Resumes after `Last-Event-ID` without
   * gaps or duplicates, or after `?after=` where another tab's stream ended. A `session` event of the user ends the stream,
   * so that the browser reconnects with its current session. Beyond the limits of open streams the answer is 503.
   *
   * @param ip the address that the request comes from
   * @param session the session that the stream was opened with, as it is now; checked after subscribing, because the end of a
   *   session before that was published to nobody here, and when it expires, which nobody publishes
   */
  respond(
    c: Context,
    { actor, ip }: { actor: Actor; ip: string | null },
    session: () => Promise<SessionState>,
  ): Response {
    if (this.#closed) return c.text('Stopping', 503, { 'retry-after': '2' });
    // Nothing follows the headers, so there is no stream to open, to count or to close again.
    if (c.req.method === 'HEAD')
      return c.body(null, 200, { 'content-type': 'text/event-stream', ...UNCACHED });
    const userId = actor.kind === 'user' ? actor.id : null;
    const leave = this.#counter.enter({ userId, network: networkOf(ip) });
    if (!leave) return c.text('Too many event streams', 503, { 'retry-after': '30' });
    // Whose session is over starts afresh, and so hears `ready`: the events that they missed are not theirs anymore.
    const from = userId ? readCursor(c.req.header('last-event-id') ?? c.req.query('after')) : null;
    c.header('x-accel-buffering', 'no');
    const response = streamSSE(c, async (stream) => {
      const closing = new AbortController();
      this.#open.add(closing);
      eventStreams.inc();
      stream.onAbort(() => closing.abort());
      const queue = new Queue(closing.signal, () => stream.abort());
      const subscription = { audiences: audiencesOf(actor), from, deliver: queue.push };
      const watch = new SessionTimer(session, () =>
        queue.push({ id: this.#hub.position(), type: 'session', payload: null }),
      );
      let end = () => {};
      try {
        end = await this.#hub.subscribe(subscription);
        await watch.check();
        await this.#write(stream, queue, closing.signal);
      } catch (error) {
        // The browser reconnects on its own and resumes.
        this.#log.warn({ err: error }, 'event stream broke off');
      } finally {
        end();
        watch.stop();
        leave();
        this.#open.delete(closing);
        eventStreams.dec();
      }
    });
    response.headers.set('cache-control', UNCACHED['cache-control']);
    return response;
  }

  async #write(stream: SSEStreamingApi, queue: Queue, closing: AbortSignal): Promise<void> {
    await stream.write(`retry: ${RECONNECT_MS}\n\n`);
    while (!closing.aborted) {
      const delivery = await queue.next(this.#heartbeatMs);
      if (closing.aborted) return;
      if (delivery) {
        const { id, type, payload } = delivery;
        const event = 'event' in delivery ? delivery.event : undefined;
        await stream.writeSSE({ id, data: JSON.stringify({ type, payload, event }) });
        if (type === 'session') return;
      } else {
        // An id without data: no event in the page, but it would resume from here.
        await stream.write(`: still here\nid: ${this.#hub.position()}\n\n`);
      }
    }
  }

  /** Ends all streams and accepts no new ones; part of shutdown. */
  closeAll(): void {
    this.#closed = true;
    for (const closing of this.#open) closing.abort();
  }
}

/** Events waiting to be written to one stream. */
class Queue {
  #deliveries: Delivery[] = [];
  #closing: AbortSignal;
  #overflow: () => void;
  #wake: (() => void) | undefined;

  constructor(closing: AbortSignal, overflow: () => void) {
    this.#closing = closing;
    this.#overflow = overflow;
    closing.addEventListener('abort', () => this.#wake?.());
  }

  push = (delivery: Delivery): void => {
    this.#deliveries.push(delivery);
    if (this.#deliveries.length > MAX_QUEUE_LENGTH) this.#overflow();
    this.#wake?.();
  };

  /** The next event, or null when none came within `milliseconds` or the stream is closing. */
  async next(milliseconds: number): Promise<Delivery | null> {
    if (this.#deliveries.length === 0 && !this.#closing.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#wake = undefined;
    }
    return this.#deliveries.shift() ?? null;
  }
}
