import { expect, it } from 'vitest';
import { payoutRefusals } from './model.ts';
import { type LatestPayout, payoutStanding } from './standing.ts';

const latest: LatestPayout = {
  status: 'processing',
  byHand: false,
  amountCents: 900_00,
  nettedCents: 100_00,
  paidCents: 0,
  failure: null,
  reference: 'tr_1',
  arrivesAt: new Date('2026-11-27T00:00:00Z'),
  settledAt: null,
};
const open = { payout: 'pending', decision: { ok: true }, latest: null, dueCents: 1_000_00 } as const;

it('a payout that nothing holds is ready, one of nothing settled', () => {
  expect(payoutStanding(open)).toMatchObject({ state: 'ready', amountCents: 1_000_00, at: null });
  expect(payoutStanding({ ...open, dueCents: 0 })).toMatchObject({ state: 'settled', nettedCents: 0 });
});

it('a held one says why, until when, and whether its seller can do something about it', () => {
  const until = new Date('2026-11-30T12:00:00Z');
  expect(payoutStanding({ ...open, decision: { ok: false, refusal: 'risk_hold', until } })).toMatchObject({
    state: 'held',
    title: 'Held',
    text: "Until then the buyer's payment can still be taken back.",
    at: until.toISOString(),
    atLabel: 'Until',
    inSettings: false,
  });
  expect(payoutStanding({ ...open, decision: { ok: false, refusal: 'account_inactive' } })).toMatchObject({
    text: 'Stripe needs something from you before payouts can be sent.',
    at: null,
    atLabel: null,
    inSettings: true,
  });
  for (const refusal of payoutRefusals) {
    const { text, title } = payoutStanding({ ...open, decision: { ok: false, refusal } });
    expect(text, refusal).toMatch(/\.$/);
    expect(title).toBe('Held');
  }
});

it('one on its way says when it is expected, and who sends it', () => {
  const running = { ...open, payout: 'processing', dueCents: 0, latest } as const;
  expect(payoutStanding(running)).toMatchObject({
    state: 'processing',
    amountCents: 900_00,
    nettedCents: 100_00,
    reference: 'tr_1',
    at: '2026-11-27T00:00:00.000Z',
    atLabel: 'Expected',
  });
  const byHand = { ...latest, byHand: true, arrivesAt: null, reference: null };
  expect(payoutStanding({ ...running, latest: byHand })).toMatchObject({
    text: 'We are sending it by hand.',
    at: null,
    atLabel: null,
  });
});

it('a paid one has its reference and date; one that only settled what was owed says so', () => {
  const done = { ...open, payout: 'completed', dueCents: 0 } as const;
  const settledAt = new Date('2026-11-28T09:00:00Z');
  const paid = { ...latest, status: 'completed', settledAt, paidCents: 900_00 } as const;
  expect(payoutStanding({ ...done, latest: paid })).toMatchObject({
    state: 'paid',
    reference: 'tr_1',
    at: settledAt.toISOString(),
    atLabel: 'Paid',
  });
  expect(payoutStanding({ ...done, latest: { ...paid, amountCents: 0, paidCents: 0 } })).toMatchObject({
    state: 'settled',
    text: 'All of it was deducted for what you owed for earlier sales, so nothing is sent.',
  });
});

it('a failed one says why and what to do; one that came back is told apart', () => {
  const failed = { ...open, payout: 'failed' } as const;
  const closed = { ...latest, status: 'failed', failure: 'account_inactive' } as const;
  expect(payoutStanding({ ...failed, latest: closed })).toMatchObject({
    state: 'failed',
    title: 'Failed',
    text: 'Your account with the payment provider cannot receive payouts right now. The money is still yours. Please check your payment settings; it is then sent again.',
    inSettings: true,
    amountCents: 1_000_00,
  });
  expect(
    payoutStanding({ ...failed, latest: { ...closed, failure: 'returned', paidCents: 900_00 } }),
  ).toMatchObject({ state: 'returned', title: 'Came back' });
  const ours = payoutStanding({ ...failed, latest: { ...closed, failure: 'balance_short' } });
  expect(ours.inSettings).toBe(false);
  expect(ours.text).toContain('We look into it and send it again.');
});
