import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSandboxHarness, sandboxEvents } from '#tests/support/providers/sandbox-harness.ts';
import { CoinbaseCheckout, checkoutState } from '../coinbase/checkout.ts';
import { fixtureRequest, type PaymentsFixture } from '../contract-fixture.ts';
import { closeSandboxDispute, disputeSandbox, escalateSandboxInquiry } from './disputes.ts';
import { defaultAccount } from './rules.ts';
import { adjustSandbox, returnToSandbox, sendFromSandbox } from './treasury.ts';

const failure = (code: string) => ({ name: 'PaymentError', code });

await describeOnDatabase('the books of the sandbox, and what it tells of them', (open) => {
  let db: Database;
  let card: PaymentsFixture;
  let crypto: PaymentsFixture;
  let keys = 0;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    card = await createSandboxHarness(db, 'card');
    crypto = await createSandboxHarness(db, 'crypto');
  });
  const opened = async (harness: PaymentsFixture) =>
    (await harness.port.createCheckout(fixtureRequest(harness), `key:${++keys}`)).ref;
  const paid = async (harness: PaymentsFixture) => {
    const ref = await opened(harness);
    await harness.pay(ref);
    return ref;
  };
  const refundPayment = (harness: PaymentsFixture, ref: string, amountCents: number) =>
    harness.port.refund({ ref, amountCents, reason: 'canceled' }, `key:${++keys}`);

  it('speaks as Coinbase does: its messages are checkouts as the API reports them', async () => {
    const ref = await paid(crypto);
    const sent = await refundPayment(crypto, ref, 100);
    await crypto.settleRefund(sent.ref);
    const events = (await sandboxEvents(db)).filter((event) => event.ref === ref);
    const states = events.map(({ payload }) =>
      checkoutState(CoinbaseCheckout.parse(JSON.parse(payload)), false),
    );
    const { saleId } = fixtureRequest(crypto);
    expect(states).toMatchObject([
      { ref, saleId, status: 'paid', amountCents: 25_000_000, feeCents: 312_500, refunds: [] },
      { ref, saleId, status: 'paid', refunds: [{ ref: sent.ref, status: 'succeeded', amountCents: 100 }] },
    ]);
    expect(events.map(({ payload }) => JSON.parse(payload).status)).toEqual([
      'COMPLETED',
      'PARTIALLY_REFUNDED',
    ]);
    const rest = await refundPayment(crypto, ref, 24_999_900);
    await crypto.settleRefund(rest.ref);
    const last = (await sandboxEvents(db)).findLast((event) => event.ref === ref);
    expect(JSON.parse(last?.payload ?? '')).toMatchObject({
      status: 'REFUNDED',
      refundedAmount: '250000.00',
      metadata: { sale_id: saleId },
    });
  });

  it('tells of disputes and dashboard refunds as Stripe does', async () => {
    const [ref, other] = [await paid(card), await paid(card)];
    await disputeSandbox(db, ref, card.now(), { inquiry: true });
    const disputeRef = (await card.port.getCheckout(ref)).disputes[0]?.ref ?? '';
    const texts = { statement: 'delivered' };
    await card.port.submitEvidence?.({ disputeRef, texts, files: [] }, 'evidence:a');
    await escalateSandboxInquiry(db, ref, card.now());
    await closeSandboxDispute(db, disputeRef, 'lost', card.now());
    await card.refundInDashboard(other, 100);
    const told = (await sandboxEvents(db)).map(({ type, payload }) => [
      type,
      JSON.parse(payload).data.object.status,
    ]);
    expect(told.slice(2)).toEqual([
      ['charge.dispute.created', 'warning_needs_response'],
      ['charge.dispute.updated', 'warning_under_review'],
      ['charge.dispute.updated', 'needs_response'],
      ['charge.dispute.closed', 'lost'],
      ['refund.created', 'pending'],
    ]);
    await expect(escalateSandboxInquiry(db, ref, card.now())).rejects.toMatchObject(failure('conflict'));
  });

  it('an inquiry takes no money, so it cannot be lost', async () => {
    const ref = await paid(card);
    await disputeSandbox(db, ref, card.now(), { inquiry: true });
    await expect(closeSandboxDispute(db, ref, 'lost', card.now())).rejects.toMatchObject(failure('conflict'));
    const bank = await opened(card);
    await card.payLater(bank);
    await card.settle(bank);
    for (const options of [{ inquiry: true }, { amountCents: 100 }])
      await expect(disputeSandbox(db, bank, card.now(), options)).rejects.toMatchObject(failure('conflict'));
  });

  it('keeps a payment in the pending balance as long as it is told to', async () => {
    const harness = await createSandboxHarness(db, 'card', {
      availableAfterMs: 2 * DAY,
      coversShortfall: false,
    });
    const ref = await paid(harness);
    expect(await harness.port.balance()).toEqual({ availableCents: 0, pendingCents: 24_274_970 });
    await refundPayment(harness, ref, 100);
    harness.advance(2 * DAY);
    expect(await harness.port.balance()).toEqual({ availableCents: 24_274_970, pendingCents: 0 });
    await harness.passTime();
    expect(await harness.port.balance()).toEqual({ availableCents: 24_274_870, pendingCents: 0 });
    harness.advance(5_000);
    await harness.passTime();
    expect((await harness.port.getCheckout(ref)).refunds).toMatchObject([{ status: 'succeeded' }]);
  });

  it('never spends the same balance twice, however many ask at once', async () => {
    const harness = await createSandboxHarness(db, 'crypto', { coversShortfall: false });
    const refs = [await paid(harness), await paid(harness), await paid(harness)];
    const asked = await Promise.allSettled(refs.map((ref) => refundPayment(harness, ref, 25_000_000)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  it('enters what the provider corrects by itself, and what comes back, once', async () => {
    const who = defaultAccount('card');
    await adjustSandbox(db, who, 5_000, card.now());
    const payout = await sendFromSandbox(db, who, { kind: 'bank_payout', amountCents: 5_000 }, card.now());
    await Promise.allSettled([1, 2].map(() => returnToSandbox(db, payout, card.now())));
    expect(await card.port.balance()).toEqual({ availableCents: 5_000, pendingCents: 0 });
    await expect(returnToSandbox(db, 'po_none', card.now())).rejects.toMatchObject(failure('not_found'));
    const { transactions } = await card.port.listTransactions({ since: new Date(0) });
    expect(transactions.map(({ kind }) => kind)).toEqual(['adjustment', 'bank_payout', 'bank_payout_return']);
    expect(await crypto.port.balance()).toEqual({ availableCents: 0, pendingCents: 0 });
  });
});
