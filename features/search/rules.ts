import { nobody } from '#platform/access.ts';

/** Upkeep is the business of jobs and of the command line. */
export const mayRefreshStatistics = nobody;
