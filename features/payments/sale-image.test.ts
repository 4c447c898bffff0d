import { describe, expect, it } from 'vitest';
import { begunSale, openCheckout, synced } from '#tests/promises/message-order/memory-sale.ts';
import { Draft } from './draft.ts';
import { outflowsOf } from './outflows.ts';
import { planSync } from './plan-sync.ts';
import { applyEvent, factsOfImage, type RecordedDispute, returnedOf, type SaleImage } from './sale-image.ts';

const answer = { ...openCheckout('sale'), status: 'paid' as const };
const { amountCents } = answer;
const paid = synced(begunSale('sale'), answer);
const refund = (cents: number) => ({
  ref: 're',
  status: 'succeeded' as const,
  amountCents: cents,
  key: null,
});
const dispute = {
  ref: 'dp',
  kind: 'chargeback' as const,
  status: 'lost' as const,
  amountCents,
  returnedCents: 0,
  feeCents: null,
  reason: 'fraudulent',
  evidenceDueAt: null,
};

describe('the image of a sale', () => {
  it('stays as it is by an event that is not possible', () => {
    expect(applyEvent(paid, { event: 'submit_payment', by: 'system', note: null })).toBe(paid);
  });

  it('says what has gone back, never more than the price and the fees', () => {
    const { basePriceCents, buyerFeesCents } = paid.amounts;
    expect(returnedOf(begunSale('sale'))).toEqual({ baseCents: 0, feesCents: 0 });
    const unassigned = synced(begunSale('sale'), { ...answer, amountCents: amountCents + 1 });
    expect(unassigned.entries).toMatchObject([{ kind: 'L6' }]);
    expect(returnedOf(unassigned)).toEqual({ baseCents: 0, feesCents: 0 });
    expect(returnedOf(paid)).toEqual({ baseCents: 0, feesCents: 0 });
    const part = synced(paid, { ...answer, refunds: [refund(7_00)] });
    expect(returnedOf(part)).toEqual({ baseCents: 7_00, feesCents: 0 });
    const all = synced(paid, { ...answer, refunds: [refund(amountCents)] });
    expect(returnedOf(all)).toEqual({ baseCents: basePriceCents, feesCents: buyerFeesCents });
    const overdrawn: SaleImage = {
      ...paid,
      entries: [
        ...paid.entries,
        { key: 'odd', kind: 'L4', postings: [{ account: 'escrow_held', cents: 2 * basePriceCents }] },
        { key: 'odder', kind: 'L4', postings: [{ account: 'fees_held', cents: -1 }] },
      ],
    };
    expect(returnedOf(overdrawn)).toEqual({ baseCents: basePriceCents, feesCents: 0 });
  });

  it('asks for all that has come back of a released sale to be refunded when its property is gone', () => {
    const closed = applyEvent(paid, { event: 'confirm_closing', by: 'buyer', note: null });
    const lost = synced(closed, { ...answer, disputes: [dispute] });
    const gone: SaleImage = { ...lost, facts: { ...lost.facts, propertyGone: true } };
    const returned = { ...answer, disputes: [{ ...dispute, status: 'won' as const }] };
    expect(synced(lost, returned).refunds).toEqual([]);
    const again = synced(gone, returned);
    expect(again.state).toEqual({ payment: 'completed', escrow: 'completed', payout: 'pending' });
    expect(again.refunds).toMatchObject([{ key: 'refund:sale:0', status: 'pending', amountCents }]);
    expect(synced(again, returned)).toEqual(again);
  });

  it('counts what has left by refund and by chargeback, and nothing for an inquiry', () => {
    const inquiry = { ...dispute, ref: 'iq', kind: 'inquiry' as const, status: 'open' as const };
    const image = synced(paid, { ...answer, refunds: [refund(7_00)], disputes: [inquiry] });
    expect([...outflowsOf(image)]).toEqual([
      ['provider:re', { cents: 7_00, asked: { baseCents: 7_00, feesCents: 0, suspenseCents: 0 } }],
    ]);
  });
});

