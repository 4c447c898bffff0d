import { hasRole, nobody } from '#platform/access.ts';
import { type BoundedCount, countText } from '#platform/counts.ts';
import { HOUR } from '#platform/durations.ts';
import { formatCount, plural } from '#platform/format-count.ts';
import { dollarsAndCents } from '#platform/money.ts';

export const maySeePayoutRuns = hasRole('admin');
export const mayRunPayouts = hasRole('admin');
/** Only the schedule and the jobs. */
export const mayScheduleRuns = nobody;

/** Payouts of one run at most. */
export const MOST_PAYOUTS = 1_000;
/** 'Select all 40'; of more than a run can have, the first of them as listed. */
export const selectAllLabel = (total: BoundedCount): string =>
  total.more || total.count > MOST_PAYOUTS
    ? `Select the first ${formatCount(MOST_PAYOUTS)} of ${countText(total)} (a run can have no more)`
    : `Select all ${countText(total)}`;

/** Above this total an administrator types it to confirm a run; cents. */
export const TYPED_TOTAL_ABOVE_CENTS = 100_000_00;
/** How long a run waits for its approval, in milliseconds. */
export const APPROVAL_LASTS_MS = 72 * HOUR;

/**
 * The amount that somebody typed, in cents: '$2,868,000.00', '2868000' and '2,868,000' are the same; null for anything else.
 */
export function typedCents(typed: string): number | null {
  const [, whole = '', fraction = ''] =
    /^\$?\s*(\d{1,3}(?:,\d{3})+|\d{1,13})(?:\.(\d{2}))?$/.exec(typed.trim()) ?? [];
  if (whole === '') return null;
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(fraction || '0');
  return Number.isSafeInteger(cents) ? cents : null;
}

/** '1 payout', '1,200 payouts' */
export const payoutsText = (n: number): string => plural(n, 'payout', 'payouts');

/** 'Ann', 'Ann or Bo', 'Ann, Bo or Cy'. */
export const anyOf = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

/** What administrators read about payouts and their runs. */
export const runMessages = {
  fetchFailed: 'Error fetching payouts',
  loadFailed: 'Error loading payouts',
  none: 'No pending payouts found',
  cannot: 'Cannot Process Payout',
  updateFailed: 'Payout Update Failed',
  failed: 'Error Processing Payouts',
  processed: (n: number) => ({
    title: `${formatCount(n)} Payouts Processed`,
    text: 'The money is on its way to the sellers.',
  }),
  refused: (n: number) => ({
    title: `${formatCount(n)} Payouts Failed`,
    text: 'Some payouts could not be processed. See the error messages.',
  }),
  started: (n: number) => ({
    title: 'Payouts started',
    text: `${payoutsText(n)} are being processed. You can leave this page.`,
  }),
  awaiting: (n: number, approvers: readonly string[]) => ({
    title: 'Waiting for approval',
    text: `${anyOf(approvers)} can approve the ${payoutsText(n)}. Nothing is sent until then.`,
  }),
  approved: { title: 'Payouts approved', text: 'They are being processed now.' },
  declined: { title: 'Payouts declined', text: 'Nothing was sent.' },
  nothingSelected: 'Please select the payouts to process.',
  nothingPayable: 'None of the selected payouts can be processed.',
  tooMany: `A run can have at most ${formatCount(MOST_PAYOUTS)} payouts.`,
  inProgress: 'Other payouts are being processed. Please wait until they are done.',
  changed: 'The payouts have changed since you opened this dialog. Please look at them again.',
  typedTotal: (cents: number) => `Please type the total: ${dollarsAndCents(cents)}`,
  approver: 'Please choose another administrator to approve these payouts.',
  noApprover: 'There is no other administrator who could approve these payouts.',
  notWaiting: 'These payouts no longer wait for an approval.',
  ownRun: 'Another administrator has to decide about payouts that you asked for.',
  noReason: 'Please say why.',
  retried: { title: 'Payout is pending again', text: 'Process it with the other pending payouts.' },
  recorded: { title: 'Bank reference saved', text: 'Another administrator has to confirm it.' },
  confirmed: { title: 'Payout confirmed', text: 'The seller is notified.' },
  notMade: { title: 'Payout not made', text: 'The seller is owed the amount as before.' },
  cameBack: { title: 'Payout came back', text: 'The seller is owed the amount again.' },
  gone: 'This is no longer there.',
  unexpected: 'Something went wrong. Please try again.',
} as const;
