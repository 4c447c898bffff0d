import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { userWith } from '#tests/support/fixtures/actors.ts';
import { begun, failed, held, returned, submitted } from '#tests/support/fixtures/sale-image.ts';
import { mayDecidePayments, mayReplayMessages, nextAskAt, REFUND_DAYS, retryAskAt } from './rules.ts';

const now = new Date('2026-11-20T12:00:00Z');
const returning = { ...held, escrow: 'cancelled' } as const;
const calm = { refundRunning: false, disputeOpen: false };

describe('when a provider is asked about a sale again', () => {
  it.each([
    ['while it is unpaid', begun, 0, {}, 10 * MINUTE],
    ['while it is being paid', submitted, 200, {}, 10 * MINUTE],
    ['while it is to be refunded', returning, 200, {}, 10 * MINUTE],
    ['while a refund runs', held, 200, { refundRunning: true }, 10 * MINUTE],
    ['while it is held', held, 200, {}, HOUR],
    ['while it may still be paid late', failed, 6, {}, HOUR],
    ['when that is no longer likely', failed, 7, {}, DAY],
    ['when it has been returned', returned, 1, {}, DAY],
    ['for half a year', returned, 179, {}, DAY],
    ['after that', returned, 180, {}, null],
    ['after that, with a dispute open', returned, 180, { disputeOpen: true }, DAY],
  ])('%s', (_, state, days, facts, after) => {
    const createdAt = new Date(now.getTime() - days * DAY);
    const at = nextAskAt(state, { createdAt, ...calm, ...facts }, now);
    expect(at && at.getTime() - now.getTime()).toBe(after);
  });

  it('later each time it gives no answer, up to six hours', () => {
    const wait = (failures: number) => retryAskAt(failures, now).getTime() - now.getTime();
    expect([1, 2, 3, 6, 7, 50].map(wait)).toEqual([
      10 * MINUTE,
      20 * MINUTE,
      40 * MINUTE,
      320 * MINUTE,
      6 * HOUR,
      6 * HOUR,
    ]);
  });
});

describe('payments', () => {
  it('are decided about, and their messages processed again, by administrators', () => {
    const roles = (['buyer', 'agent', 'admin'] as const).map((role) => userWith(role));
    for (const permission of [mayDecidePayments, mayReplayMessages])
      expect(roles.map(permission)).toEqual([false, false, true]);
  });

  it('leave banks ten business days for a refund, and a blockchain a day, before it is looked at', () => {
    expect(REFUND_DAYS.card).toBeGreaterThan(14);
    expect(REFUND_DAYS.crypto).toBeGreaterThan(1);
    expect(Math.max(...Object.values(REFUND_DAYS))).toBeLessThan(21);
  });
});
