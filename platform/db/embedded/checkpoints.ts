import { SECOND } from '../../durations.ts';
import { firstValue, simpleQuery } from './wire.ts';

/** What the log may hold before it is written to the tables: about two seconds of recovery after a killed process. */
const MAX_LOG_BYTES = 64 * 2 ** 20;
/** How often that is looked at while there is work. */
const LOOK_EVERY_MS = SECOND;
/** When nothing is going on, what was written last is written to the tables after this time. */
const IDLE_MS = 30 * SECOND;

const POSITION = simpleQuery(`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')`);
const CHECKPOINT = simpleQuery('checkpoint');

/**
 * Makes the checkpoints of the embedded database, which has no process of its own for them: without any, its log grows without
 * end, and a start after a killed process replays all of it.
 */
export class Checkpoints {
  #run: (bytes: Uint8Array) => Uint8Array;
  #done: number;
  #looked = performance.now();
  #idle = true;
  #timer: NodeJS.Timeout;

  /** @param run executes a message of the protocol at once, while no transaction is open */
  constructor(run: (bytes: Uint8Array) => Uint8Array) {
    this.#run = run;
    this.#done = this.#position();
    this.#timer = setInterval(() => this.#checkpointAfter(1), IDLE_MS).unref();
  }

  /** To be called with each reply of the database. */
  after(reply: Uint8Array): void {
    this.#idle = reply.at(-6) === 0x5a && reply.at(-1) === 0x49;
    const now = performance.now();
    if (!this.#idle || now - this.#looked < LOOK_EVERY_MS) return;
    this.#looked = now;
    this.#checkpointAfter(MAX_LOG_BYTES);
  }

  /** The last one, before the database is closed. */
  close(): void {
    clearInterval(this.#timer);
    this.#checkpointAfter(1);
  }

  #checkpointAfter(bytes: number): void {
    if (!this.#idle || this.#position() - this.#done < bytes) return;
    this.#run(CHECKPOINT);
    this.#done = this.#position();
  }

  #position(): number {
    return Number(firstValue(this.#run(POSITION)));
  }
}
