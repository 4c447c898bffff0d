import { adminPaths } from '#routing/admin-paths.ts';
import type { ReportRange } from './model.ts';

/**
 * The URL of the sales that were paid on some days, both included, or of which money went back on them, in the order of one of
 * their amounts if wanted.
 */
export const salesCountedIn = (
  { from, to, zone }: ReportRange,
  sort?: '-price' | '-commission' | '-fees',
): string => adminPaths.transactions({ from, to, zone, paid: 1, sort });