describe('what guards of transitions ask an image', () => {
  const recorded = (change: Partial<RecordedDispute> = {}): RecordedDispute => ({
    ref: 'dp',
    kind: 'chargeback',
    status: 'open',
    amountCents,
    feeCents: 0,
    withdrawnCents: 0,
    ...change,
  });
  const found = { kind: 'unexpected_refund' as const, subject: 're', open: true };

  it.each([
    ['an open chargeback', recorded(), { chargebackOpen: true, frozenBy: 1 }],
    ['a chargeback that was won', recorded({ status: 'won' }), { chargebackOpen: false, frozenBy: 0 }],
    ['an open inquiry', recorded({ kind: 'inquiry' }), { chargebackOpen: false, frozenBy: 0 }],
  ])('%s', (_, one, facts) => {
    expect(factsOfImage({ ...paid, disputes: [one] })).toMatchObject(facts);
  });

  it('each open chargeback and each open break that freezes a sale keeps it frozen', () => {
    const image: SaleImage = {
      ...paid,
      disputes: [recorded(), recorded({ ref: 'dp2' })],
      breaks: [
        found,
        { ...found, subject: 're2', open: false },
        { ...found, kind: 'paid_back_twice', subject: 're3' },
      ],
    };
    expect(factsOfImage(image).frozenBy).toBe(3);
  });

  it('a refund runs until it is decided', () => {
    const [running] = applyEvent(paid, { event: 'cancel_sale', by: 'admin', note: null }).refunds;
    const withStatus = (status: 'pending' | 'succeeded' | 'failed') =>
      factsOfImage({ ...paid, refunds: running ? [{ ...running, status }] : [] }).refundRunning;
    expect([withStatus('pending'), withStatus('succeeded'), withStatus('failed')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('a frozen sale goes on when the last reason ends, and by nothing else', () => {
    const frozen: SaleImage = { ...paid, frozen: true };
    const end = { event: 'unfreeze_sale', by: 'system', note: null } as const;
    expect(applyEvent(frozen, end).frozen).toBe(false);
    expect(applyEvent({ ...frozen, breaks: [found] }, end).frozen).toBe(true);
    expect(applyEvent(frozen, { ...end, event: 'reverse_dispute' }).frozen).toBe(true);
  });
});

describe('what an event adds to an image', () => {
  it('the release, in the books', () => {
    const closed = applyEvent(paid, { event: 'confirm_closing', by: 'buyer', note: null });
    expect(closed.entries.at(-1)).toMatchObject({ key: 'released', kind: 'L2' });
  });

  it.each([
    ['as it was given', 'Agreed', 'Agreed'],
    ['empty, where none was given', null, ''],
  ])('a refund with its reason, %s', (_, note, reason) => {
    const cancelled = applyEvent(paid, { event: 'cancel_sale', by: 'admin', note });
    expect(cancelled.refunds).toMatchObject([{ key: 'refund:sale:0', amountCents, reason }]);
  });
});

describe('a draft', () => {
  it('makes a break of a fact that the sale cannot follow, once', () => {
    const draft = new Draft(begunSale('sale'));
    for (const _ of [1, 2]) draft.follow('settle_refund', null, 'something');
    expect(draft.changes).toEqual([
      {
        type: 'break',
        kind: 'refused_move',
        subject: 'settle_refund:something:sale',
        detail: '"settle_refund" is not possible for a sale that is pending · pending.',
      },
    ]);
  });

  it('posts nothing twice, and nothing at all for no postings', () => {
    const draft = new Draft(paid);
    draft.post('paid', 'L1', 'Again', paid.entries[0]?.postings ?? []);
    draft.post('nothing', 'L1', 'Nothing', []);
    expect(draft.changes).toEqual([]);
  });
});

describe('answers that find the books as they once were written', () => {
  it('a dispute that was decided before its end was posted: that is posted, and the sale was told before', () => {
    const open = synced(paid, { ...answer, disputes: [{ ...dispute, status: 'open' }] });
    const decided: SaleImage = {
      ...open,
      disputes: open.disputes.map((one) => ({ ...one, status: 'lost' as const })),
    };
    const { changes, image } = planSync(decided, { ...answer, disputes: [dispute] });
    expect(changes.map((change) => (change.type === 'entry' ? change.entry.key : change.type))).toEqual([
      'dispute-lost:dp',
      'dispute',
    ]);
    expect(image.disputes).toMatchObject([{ status: 'lost', withdrawnCents: 0 }]);
  });

  it('more money after an administrator has decided is on record, and a break', () => {
    const setAside = synced(begunSale('sale'), { ...answer, amountCents: amountCents + 5_00 });
    const decided: SaleImage = {
      ...setAside,
      frozen: false,
      state: { payment: 'failed', escrow: 'cancelled', payout: null },
      breaks: setAside.breaks.map((one) => ({ ...one, open: false })),
    };
    const { changes } = planSync(decided, { ...answer, amountCents: amountCents + 9_00 });
    expect(changes.map((change) => (change.type === 'break' ? change.kind : change.type))).toEqual([
      'entry',
      'refused_move',
    ]);
  });
});
