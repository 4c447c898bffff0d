import { formatCount } from '#platform/format-count.ts';

/** How far the rows of a long list are counted. */
export const COUNT_LIMIT = 10_000;
/** How far the matches of a search are, since each has to be read for it; of more, pages are met along the order of a list. */
export const COUNTED_MATCHES = 1_000;

/** A number of rows that is exact up to `COUNT_LIMIT`. */
export interface BoundedCount {
  /** at most `COUNT_LIMIT` */
  count: number;
  /** there are more than that */
  more: boolean;
}

/** '1,234', or '10,000+' for everything beyond. */
export const countText = ({ count, more }: BoundedCount): string => `${formatCount(count)}${more ? '+' : ''}`;

/**
 * The number of the last page that can be opened, at least 1. Beyond the counted rows there is none: sorting the other
 * way round, a search or a filter leads to what lies there.
 */
export const lastPageOf = ({ count }: BoundedCount, pageSize: number): number =>
  Math.max(1, Math.ceil(count / pageSize));
