import { Agent, type ClientRequest, get } from 'node:http';
import { origin } from './app-server.ts';

interface Arrival {
  type: string;
  payload: { inquiry?: string; message?: string; mine?: boolean } | null;
  /** the event's id, the same in every stream */
  event?: number;
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

/** Reads the live event stream like a browser: remembers the last event id and can resume after it. */
export class EventReader {
  /** all events in order of arrival, over all connections */
  readonly arrivals: Arrival[] = [];
  #cookie: string;
  #last = '';
  #asking: ClientRequest | undefined;
  #listeners = new Set<() => void>();

  constructor(cookie: string) {
    this.#cookie = cookie;
  }

  /** Opens the stream, resuming after the last event: as the same browser connection would, or as another tab would. */
  open(as: 'browser' | 'tab' = 'browser'): Promise<void> {
    const after = this.#last && as === 'tab' ? `?after=${encodeURIComponent(this.#last)}` : '';
    const header: Record<string, string> =
      this.#last && as === 'browser' ? { 'last-event-id': this.#last } : {};
    return new Promise((resolve, reject) => {
      const outgoing = get(
        `${origin}/api/events${after}`,
        { agent, headers: { cookie: this.#cookie, ...header } },
        (answer) => {
          if (answer.statusCode !== 200) reject(new Error(`The stream answered ${answer.statusCode}`));
          let rest = '';
          answer.setEncoding('utf8').on('data', (piece: string) => {
            if (outgoing !== this.#asking) return;
            const blocks = (rest + piece).split('\n\n');
            rest = blocks.pop() ?? '';
            for (const block of blocks) this.#take(block);
          });
          answer.on('error', () => undefined);
          resolve();
        },
      );
      outgoing.on('error', (error) => (outgoing === this.#asking ? reject(error) : undefined));
      this.#asking = outgoing;
    });
  }

  /** Drops the connection without notice, like a network failure. */
  cut(): void {
    const outgoing = this.#asking;
    this.#asking = undefined;
    outgoing?.destroy();
  }

  /**
   * Waits for a matching event.
   * @throws Error when none arrives within `withinMs`
   */
  async arrival(matches: (one: Arrival) => boolean, withinMs = 30_000): Promise<void> {
    if (this.arrivals.some(matches)) return;
    await new Promise<void>((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        this.#listeners.delete(check);
        resolve();
      };
      const check = () => this.arrivals.some(matches) && done();
      const timer = setTimeout(() => {
        this.#listeners.delete(check);
        reject(new Error('An event did not arrive'));
      }, withinMs);
      this.#listeners.add(check);
    });
  }

  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    this.#last = field('id') ?? this.#last;
    const data = field('data');
    if (!data) return;
    this.arrivals.push(JSON.parse(data) as Arrival);
    for (const check of this.#listeners) check();
  }
}
