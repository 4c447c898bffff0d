import { DAY, HOUR } from '#platform/durations.ts';

/** Spans of time for which sums are kept. */
export type Span = 'quarter' | 'hour' | 'day';

/** Consecutive spans of one length: from the one that begins at `start` to the one before `end`. */
export interface Piece {
  span: Span;
  start: number;
  end: number;
}

const up = (at: number, length: number) => Math.ceil(at / length) * length;
const down = (at: number, length: number) => Math.floor(at / length) * length;

const inner: Record<Exclude<Span, 'day'>, { span: Span; length: number }> = {
  quarter: { span: 'hour', length: HOUR },
  hour: { span: 'day', length: DAY },
};

/**
 * The fewest spans that cover a period between two instants (milliseconds) which are multiples of a quarter of an hour: days of
 * UTC, hours before and after them, and quarters before and after those.
 */
export function piecesOf(start: number, end: number, span: Span = 'quarter'): Piece[] {
  if (start >= end) return [];
  if (span === 'day') return [{ span, start, end }];
  const { span: longer, length } = inner[span];
  const [from, to] = [up(start, length), down(end, length)];
  if (from >= to) return [{ span, start, end }];
  return [
    ...(start < from ? [{ span, start, end: from }] : []),
    ...piecesOf(from, to, longer),
    ...(to < end ? [{ span, start: to, end }] : []),
  ];
}
