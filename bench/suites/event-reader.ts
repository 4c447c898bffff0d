import { Agent, type ClientRequest, get } from 'node:http';
import { origin } from './served.ts';

export interface Arrival {
  type: string;
  payload: { inquiry?: string; message?: string; mine?: boolean } | null;
  /** by which the same event is known in every stream */
  event?: number;
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

/** A reader of the live stream as a browser is one: it keeps the id of the last event and can go on after it. */
export class EventReader {
  /** everything that came, in its order, over all connections */
  readonly arrivals: Arrival[] = [];
  #cookie: string;
  #last = '';
  #asking: ClientRequest | undefined;
  #listeners = new Set<() => void>();

  constructor(cookie: string) {
    this.#cookie = cookie;
  }

  /** Opens the stream, after the last event if there was one: as the browser does, or as another tab of it would. */
  open(as: 'browser' | 'tab' = 'browser'): Promise<void> {
    const after = this.#last && as === 'tab' ? `?after=${encodeURIComponent(this.#last)}` : '';
    const header: Record<string, string> =
      this.#last && as === 'browser' ? { 'last-event-id': this.#last } : {};
    return new Promise((resolve, reject) => {
      const asking = get(
        `${origin}/api/events${after}`,
        { agent, headers: { cookie: this.#cookie, ...header } },
        (answer) => {
          if (answer.statusCode !== 200) reject(new Error(`The stream answered ${answer.statusCode}`));
          let rest = '';
          answer.setEncoding('utf8').on('data', (piece: string) => {
            if (asking !== this.#asking) return;
            const blocks = (rest + piece).split('\n\n');
            rest = blocks.pop() ?? '';
            for (const block of blocks) this.#take(block);
          });
          answer.on('error', () => undefined);
          resolve();
        },
      );
      asking.on('error', (error) => (asking === this.#asking ? reject(error) : undefined));
      this.#asking = asking;
    });
  }

  /** Cuts the connection off, as a lost network does: nobody is told. */
  cut(): void {
    const asking = this.#asking;
    this.#asking = undefined;
    asking?.destroy();
  }

  /**
   * Waits for something that arrives.
   * @throws Error when it does not within `withinMs`
   */
  async arrival(fits: (one: Arrival) => boolean, withinMs = 30_000): Promise<void> {
    if (this.arrivals.some(fits)) return;
    await new Promise<void>((resolve, reject) => {
      const done = () => {
        clearTimeout(timer);
        this.#listeners.delete(look);
        resolve();
      };
      const look = () => this.arrivals.some(fits) && done();
      const timer = setTimeout(() => {
        this.#listeners.delete(look);
        reject(new Error('An event did not arrive'));
      }, withinMs);
      this.#listeners.add(look);
    });
  }

  #take(block: string): void {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    this.#last = field('id') ?? this.#last;
    const data = field('data');
    if (!data) return;
    this.arrivals.push(JSON.parse(data) as Arrival);
    for (const look of this.#listeners) look();
  }
}
