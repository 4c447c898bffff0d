import { hasRole } from '#platform/access.ts';

export const mayChangeSettings = hasRole('admin');
export const mayReadPayoutHold = hasRole('admin');
export const mayReadWriteOffApproval = hasRole('admin');
