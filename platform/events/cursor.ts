/**
 * Where a reader of live events stands: everything visible in snapshot `seen` has been read, and of what became
 * visible with snapshot `reading` everything up to event `upTo`. As the id of a server-sent event it lets a stream go
 * on exactly where it broke off, whatever order transactions committed in.
 */
export interface Cursor {
  /** pg_snapshot text, `xmin:xmax:running` */
  seen: string;
  part: { reading: string; upTo: number } | null;
  at: Date;
}

const SNAPSHOT = '\\d{1,20}:\\d{1,20}:(?:\\d{1,20}(?:,\\d{1,20})*)?';
const PATTERN = new RegExp(`^(\\d{1,13})~(${SNAPSHOT})(?:~(${SNAPSHOT})~(\\d{1,15}))?$`);
const LONGEST = 4_000;

export function writeCursor({ seen, part, at }: Cursor): string {
  return [at.getTime(), seen, ...(part ? [part.reading, part.upTo] : [])].join('~');
}

/** Reads what a browser sent back; null for anything that writeCursor would not write. */
export function readCursor(text: string | undefined | null): Cursor | null {
  if (!text || text.length > LONGEST) return null;
  const [, at, seen, reading, upTo] = PATTERN.exec(text) ?? [];
  if (!at || !seen || !isSnapshot(seen) || (reading && !isSnapshot(reading))) return null;
  return {
    seen,
    part: reading && upTo ? { reading, upTo: Number(upTo) } : null,
    at: new Date(Number(at)),
  };
}

/** The order that PostgreSQL asks of a snapshot's numbers: xmin ≤ each running one, ascending, < xmax. */
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
