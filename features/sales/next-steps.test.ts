import { describe, expect, it } from 'vitest';
import type { Party, SaleState } from './model.ts';
import { comingSteps, nextStepOf, type StepFacts } from './next-steps.ts';
import type { SaleFacts } from './transition.ts';

const now = new Date('2026-11-22T12:00:00Z');
const day = (days: number) => new Date(now.getTime() + days * 86_400_000);
const calm: SaleFacts = {
  frozen: false,
  problemOpen: false,
  problemOpenedBy: null,
  cancellationAskedBy: null,
  documentsDelivered: false,
  documentsDueAt: day(14),
  blockedSince: null,
  propertyGone: false,
  documentsRemoved: false,
  overdueNoted: false,
  releaseDueAt: null,
  refundRunning: false,
  chargebackOpen: false,
  frozenBy: 0,
  heldCents: 100_00,
  now,
};
const state = (
  payment: SaleState['payment'],
  escrow: SaleState['escrow'],
  payout: SaleState['payout'] = null,
): SaleState => ({ payment, escrow, payout });
const held = state('completed', 'in_escrow');
const sale = (viewer: Party, of: SaleState, facts: Partial<SaleFacts> = {}): StepFacts => ({
  state: of,
  facts: { ...calm, ...facts },
  lockedUntil: null,
  parts: null,
  viewer,
});
const titles = (of: StepFacts) => comingSteps(of, { documentsDueDays: 14 }).map(({ title }) => title);

describe('the next step', () => {
  it('speaks to its reader', () => {
    expect(nextStepOf(sale('buyer', held))?.text).toBe('The seller delivers the closing documents.');
    expect(nextStepOf(sale('seller', held))).toEqual({
      text: 'Deliver the closing documents to the buyer, then mark them as delivered.',
      who: 'seller',
      by: day(14).toISOString(),
    });
    const delivered = { documentsDelivered: true, releaseDueAt: day(7) };
    expect(nextStepOf(sale('buyer', held, delivered))).toMatchObject({
      text: expect.stringMatching(
        /^Check the closing documents, then confirm the closing or report a problem/,
      ),
      who: 'buyer',
      by: day(7).toISOString(),
    });
    expect(nextStepOf(sale('seller', held, delivered))?.text).toMatch(/^The buyer confirms the closing/);
    expect(nextStepOf(sale('buyer', state('pending', 'pending')))?.text).toBe(
      'Complete your payment on the checkout page.',
    );
  });

  it('after the closing concerns the seller alone', () => {
    for (const payout of ['pending', 'processing', 'failed', 'completed'] as const) {
      expect(nextStepOf(sale('buyer', state('completed', 'completed', payout)))).toBeNull();
      const seller = nextStepOf(sale('seller', state('completed', 'completed', payout)));
      expect(seller === null).toBe(payout === 'completed');
    }
    expect(nextStepOf(sale('seller', state('refunded', 'completed', 'pending')))).toBeNull();
  });

  it('is the other side’s when a cancellation is asked for', () => {
    const asked = { cancellationAskedBy: 'seller' } as const;
    expect(nextStepOf(sale('buyer', held, asked))).toMatchObject({
      text: 'Agree to the cancellation or decline it.',
      who: 'buyer',
    });
    expect(nextStepOf(sale('seller', held, asked))?.text).toBe(
      'The buyer agrees to the cancellation or declines it.',
    );
  });

  it('says why nothing moves', () => {
    expect(nextStepOf(sale('buyer', held, { frozen: true }))?.text).toMatch(/under review/);
    expect(nextStepOf(sale('buyer', held, { frozen: true, chargebackOpen: true }))?.text).toMatch(/bank/);
    const problem = { problemOpen: true, problemOpenedBy: 'buyer' } as const;
    expect(nextStepOf(sale('buyer', held, problem))?.text).toMatch(/problem you reported/);
    expect(nextStepOf(sale('seller', held, problem))?.text).toMatch(/the reported problem/);
  });
});

describe('the steps that come', () => {
  it('are all that is left until the payout', () => {
    expect(titles(sale('buyer', state('pending', 'pending')))).toEqual([
      'The seller delivers the closing documents',
      'You confirm the closing',
      'The seller is paid',
    ]);
    expect(titles(sale('seller', held))).toEqual(['The buyer confirms the closing', 'You are paid']);
    expect(titles(sale('seller', held, { documentsDelivered: true }))).toEqual(['You are paid']);
  });

  it('say when the closing is at hand if everybody takes all the time they have', () => {
    const closing = (facts: Partial<SaleFacts>) =>
      comingSteps(sale('buyer', held, facts), { documentsDueDays: 14 }).find(({ who }) => who === 'buyer');
    expect(closing({})?.by).toBe(day(21).toISOString());
    expect(closing({ problemOpen: true })?.by).toBeNull();
    expect(closing({ documentsDueAt: day(-1) })?.by).toBeNull();
  });

  it('begin with what was interrupted while something has to be settled', () => {
    expect(titles(sale('buyer', held, { problemOpen: true }))).toEqual([
      'The seller delivers the closing documents',
      'You confirm the closing',
      'The seller is paid',
    ]);
    expect(titles(sale('buyer', held, { documentsDelivered: true, cancellationAskedBy: 'seller' }))).toEqual([
      'You confirm the closing',
      'The seller is paid',
    ]);
  });

  it('are none once a sale has closed or ended', () => {
    for (const ended of [
      state('completed', 'completed', 'pending'),
      state('failed', 'cancelled'),
      state('refunded', 'cancelled'),
    ])
      for (const viewer of ['buyer', 'seller', 'admin'] as const)
        expect(titles(sale(viewer, ended))).toEqual([]);
  });

  it('name the limits of the marketplace', () => {
    const [documents, closing] = comingSteps(sale('buyer', state('pending', 'pending')), {
      documentsDueDays: 21,
    });
    expect(documents?.detail).toBe('Within 21 days of the payment.');
    expect(closing?.detail).toMatch(/^Within 7 days of delivery\./);
  });
});
