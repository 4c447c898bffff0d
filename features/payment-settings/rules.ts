import { hasRole, nobody } from '#platform/access.ts';

export const maySeePaymentSettings = hasRole('admin');
export const mayChangeStripe = hasRole('admin');
/** For jobs only. */
export const mayTidyKeys = nobody;
/** For the command line only. */
export const mayReseal = nobody;
