import { payoutsText } from '#features/payout-runs/rules.ts';
import { plural } from '#platform/format-count.ts';
import { dollarsAndCents, wholeDollars } from '#platform/money.ts';
import type { LastPayouts, NextPayouts, ScheduleSettings } from './model.ts';
import { frequencyNames } from './rules.ts';

const dayFormat = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** 'Monday, November 30, 2026 at 02:00 UTC' */
export const utcMoment = (at: string): string =>
  `${dayFormat.format(new Date(at))} at ${new Date(at).toISOString().slice(11, 16)} UTC`;

/** 'No minimum' or '$100' */
export const minimumText = (cents: number): string => (cents === 0 ? 'No minimum' : wholeDollars(cents));

/** 'Weekly, $100, approval above $5,000,000.00' */
export const scheduleText = ({ frequency, minimumCents, approvalCents }: ScheduleSettings): string =>
  [
    frequencyNames[frequency],
    minimumText(minimumCents).toLowerCase(),
    approvalCents === null ? 'no approval' : `approval above ${dollarsAndCents(approvalCents)}`,
  ].join(', ');

/** When the schedule pays next, in a sentence for the lists of payouts; null when it does not. */
export function nextPayoutsText({ frequency, at, inWords, minimumCents }: NextPayouts): string | null {
  if (frequency === 'manual') return null;
  const who =
    minimumCents === 0 ? '' : `, to sellers who are owed ${wholeDollars(minimumCents)} or more in total`;
  return at === null
    ? `The schedule makes payouts as soon as they are payable${who}.`
    : `The schedule makes the next payouts on ${utcMoment(at)}, ${inWords}${who}.`;
}

/** How the schedule did last, in a sentence. */
export function lastPayoutsText({ run, sellersBelowMinimum }: LastPayouts): string {
  const below =
    sellersBelowMinimum === 0
      ? ''
      : ` ${plural(sellersBelowMinimum, 'seller was', 'sellers were')} owed less than the minimum.`;
  return `${run === null ? 'There was nothing to pay.' : runText(run)}${below}`;
}

function runText({ status, count, totalCents, started, refused }: NonNullable<LastPayouts['run']>): string {
  const all = `${payoutsText(count)}, ${dollarsAndCents(totalCents)} in total`;
  switch (status) {
    case 'awaiting_approval':
      return `${all}, wait for approval.`;
    case 'running':
      return `${all}, are being processed.`;
    case 'declined':
      return `${all}, were declined.`;
    case 'expired':
      return `${all}, were not approved in time.`;
    case 'finished':
      return refused === 0
        ? `${payoutsText(started)} processed, ${dollarsAndCents(totalCents)} in total.`
        : `${payoutsText(started)} processed, ${payoutsText(refused)} failed.`;
  }
}
