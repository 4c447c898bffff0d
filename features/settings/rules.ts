import { hasRole } from '#platform/access.ts';

export const mayChangeSettings = hasRole('admin');
export const mayReadPayoutHold = hasRole('admin');
export const mayReadWriteOffApproval = hasRole('admin');
export const mayReadPayoutApproval = hasRole('admin');
export const mayEditOperator = hasRole('admin');

export const operatorMessages = {
  saved: 'Settings updated successfully',
  failed: 'Failed to update settings',
  newer: 'This record was changed by someone else',
};
