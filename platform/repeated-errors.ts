import { MINUTE } from './durations.ts';

/** Error codes of a server or network that is away, which every request then meets. */
const OUTAGE =
  /^(?:ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EPIPE|57P0[1-3]|08\w{3}|53300)$/;
const OUTAGE_MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|The connection to the database was lost)/;

/** What kind of outage an error tells of; null for every other error. */
function outageOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && OUTAGE.test(code)) return code;
    const message = OUTAGE_MESSAGES.exec(cause.message)?.[0];
    if (message) return message;
  }
  return null;
}

/**
 * Decides whether an error is logged: of an outage one line a minute, with the number of those left out since. Everything else is
 * always logged.
 */
export class RepeatedErrors {
  #now: () => number;
  #kinds = new Map<string, { at: number; leftOut: number }>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns null to leave it out, or how many of its kind were left out before */
  admit(error: unknown): { leftOut: number } | null {
    const kind = outageOf(error);
    if (kind === null) return { leftOut: 0 };
    const known = this.#kinds.get(kind);
    if (known && this.#now() - known.at < MINUTE) {
      known.leftOut += 1;
      return null;
    }
    this.#kinds.set(kind, { at: this.#now(), leftOut: 0 });
    return { leftOut: known?.leftOut ?? 0 };
  }
}
