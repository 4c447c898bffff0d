import { hasRole, nobody } from '#platform/access.ts';

/** A job chains the rows. */
export const mayChainAudit = nobody;
export const mayCheckAudit = hasRole('admin');
export const mayReadHistory = hasRole('admin');
