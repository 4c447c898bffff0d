import type { SaleRefund } from './details-model.ts';

/** Whether a refund was paid from our bank account, and has not come back. */
export const isPaidByBank = ({ origin, status }: SaleRefund): boolean =>
  origin === 'bank' && status === 'succeeded';
