import { hasRole, nobody } from '#platform/access.ts';

/** Sellers their own, also suspended ones; administrators everyone's. */
export const mayReadStatements = hasRole('agent', 'admin');
/** Months are closed by time alone. */
export const mayCloseMonths = nobody;
