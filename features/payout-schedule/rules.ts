import {
  LARGEST_PAYOUT_APPROVAL_CENTS,
  type PayoutFrequency,
  payoutFrequencies,
  payoutMinimums,
} from '#features/settings/rules.ts';
import { hasRole, nobody } from '#platform/access.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { formatCount } from '#platform/format-count.ts';
import { parseDollars } from '#platform/money.ts';
import type { ScheduleErrors, ScheduleSettings, TypedSchedule } from './model.ts';

export const maySaveSchedule = hasRole('admin');
/** Only the job. */
export const mayRunSchedule = nobody;

const largestDollars = LARGEST_PAYOUT_APPROVAL_CENTS / 100;

export const scheduleMessages = {
  saved: 'Payout Settings Saved',
  failed: 'Failed to save payout settings.',
  loadFailed: 'The payout schedule could not be loaded.',
  newer: 'This record was changed by someone else',
  frequencyMissing: 'Choose how often sellers are paid',
  minimumMissing: 'Choose a minimum payout amount',
  approvalMissing: 'Amount is required',
  approvalWrong: `Enter an amount from $0 to $${formatCount(largestDollars)}`,
} as const;

/** What administrators have seen, for comparison with what is stored when it is saved. */
export const scheduleVersion = ({ frequency, minimumCents, approvalCents }: ScheduleSettings): string =>
  JSON.stringify([frequency, minimumCents, approvalCents]);

type ParsedSchedule = { ok: true; settings: StorableSchedule } | { ok: false; errors: ScheduleErrors };

/** Settings with a minimum that can be stored. */
export type StorableSchedule = ScheduleSettings & { minimumCents: (typeof payoutMinimums)[number] };

/** The settings from what was typed, or what is wrong with it. Without a threshold the amount typed for it does not matter. */
export function parseSchedule({
  frequency: typed,
  minimum,
  requiresApproval,
  approval,
}: TypedSchedule): ParsedSchedule {
  const frequency = payoutFrequencies.find((one) => one === typed);
  const minimumCents = payoutMinimums.find((one) => String(one) === minimum);
  const limit = requiresApproval ? parseApproval(approval) : { cents: null };
  if (frequency !== undefined && minimumCents !== undefined && 'cents' in limit)
    return { ok: true, settings: { frequency, minimumCents, approvalCents: limit.cents } };
  return {
    ok: false,
    errors: {
      ...(frequency === undefined && { frequency: scheduleMessages.frequencyMissing }),
      ...(minimumCents === undefined && { minimum: scheduleMessages.minimumMissing }),
      ...('error' in limit && { approval: limit.error }),
    },
  };
}

function parseApproval(typed: string): { cents: number } | { error: string } {
  const cell = parseDollars(typed, LARGEST_PAYOUT_APPROVAL_CENTS);
  if ('blank' in cell) return { error: scheduleMessages.approvalMissing };
  if ('wrong' in cell) return { error: scheduleMessages.approvalWrong };
  return { cents: cell.value };
}

export const frequencyNames: Readonly<Record<PayoutFrequency, string>> = {
  instant: 'Instant',
  daily: 'Daily',
  weekly: 'Weekly',
  biweekly: 'Biweekly',
  monthly: 'Monthly',
  manual: 'Manual',
};

/** When payouts are made, below the choice. */
export const frequencyHints: Readonly<Record<PayoutFrequency, string>> = {
  instant: 'As soon as the sale is released and its payment can no longer be taken back.',
  daily: 'Every day at 02:00 UTC.',
  weekly: 'Every Monday at 02:00 UTC.',
  biweekly: 'On Mondays of even calendar weeks at 02:00 UTC.',
  monthly: 'On the 1st of every month at 02:00 UTC.',
  manual: 'Never without an administrator: payouts are processed in Payout Management.',
};

/** How long from one moment to a later one: 'in 6 days', 'in 14 hours', 'in 1 minute'. */
export function inWords(from: Date, to: Date): string {
  const left = Math.max(to.getTime() - from.getTime(), MINUTE);
  const [unit, ms] =
    left >= 2 * DAY
      ? (['day', DAY] as const)
      : left >= 2 * HOUR
        ? (['hour', HOUR] as const)
        : (['minute', MINUTE] as const);
  return new Intl.RelativeTimeFormat('en-US').format(Math.round(left / ms), unit);
}
