import { hasRole } from '#platform/access.ts';

export const mayChangeSettings = hasRole('admin');
export const mayReadPayoutHold = hasRole('admin');
export const mayReadWriteOffApproval = hasRole('admin');
export const mayReadPayoutRules = hasRole('admin');
export const mayEditOperator = hasRole('admin');

/** How often sellers are paid without an administrator: at once, at 02:00 UTC of some days, or never. */
export const payoutFrequencies = ['instant', 'daily', 'weekly', 'biweekly', 'monthly', 'manual'] as const;
export type PayoutFrequency = (typeof payoutFrequencies)[number];
/** Cents that a seller has to be owed before the schedule pays; 0 for any amount. */
export const payoutMinimums = [0, 100_00, 500_00, 1_000_00] as const;
/** The highest threshold above which payouts need a second administrator. */
export const LARGEST_PAYOUT_APPROVAL_CENTS = 1_000_000_000_000;

export const operatorMessages = {
  saved: 'Settings updated successfully',
  failed: 'Failed to update settings',
  newer: 'This record was changed by someone else',
};
