import { hasRole, nobody } from '#platform/access.ts';
import type { ListStatus, SaleMode } from './model.ts';

export const mayOverseeSales = hasRole('admin');
/** For jobs only. */
export const mayMakeFiles = nobody;

export const listStatusLabels: Record<ListStatus, string> = {
  awaiting_payment: 'Awaiting payment',
  cancelled: 'Cancelled',
  completed: 'Completed',
  failed: 'Failed',
  in_escrow: 'In Escrow',
  payment_processing: 'Payment processing',
  pending: 'Pending',
  processing: 'Processing',
  refunded: 'Refunded',
};

export const saleModeLabels: Record<SaleMode, string> = { live: 'Live', test: 'Test' };

export const transactionMessages = {
  empty: 'No Transactions Found',
  emptyText: 'There are currently no property sales recorded in the system.',
  noMatch: 'No transactions match these filters.',
  failed: 'Error fetching transactions',
} as const;
