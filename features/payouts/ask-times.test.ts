import { expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { nextPayoutAskAt, retryPayoutAskAt } from './ask-times.ts';

const now = new Date('2026-11-20T12:00:00Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const sent = { status: 'processing', paid_cents: 0, created_at: now, settled_at: null } as const;
const arrived = { ...sent, status: 'completed', paid_cents: 100, settled_at: now } as const;

it.each([
  ['just sent', sent, 5 * MINUTE],
  ['almost an hour old', { ...sent, created_at: ago(HOUR - 1) }, 5 * MINUTE],
  ['an hour old', { ...sent, created_at: ago(HOUR) }, HOUR],
  ['almost two days old', { ...sent, created_at: ago(2 * DAY - 1) }, HOUR],
  ['two days old', { ...sent, created_at: ago(2 * DAY) }, 6 * HOUR],
  ['old, with a part that arrived', { ...sent, created_at: ago(100 * DAY), paid_cents: 1 }, 6 * HOUR],
  ['has arrived', arrived, DAY],
  ['arrived 90 days ago', { ...arrived, settled_at: ago(90 * DAY) }, DAY],
  ['arrived longer ago', { ...arrived, settled_at: ago(90 * DAY + 1) }, null],
  ['arrived, nobody knows when', { ...arrived, settled_at: null }, DAY],
  ['came back in part', { ...arrived, status: 'failed', paid_cents: 1 }, DAY],
  ['failed', { ...arrived, status: 'failed', paid_cents: 0 }, null],
] as const)('when a payout is asked about again: %s', (_, payout, after) => {
  const at = nextPayoutAskAt(payout, now);
  expect(at && at.getTime() - now.getTime()).toBe(after);
});

it('is asked about later each time there is no answer, up to six hours', () => {
  const wait = (failures: number) => retryPayoutAskAt(failures, now).getTime() - now.getTime();
  expect([1, 2, 3, 6, 7, 50].map(wait)).toEqual([
    10 * MINUTE,
    20 * MINUTE,
    40 * MINUTE,
    320 * MINUTE,
    6 * HOUR,
    6 * HOUR,
  ]);
});
