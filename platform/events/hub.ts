import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Log } from '../log.ts';
import { type Cursor, writeCursor } from './cursor.ts';
import { type Audience, CHANNEL, type LiveEvent, RETENTION_MS } from './events.ts';

/**
 * What a subscriber receives: an event or a control message. `ready`: subscribed; `resync`: events may be missing, reload
 * everything; `session`: the user's session changed.
 */
export type Delivery = { id: string } & (
  | (LiveEvent & { event: number })
  | { type: 'ready' | 'resync' | 'session'; payload: null }
);

interface Subscription {
  audiences: Audience[];
  /** where an earlier subscription broke off */
  from: Cursor | null;
  deliver(delivery: Delivery): void;
}

interface Row extends LiveEvent {
  id: number;
}

interface MissedRow extends Row {
  /** belongs to the batch that the subscriber was receiving when it broke off */
  in_part: boolean;
}

const POLL_MS = 30_000;

/** Reads live events once per process and fans them out to any number of subscribers. */
export class EventHub {
  #db: Database;
  #log: Log;
  #now: () => Date;
  #seen = '';
  #subscribers = new Set<Subscription>();
  #turn: Promise<void> = Promise.resolve();
  #waiting = false;
  #timer: NodeJS.Timeout | undefined;
  #wake = () => this.#pollSoon();

  constructor(db: Database, log: Log, now: () => Date = () => new Date()) {
    this.#db = db;
    this.#log = log;
    this.#now = now;
  }

  async start(): Promise<void> {
    this.#db.channels.on(CHANNEL, this.#wake);
    // Notifications are lost with a connection, but the events themselves can still be read.
    this.#db.channels.on('resync', this.#wake);
    await this.#db.listen(CHANNEL);
    this.#seen = await this.#snapshot();
    this.#timer = setInterval(this.#wake, POLL_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#db.channels.off(CHANNEL, this.#wake);
    this.#db.channels.off('resync', this.#wake);
    this.#subscribers.clear();
    await this.#turn;
  }

  /**
   * Delivers the events since `from`, then new ones as they happen, each exactly once and in order. The first delivery is
   * `ready` for a new subscription, `resync` for one that cannot be resumed.
   * @returns a function that ends the subscription
   */
  async subscribe(subscription: Subscription): Promise<() => void> {
    let ended = false;
    await this.#inTurn(async () => {
      await this.#catchUp();
      const { from } = subscription;
      const rows = from && (await this.#missed(subscription.audiences, from));
      if (ended) return;
      if (rows) this.#resume(rows, from, subscription);
      else subscription.deliver({ id: this.position(), type: from ? 'resync' : 'ready', payload: null });
      this.#subscribers.add(subscription);
    });
    return () => {
      ended = true;
      this.#subscribers.delete(subscription);
    };
  }

  /** The cursor of a subscriber that has received everything so far. */
  position(): string {
    return writeCursor({ seen: this.#seen, part: null, at: this.#now() });
  }

  #pollSoon(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    this.#inTurn(() => {
      this.#waiting = false;
      return this.#catchUp();
    }).catch((error: unknown) => this.#log.warn({ err: error }, 'live events could not be read'));
  }

  /** Serialises reads and replays, so that no event is missed in between. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #catchUp(): Promise<void> {
    const next = await this.#snapshot();
    if (next === this.#seen) return;
    const rows = await sql<Row>`
      select id, audience, type, payload from live_events
      where transaction_id >= pg_snapshot_xmin(${this.#seen}::pg_snapshot)
        and not pg_visible_in_snapshot(transaction_id, ${this.#seen}::pg_snapshot)
        and pg_visible_in_snapshot(transaction_id, ${next}::pg_snapshot)
      order by id
    `.execute(this.#db.q());
    const before = this.#seen;
    this.#seen = next;
    for (const row of rows.rows) {
      const delivery = this.#delivery(row, before, next);
      for (const subscription of this.#subscribers) {
        if (subscription.audiences.includes(row.audience)) subscription.deliver(delivery);
      }
    }
  }

  /** Delivers first the rest of the interrupted batch, then what came later, each with the matching cursor. */
  #resume(rows: MissedRow[], { seen, part }: Cursor, { deliver }: Subscription): void {
    for (const row of rows) {
      if (part && row.in_part) deliver(this.#delivery(row, seen, part.reading));
      else deliver(this.#delivery(row, part?.reading ?? seen, this.#seen));
    }
  }

  #delivery({ id, audience, type, payload }: Row, seen: string, reading: string): Delivery {
    const cursor = writeCursor({ seen, part: { reading, upTo: id }, at: this.#now() });
    return { id: cursor, event: id, audience, type, payload };
  }

  /** The events that a subscriber missed up to the hub's position; null when that can no longer be determined. */
  async #missed(audiences: Audience[], from: Cursor): Promise<MissedRow[] | null> {
    if (this.#now().getTime() - from.at.getTime() >= RETENTION_MS) return null;
    const { seen, part } = from;
    const reading = part?.reading ?? seen;
    const possible = await sql<{ ok: boolean }>`
      select pg_snapshot_xmax(${reading}::pg_snapshot) <= pg_snapshot_xmax(${this.#seen}::pg_snapshot)
        and pg_snapshot_xmax(${seen}::pg_snapshot) <= pg_snapshot_xmax(${this.#seen}::pg_snapshot) as ok
    `.execute(this.#db.q());
    if (!possible.rows[0]?.ok) return null;
    const { rows } = await sql<MissedRow>`
      select id, audience, type, payload,
        pg_visible_in_snapshot(transaction_id, ${reading}::pg_snapshot) as in_part
      from live_events
      where transaction_id >= pg_snapshot_xmin(${seen}::pg_snapshot)
        and audience = any(${audiences})
        and not pg_visible_in_snapshot(transaction_id, ${seen}::pg_snapshot)
        and (not pg_visible_in_snapshot(transaction_id, ${reading}::pg_snapshot) or id > ${part?.upTo ?? 0})
        and pg_visible_in_snapshot(transaction_id, ${this.#seen}::pg_snapshot)
      order by in_part desc, id
    `.execute(this.#db.q());
    return rows;
  }

  async #snapshot(): Promise<string> {
    const { rows } = await sql<{ now: string }>`select pg_current_snapshot()::text as now`.execute(
      this.#db.q(),
    );
    return rows[0]?.now ?? '';
  }
}
