import { nobody } from '#platform/access.ts';

/** Totals are counted by a scheduled job only. */
export const mayCountTotals = nobody;
