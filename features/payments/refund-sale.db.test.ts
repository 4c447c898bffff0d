import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type SaleAtProvider, saleAtProvider } from '#tests/support/fixtures/sale-at-provider.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { refundSale } from './commands/refund-sale.ts';

const PRICE = 300_000_00;
const FEES = 4_995_00;
const TOTAL = PRICE + FEES;
const SHARE = 240_000_00 - 100_00;

await describeOnDatabase('a refund that an administrator orders', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let sale: SaleAtProvider;
  let saleId: string;
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
    sale = await saleAtProvider(scenario, PRICE);
    ({ saleId } = sale);
  });

  const admin = () => scenario.contextFor(scenario.admin);
  const booksAreClean = async () => expect(await checkLedger(scenario.system)).toEqual([]);
  const order = (baseCents: number, feesCents: number, idempotencyKey = 'one click') =>
    refundSale(admin(), { saleId, baseCents, feesCents, reason: 'The roof leaks.', idempotencyKey });
  /** The provider has carried out the refunds on record. */
  const carriedOut = async () => {
    const refunds = (await scenario.refunds(saleId)).map(({ idempotency_key: key, amount_cents }, at) =>
      sale.refund('succeeded', { ref: `re_${at}_${saleId}`, key, amountCents: amount_cents }),
    );
    await sale.providerSays({ refunds });
  };

  it('before the release leaves the rest in escrow, and both sides hear of it', async () => {
    await sale.providerSays();
    expect(await order(60_000_00, 995_00)).toMatchObject({ ok: true, amountCents: 60_995_00 });
    expect(await order(60_000_00, 995_00)).toMatchObject({ ok: true, amountCents: 60_995_00 });
    expect(await order(60_000_00, 0)).toEqual({ ok: false, reason: 'key_used' });
    expect(await scenario.refunds(saleId)).toHaveLength(1);
    expect(await order(PRICE - 60_000_00 + 1, 0, 'another')).toEqual({ ok: false, reason: 'too_much' });
    await carriedOut();
    await sale.providerSays();
    expect(await sale.balances()).toEqual({
      clearing: TOTAL - 60_995_00,
      escrow_held: -240_000_00,
      fees_held: -4_000_00,
    });
    expect(await scenario.events(saleId)).toEqual([
      'begin',
      'confirm_payment',
      'request_refund',
      'settle_partial_refund',
    ]);
    for (const { email } of [scenario.buyer, scenario.seller])
      expect((await scenario.mailsTo(email)).filter((subject) => /refund/.test(subject))).toHaveLength(2);
    await booksAreClean();
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    expect((await sale.balances()).seller_payable).toBe(-(192_000_00 - 100_00));
    await booksAreClean();
  });

  it('that left twice under one key is booked twice, and looked at', async () => {
    await sale.providerSays();
    await order(60_000_00, 0);
    const [{ idempotency_key: key } = { idempotency_key: '' }] = await scenario.refunds(saleId);
    const left = [1, 2].map((nth) =>
      sale.refund('succeeded', { ref: `re_${nth}_${saleId}`, key, amountCents: 60_000_00 }),
    );
    await sale.providerSays({ refunds: left });
    await sale.providerSays({ refunds: left.toReversed() });
    expect(
      (await scenario.refunds(saleId)).map(({ provider_ref, origin }) => [provider_ref, origin]).toSorted(),
    ).toEqual([
      [`re_1_${saleId}`, 'platform'],
      [`re_2_${saleId}`, 'provider'],
    ]);
    expect((await sale.balances()).clearing).toBe(TOTAL - 120_000_00);
    expect((await scenario.sale(saleId)).frozen_at).not.toBeNull();
    await booksAreClean();
  });

  it('after the release comes out of the shares; after the payout the seller owes it', async () => {
    await sale.providerSays();
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    await order(50_000_00, 0, 'first');
    await carriedOut();
    expect(await sale.balances()).toMatchObject({ seller_payable: -(SHARE - 40_000_00), fee_revenue: -FEES });
    await booksAreClean();
    expect(await order(PRICE - 50_000_00, FEES, 'the rest')).toMatchObject({ ok: true });
    await carriedOut();
    expect([await sale.balances(), await scenario.state(saleId)]).toEqual([{}, 'refunded/completed/pending']);
    await booksAreClean();
  });

  it('of everything in escrow is a cancellation; nothing, no reason and a disputed payment are refused', async () => {
    await sale.providerSays();
    expect(await order(PRICE, FEES)).toEqual({ ok: false, reason: 'cancel_instead' });
    for (const [base, fees] of [
      [0, 0],
      [-1, 2],
      [0.5, 0],
    ] as const)
      expect(await order(base, fees)).toEqual({ ok: false, reason: 'nothing' });
    expect(
      await refundSale(admin(), { saleId, baseCents: 1, feesCents: 0, reason: ' ', idempotencyKey: 'x' }),
    ).toEqual({ ok: false, reason: 'no_reason' });
    await sale.providerSays({ disputes: [sale.dispute('open')] });
    expect(await order(1_00, 0)).toEqual({ ok: false, reason: 'disputed' });
  });

  it('that fails is ordered again for the same parts', async () => {
    await sale.providerSays();
    await order(60_000_00, 0);
    const key = `refund:${saleId}:0`;
    await sale.providerSays({ refunds: [sale.refund('failed', { key, amountCents: 60_000_00 })] });
    expect((await scenario.refunds(saleId)).map((one) => [one.status, one.base_cents])).toEqual([
      ['failed', 60_000_00],
      ['pending', 60_000_00],
    ]);
    expect(await sale.tasks()).toEqual(['refund_failed']);
  });
});
