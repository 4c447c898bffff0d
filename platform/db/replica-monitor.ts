import { SECOND } from '../durations.ts';

/** What a replica says about itself. */
interface ReplicaAnswer {
  /** false for a primary, which a promoted replica has become */
  inRecovery: boolean;
  /** the position in the primary's log up to which it has replayed, in bytes */
  replayed: bigint;
}

export type ReplicaState =
  /** `lagMs`: how old its data is at most */
  { usable: true; lagMs: number } | { usable: false; reason: 'unreachable' | 'not a replica' | 'lagging' };

interface MonitorOptions {
  /** asks the replica; rejects when it does not answer in time */
  ask: () => Promise<ReplicaAnswer>;
  /** asks the primary for its current position; rejects when it does not answer in time */
  primaryPosition: () => Promise<bigint>;
  onChange?: (state: ReplicaState) => void;
  now?: () => number;
}

/** Reads go to the primary while the replica's data may be older than this. */
export const MAX_LAG_MS = 10 * SECOND;
const CHECK_EVERY_MS = SECOND / 2;

/**
 * Watches whether a replica can be read from: it answers, still is a replica, and its data is recent. The age is that of the newest
 * position of the primary which it has replayed: its own clock says nothing while the primary is idle, or replay is paused.
 */
export class ReplicaMonitor {
  #options: MonitorOptions;
  #state: ReplicaState = { usable: false, reason: 'unreachable' };
  /** positions of the primary with the time at which it was asked, oldest first */
  #positions: { at: number; position: bigint }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lost = Promise.withResolvers<void>();

  constructor(options: MonitorOptions) {
    this.#options = options;
  }

  get state(): ReplicaState {
    return this.#state;
  }

  /** Settles when the replica, usable now, no longer is. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /** Checks once, and then again and again until `stop`. */
  async start(): Promise<void> {
    await this.check();
    this.#timer = setTimeout(() => void this.start(), CHECK_EVERY_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    // A check under way must not start another one.
    this.start = async () => undefined;
  }

  async check(): Promise<void> {
    const { ask, primaryPosition, now = Date.now } = this.#options;
    const at = now();
    const [answer, position] = await Promise.all([
      ask().catch(() => null),
      // While the primary is away, nothing new is written: the age does not grow.
      primaryPosition().catch(() => null),
    ]);
    if (position !== null) {
      this.#positions.push({ at, position });
      // Older ones are not needed to tell that it is lagging, however long it is away.
      this.#positions = this.#positions.filter((one) => at - one.at <= MAX_LAG_MS);
    }
    this.#set(this.#judge(answer, position === null ? (this.#positions.at(-1)?.at ?? at) : at));
  }

  /** A query failed on it: no further one before the next check. */
  suspect(): void {
    this.#set({ usable: false, reason: 'unreachable' });
  }

  #judge(answer: ReplicaAnswer | null, now: number): ReplicaState {
    if (!answer) return { usable: false, reason: 'unreachable' };
    if (!answer.inRecovery) return { usable: false, reason: 'not a replica' };
    const newest = this.#positions.findLastIndex(({ position }) => position <= answer.replayed);
    const has = this.#positions[newest];
    // It lacks all that was ever asked for: how far it is behind is not known, as of one that was behind before this process began.
    if (!has) return { usable: false, reason: 'lagging' };
    this.#positions.splice(0, newest);
    return { usable: true, lagMs: now - has.at };
  }

  #set(state: ReplicaState): void {
    const before = this.#state;
    this.#state = state;
    if (before.usable && !state.usable) {
      this.#lost.resolve();
      this.#lost = Promise.withResolvers();
    }
    const changed = state.usable ? !before.usable : before.usable || before.reason !== state.reason;
    if (changed) this.#options.onChange?.(state);
  }
}
