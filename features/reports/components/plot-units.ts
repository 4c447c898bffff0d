import { formatCount } from '#platform/format-count.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { shortCount, shortMoney } from '../axis-text.ts';

/** What the values of a chart are. */
export type PlotUnit = 'money' | 'count';

/** How they are written on the axis, and beside a point. */
export const units = {
  money: { short: shortMoney, exact: dollarsAndCents },
  count: { short: shortCount, exact: formatCount },
} satisfies Record<PlotUnit, { short: (value: number) => string; exact: (value: number) => string }>;
