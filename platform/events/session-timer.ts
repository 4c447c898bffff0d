import { MINUTE, SECOND } from '../durations.ts';

/** The session that a stream was opened with, as it is now. */
export interface SessionState {
  /** false once it has ended or another one has replaced it */
  current: boolean;
  /** when it expires unless it is renewed (UTC); null for a visitor */
  endsAt: Date | null;
}

/** The longest time that a timer can wait. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** Calls `onEnd` once a session is over, also when it expires. */
export class SessionTimer {
  #read: () => Promise<SessionState>;
  #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(read: () => Promise<SessionState>, onEnd: () => void) {
    this.#read = read;
    this.#onEnd = onEnd;
  }

  /** Reads the session, and again when it should have expired: a session in use is renewed. */
  async check(): Promise<void> {
    const { current, endsAt } = await this.#read();
    if (this.#stopped) return;
    if (!current) this.#onEnd();
    else if (endsAt) this.#checkIn(endsAt.getTime() - Date.now() + SECOND);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #checkIn(ms: number): void {
    // A session that cannot be read is looked at again a minute later.
    const again = () => this.check().catch(() => this.#stopped || this.#checkIn(MINUTE));
    this.#timer = setTimeout(again, Math.min(Math.max(ms, SECOND), MAX_WAIT_MS));
    this.#timer.unref();
  }
}
