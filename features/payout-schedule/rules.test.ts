import { describe, expect, it } from 'vitest';
import { userWith } from '#tests/support/fixtures/actors.ts';
import { inWords, maySaveSchedule, parseSchedule, scheduleMessages } from './rules.ts';

const typed = (change: Partial<Parameters<typeof parseSchedule>[0]> = {}) =>
  parseSchedule({ frequency: 'weekly', minimum: '10000', requiresApproval: false, approval: '', ...change });

describe('a typed payout schedule', () => {
  it('is read with and without a threshold', () => {
    expect(typed({ approval: 'anything' })).toEqual({
      ok: true,
      settings: { frequency: 'weekly', minimumCents: 100_00, approvalCents: null },
    });
    expect(typed({ requiresApproval: true, approval: ' $5,000,000.50 ' })).toMatchObject({
      settings: { approvalCents: 5_000_000_50 },
    });
    expect(typed({ requiresApproval: true, approval: '0' })).toMatchObject({
      settings: { approvalCents: 0 },
    });
  });

  it.each([
    [{ frequency: 'hourly' }, { frequency: scheduleMessages.frequencyMissing }],
    [{ frequency: '' }, { frequency: scheduleMessages.frequencyMissing }],
    [{ minimum: '' }, { minimum: scheduleMessages.minimumMissing }],
    [{ minimum: '100' }, { minimum: scheduleMessages.minimumMissing }],
    [{ requiresApproval: true, approval: ' ' }, { approval: 'Amount is required' }],
    [{ requiresApproval: true, approval: '-1' }, { approval: 'Enter an amount from $0 to $10,000,000,000' }],
    [{ requiresApproval: true, approval: '10,000,000,000.01' }, { approval: scheduleMessages.approvalWrong }],
    [{ requiresApproval: true, approval: '1.005' }, { approval: scheduleMessages.approvalWrong }],
    [{ requiresApproval: true, approval: 'much' }, { approval: scheduleMessages.approvalWrong }],
  ])('refuses %j', (change, errors) => {
    expect(typed(change)).toEqual({ ok: false, errors });
  });
});

it.each([
  ['admin', true],
  ['agent', false],
  ['buyer', false],
] as const)('a user with the role %s may set the payout schedule: %s', (role, may) => {
  expect(maySaveSchedule(userWith(role))).toBe(may);
});

it.each([
  ['2026-11-30T02:00:00Z', 'in 7 days'],
  ['2026-11-25T12:00:00Z', 'in 2 days'],
  ['2026-11-25T11:00:00Z', 'in 47 hours'],
  ['2026-11-24T02:00:00Z', 'in 14 hours'],
  ['2026-11-23T13:30:00Z', 'in 90 minutes'],
  ['2026-11-23T12:00:10Z', 'in 1 minute'],
  ['2026-11-23T11:00:00Z', 'in 1 minute'],
])('the time until %s is told as %s', (to, words) => {
  expect(inWords(new Date('2026-11-23T12:00:00Z'), new Date(to))).toBe(words);
});
