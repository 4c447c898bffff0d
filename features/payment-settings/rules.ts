import { hasRole } from '#platform/access.ts';

export const maySeePaymentSettings = hasRole('admin');
