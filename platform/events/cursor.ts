/**
 * A reader's position in the live events: everything visible in snapshot `seen` was read, and of what became visible with
 * snapshot `reading`, everything up to event `upTo`. As the id of a server-sent event it lets a stream resume exactly where
 * it broke off, in whatever order transactions committed.
 */
export interface Cursor {
  /** pg_snapshot text, `xmin:xmax:running` */
  seen: string;
  part: { reading: string; upTo: number } | null;
  at: Date;
}

const SNAPSHOT = '\\d{1,20}:\\d{1,20}:(?:\\d{1,20}(?:,\\d{1,20})*)?';
const PATTERN = new RegExp(`^(\\d{1,13})~(${SNAPSHOT})(?:~(${SNAPSHOT})~(\\d{1,15}))?$`);
const MAX_LENGTH = 4_000;

export function writeCursor({ seen, part, at }: Cursor): string {
  return [at.getTime(), seen, ...(part ? [part.reading, part.upTo] : [])].join('~');
}

/** Parses a cursor sent back by the browser; null for anything that writeCursor would not produce. */
export function readCursor(text: string | undefined | null): Cursor | null {
  if (!text || text.length > MAX_LENGTH) return null;
  const [, at, seen, reading, upTo] = PATTERN.exec(text) ?? [];
  if (!at || !seen || !isSnapshot(seen) || (reading && !isSnapshot(reading))) return null;
  return {
    seen,
    part: reading && upTo ? { reading, upTo: Number(upTo) } : null,
    at: new Date(Number(at)),
  };
}

/** PostgreSQL requires of a snapshot: xmin ≤ each running transaction < xmax, ascending. */
function isSnapshot(text: string): boolean {
  const [xmin = '', xmax = '', running = ''] = text.split(':');
  const numbers = [xmin, ...running.split(',').filter(Boolean)].map(BigInt);
  return (
    BigInt(xmax) < 2n ** 63n &&
    BigInt(xmin) > 0n &&
    BigInt(xmin) <= BigInt(xmax) &&
    numbers.every((number, at) => at === 0 || (number >= (numbers[at - 1] ?? 0n) && number < BigInt(xmax)))
  );
}
