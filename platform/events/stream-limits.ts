/** How many event streams may be open at once. */
interface StreamLimits {
  /** of one signed-in user: one for each browser, whose tabs share it */
  user: number;
  /** of visitors from one address */
  visitor: number;
  /** from one address, whoever they are: an office has one for many */
  address: number;
  /** of the whole process */
  process: number;
}

/** What the process needs besides streams: connections of requests and of the database, files. */
const OTHER_DESCRIPTORS = 400;

/** The files that this process may have open, connections among them; null when the system sets no limit. */
export function openFileLimit(): number | null {
  const report = process.report.getReport() as { userLimits?: Record<string, { soft?: number | string }> };
  const soft = report.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : null;
}

/** Files and connections of the database that are open beside those of clients. */
const OWN_DESCRIPTORS = 150;

/**
 * How many connections of clients are accepted: room is left for the process's own files, without which nobody would be served.
 * @param descriptors files that the process may have open
 */
export const connectionLimit = (descriptors: number | null): number | undefined =>
  descriptors === null ? undefined : Math.max(100, descriptors - OWN_DESCRIPTORS);

/**
 * At most 10,000 streams, and never so many that ordinary requests find no descriptor.
 * @param descriptors files that the process may have open
 * @param relaxed limits of users and addresses are out of reach, for tests and measurements from one machine
 */
export function streamLimits(
  descriptors: number | null,
  { relaxed = false }: { relaxed?: boolean } = {},
): StreamLimits {
  const left = descriptors === null ? 10_000 : Math.max(100, descriptors - OTHER_DESCRIPTORS);
  const process = Math.min(10_000, left);
  return relaxed
    ? { user: process, visitor: process, address: process, process }
    : { user: 20, visitor: 20, address: 300, process };
}

/** Counts open streams, and refuses those beyond the limits. */
export class StreamCounter {
  readonly #limits: StreamLimits;
  readonly #open = new Map<string, number>();

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /**
   * Counts one more stream of a user, or of a visitor for null, from a network.
   * @returns what ends it; null when there are too many already
   */
  enter({ userId, network }: { userId: string | null; network: string }): (() => void) | null {
    const { user, visitor, address, process } = this.#limits;
    const counted: [name: string, limit: number][] = [
      ['process', process],
      [`address ${network}`, address],
      userId === null ? [`visitor ${network}`, visitor] : [`user ${userId}`, user],
    ];
    if (counted.some(([name, limit]) => (this.#open.get(name) ?? 0) >= limit)) return null;
    for (const [name] of counted) this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      for (const [name] of counted) {
        const left = (this.#open.get(name) ?? 1) - 1;
        if (left > 0) this.#open.set(name, left);
        else this.#open.delete(name);
      }
    };
  }
}
