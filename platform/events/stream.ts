import type { Context } from 'hono';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import type { Actor } from '../context.ts';
import type { Log } from '../log.ts';
import { eventStreams } from '../metrics.ts';
import { readCursor } from './cursor.ts';
import { audiencesOf } from './events.ts';
import type { Delivery, EventHub } from './hub.ts';

const RECONNECT_MS = 2_000;
/** A browser that lets this much pile up is cut off; it comes back and resumes. */
const LONGEST_QUEUE = 1_000;

/** The open event streams of this process. */
export class EventStreams {
  #hub: EventHub;
  #log: Log;
  #heartbeatMs: number;
  #open = new Set<AbortController>();
  #closed = false;

  constructor(hub: EventHub, log: Log, { heartbeatMs = 25_000 } = {}) {
    this.#hub = hub;
    this.#log = log;
    this.#heartbeatMs = heartbeatMs;
  }

  /**
   * Answers with server-sent events for what the actor may see. Each carries JSON `{ type, payload }`, and `event`, a
   * number by which the same one is known in every stream; `ready` and `resync` ask the page to read again. Goes on
   * after `Last-Event-ID` without gap or repeat, or after `?after=` where another tab's stream has ended. A `session`
   * event of the person ends the stream, so that the browser comes back as who it is now.
   *
   * @param isCurrent whether the request still speaks for the actor, asked once events can no longer be missed: a
   *   session that ended before that has told nobody here
   */
  respond(c: Context, actor: Actor, isCurrent: () => Promise<boolean>): Response {
    if (this.#closed) return c.text('Stopping', 503, { 'retry-after': '2' });
    const from = readCursor(c.req.header('last-event-id') ?? c.req.query('after'));
    c.header('x-accel-buffering', 'no');
    const response = streamSSE(c, async (stream) => {
      const closing = new AbortController();
      this.#open.add(closing);
      eventStreams.inc();
      stream.onAbort(() => closing.abort());
      const queue = new Queue(closing.signal, () => stream.abort());
      const subscription = { audiences: audiencesOf(actor), from, deliver: queue.push };
      let end = () => {};
      try {
        end = await this.#hub.subscribe(subscription);
        if (!(await isCurrent())) queue.push({ id: this.#hub.position(), type: 'session', payload: null });
        await this.#write(stream, queue, closing.signal);
      } catch (error) {
        // The browser comes back by itself and goes on where it was.
        this.#log.warn({ err: error }, 'event stream broke off');
      } finally {
        end();
        this.#open.delete(closing);
        eventStreams.dec();
      }
    });
    response.headers.set('cache-control', 'no-cache, no-transform');
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
        // An id without data: nothing happens in the page, but it would resume from here.
        await stream.write(`: still here\nid: ${this.#hub.position()}\n\n`);
      }
    }
  }

  /** Ends all streams and takes no new one; part of stopping the process. */
  closeAll(): void {
    this.#closed = true;
    for (const closing of this.#open) closing.abort();
  }
}

/** What waits to be written to one stream. */
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
    if (this.#deliveries.length > LONGEST_QUEUE) this.#overflow();
    this.#wake?.();
  };

  /** The next one, or null when none came in `milliseconds` or the stream is closing. */
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
