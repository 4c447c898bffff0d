import { hasRole, nobody } from '#platform/access.ts';

/** Sellers their own, also suspended ones; administrators everyone's. */
export const mayReadStatements = hasRole('agent', 'admin');
/** Months are closed by time alone. */
export const mayCloseMonths = nobody;

/** 'ST-000042': the number of a closed month's statement. */
export const statementNumber = (value: number): string => `ST-${String(value).padStart(6, '0')}`;
