import { randomUUID } from 'node:crypto';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { acceptMismatch } from '#features/payments/commands/decide-mismatch.ts';
import { recognizeRefund } from '#features/payments/commands/recognize-refund.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { payoutScenarioOf } from '#tests/support/fixtures/payout-scenario.ts';
import { type SaleAtProvider, saleAtProvider } from '#tests/support/fixtures/sale-at-provider.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { SaleComplete } from './components/sale-complete.tsx';
import { SaleMoney } from './components/sale-money.tsx';
import { SaleOutcome } from './components/sale-outcome.tsx';
import { saleView } from './reads.ts';

const PRICE = 300_000_00;

const textOf = <Props extends object>(component: FunctionComponent<Props>, props: Props): string => {
  const router = createMemoryRouter([{ path: '*', element: createElement(component, props) }]);
  return renderToStaticMarkup(createElement(RouterProvider, { router })).replace(/<[^>]+>/g, ' ');
};
const RECEIVED = PRICE - 25_00;

await describeOnDatabase('a payment that was accepted although it was too small', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let sale: SaleAtProvider;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
    sale = await saleAtProvider(scenario, PRICE);
    await sale.providerSays({ amountCents: RECEIVED });
    const accepted = await acceptMismatch(admin(), { saleId: sale.saleId, note: 'A fee of the bank.' });
    expect(accepted).toEqual({ ok: true });
    expect(await sale.balances()).toEqual({ clearing: RECEIVED, write_offs: 25_00, escrow_held: -PRICE });
  });

  const admin = () => scenario.contextFor(scenario.admin);
  const booksAreClean = async () => expect(await checkLedger(scenario.system)).toEqual([]);
  const refund = (baseCents: number) =>
    refundSale(admin(), {
      saleId: sale.saleId,
      baseCents,
      feesCents: 0,
      reason: 'The roof leaks.',
      idempotencyKey: randomUUID(),
    });
  const asked = async () =>
    (await scenario.refunds(sale.saleId)).map(({ idempotency_key, amount_cents }) => ({
      key: idempotency_key,
      amountCents: amount_cents,
    }));

  it('goes back as it was paid, which is all that the provider refunds, and what was written off is made good', async () => {
    await scenario.act(scenario.admin, sale.saleId, 'cancel_sale');
    const [whole, ...more] = await asked();
    expect([whole?.amountCents, more]).toEqual([RECEIVED, []]);
    await booksAreClean();
    await sale.providerSays({ refunds: [sale.refund('succeeded', whole)] });
    expect([await scenario.state(sale.saleId), await sale.balances()]).toEqual(['refunded/cancelled/', {}]);
    await booksAreClean();
    // The buyer's bank returns it, and it is sent once more.
    await sale.providerSays({ refunds: [sale.refund('failed', whole)] });
    const [, again] = await asked();
    expect(again?.amountCents).toBe(RECEIVED);
    await booksAreClean();
    const second = sale.refund('succeeded', { ...again, ref: `re_again_${sale.saleId}` });
    await sale.providerSays({ refunds: [sale.refund('failed', whole), second] });
    expect([await scenario.state(sale.saleId), await sale.balances()]).toEqual(['refunded/cancelled/', {}]);
    await booksAreClean();
  });

  it('goes back in parts, all of them together no more than was paid', async () => {
    expect(await refund(PRICE - 10_00)).toEqual({ ok: false, reason: 'too_much' });
    expect(await refund(RECEIVED)).toEqual({ ok: false, reason: 'cancel_instead' });
    expect(await refund(100_000_00)).toMatchObject({ ok: true });
    await scenario.act(scenario.admin, sale.saleId, 'cancel_sale');
    const [part, rest] = await asked();
    expect([part?.amountCents, rest?.amountCents]).toEqual([100_000_00, RECEIVED - 100_000_00]);
    const done = (one: typeof part, ref: string) =>
      sale.refund('succeeded', { ...one, ref: `${ref}_${sale.saleId}` });
    await sale.providerSays({ refunds: [done(part, 're_part')] });
    expect(await scenario.state(sale.saleId)).toBe('completed/cancelled/');
    await booksAreClean();
    await sale.providerSays({ refunds: [done(part, 're_part'), done(rest, 're_rest')] });
    expect([await scenario.state(sale.saleId), await sale.balances()]).toEqual(['refunded/cancelled/', {}]);
    await booksAreClean();
  });

  it('is told of as it was paid, and not as the price', async () => {
    const read = async () => saleView(scenario.contextFor(scenario.buyer), sale.saleId);
    expect(await read()).toMatchObject({ leftCents: RECEIVED, sentBackCents: 0 });
    expect(await refund(100_000_00)).toMatchObject({ ok: true });
    const done = (one: { key: string; amountCents: number } | undefined, ref: string) =>
      sale.refund('succeeded', { ...one, ref: `${ref}_${sale.saleId}` });
    const [part] = await asked();
    await sale.providerSays({ refunds: [done(part, 're_part')] });
    await scenario.act(scenario.admin, sale.saleId, 'cancel_sale');
    const cancelled = await read();
    expect(cancelled).toMatchObject({ leftCents: RECEIVED - 100_000_00, sentBackCents: 100_000_00 });
    expect(textOf(SaleOutcome, { sale: cancelled })).toContain(
      'The $199,975.00 that is left of your payment is being refunded.',
    );
    const [, rest] = await asked();
    await sale.providerSays({ refunds: [done(part, 're_part'), done(rest, 're_rest')] });
    const ended = await read();
    expect(textOf(SaleOutcome, { sale: ended })).toContain('$299,975.00 for 48 Larkspur Lane was refunded');
    expect(textOf(SaleMoney, { sale: ended })).toMatch(/Refunded to you\s+\$299,975\.00/);
    const stillOpen = { ...ended, state: cancelled.state };
    expect(textOf(SaleOutcome, { sale: stillOpen })).toContain('All that you have paid has been sent back.');
  });

  it('is told of as it was paid when the sale is complete, too', async () => {
    await scenario.act(scenario.admin, sale.saleId, 'release', 'All done.');
    const read = async () => saleView(scenario.contextFor(scenario.buyer), sale.saleId);
    expect(textOf(SaleComplete, { sale: await read() })).toMatch(/You paid\s+\$299,975\.00\s+Closing/);
    expect(await refund(100_000_00)).toMatchObject({ ok: true });
    const [part] = await asked();
    await sale.providerSays({ refunds: [sale.refund('succeeded', part)] });
    expect(textOf(SaleComplete, { sale: await read() })).toContain(
      '$299,975.00, of which $100,000.00 was refunded',
    );
  });

  /** All that the buyer paid has gone back after the release. */
  const refundAll = async (): Promise<{ key: string; amountCents: number }> => {
    expect(await refund(RECEIVED + 1)).toEqual({ ok: false, reason: 'too_much' });
    expect(await refund(RECEIVED)).toMatchObject({ ok: true, amountCents: RECEIVED });
    const [whole] = await asked();
    if (!whole) throw new Error('no refund was asked for');
    await sale.providerSays({ refunds: [sale.refund('succeeded', whole)] });
    return whole;
  };

  it('goes back after the release, and neither the seller nor we keep what was written off', async () => {
    await scenario.act(scenario.admin, sale.saleId, 'release', 'All done.');
    const whole = await refundAll();
    expect([await scenario.state(sale.saleId), await sale.balances()]).toEqual([
      'refunded/completed/pending',
      {},
    ]);
    expect(await saleView(scenario.contextFor(scenario.buyer), sale.saleId)).toMatchObject({
      leftCents: 0,
      sentBackCents: RECEIVED,
    });
    await booksAreClean();
    // The buyer's bank returns it: it stands in the shares until it is sent once more.
    await sale.providerSays({ refunds: [sale.refund('failed', whole)] });
    expect(await sale.balances()).toEqual({
      clearing: RECEIVED,
      seller_payable: -239_980_00,
      platform_revenue: -59_995_00,
    });
    await booksAreClean();
    const [, again] = await asked();
    expect(again?.amountCents).toBe(RECEIVED);
    const second = sale.refund('succeeded', { ...again, ref: `re_again_${sale.saleId}` });
    await sale.providerSays({ refunds: [sale.refund('failed', whole), second] });
    expect([await scenario.state(sale.saleId), await sale.balances()]).toEqual([
      'refunded/completed/pending',
      {},
    ]);
    await booksAreClean();
  });

  it('goes back after the payout, and the seller owes all that was sent', async () => {
    await scenario.act(scenario.admin, sale.saleId, 'release', 'All done.');
    const payouts = payoutScenarioOf(scenario);
    await payouts.setUpStripe();
    await payouts.fund('stripe', PRICE);
    scenario.clock.advance(8 * DAY);
    await payouts.pay(sale.saleId);
    expect((await sale.balances()).seller_payable).toBeUndefined();
    await refundAll();
    expect(await scenario.state(sale.saleId)).toBe('refunded/completed/completed');
    const balances = await sale.balances();
    expect(balances).toMatchObject({ seller_receivable: 240_000_00 });
    expect(balances).not.toHaveProperty('write_offs');
    expect(balances).not.toHaveProperty('platform_revenue');
    await booksAreClean();
  });

  it('that a bank has taken back after the release ends as refunded, too', async () => {
    await scenario.act(scenario.admin, sale.saleId, 'release', 'All done.');
    const dispute = { amountCents: RECEIVED };
    await sale.providerSays({ disputes: [sale.dispute('open', dispute)] });
    expect((await sale.balances()).write_offs).toBe(25_00);
    await sale.providerSays({ disputes: [sale.dispute('lost', dispute)] });
    expect([await scenario.state(sale.saleId), await sale.balances()]).toEqual([
      'refunded/completed/pending',
      {},
    ]);
    await booksAreClean();
  });

  it('that a bank has taken back after the release and returns is shared as before, and can be refunded again', async () => {
    await scenario.act(scenario.admin, sale.saleId, 'release', 'All done.');
    const before = await sale.balances();
    expect(before).toMatchObject({ seller_payable: -240_000_00, write_offs: 25_00 });
    const dispute = { amountCents: RECEIVED };
    await sale.providerSays({ disputes: [sale.dispute('open', dispute)] });
    await sale.providerSays({ disputes: [sale.dispute('lost', dispute)] });
    await sale.providerSays({ disputes: [sale.dispute('won', { ...dispute, returnedCents: RECEIVED })] });
    await sale.providerSays();
    expect(await scenario.state(sale.saleId)).toBe('completed/completed/pending');
    expect(await sale.balances()).toEqual(before);
    const view = () => saleView(scenario.contextFor(scenario.buyer), sale.saleId);
    expect(await view()).toMatchObject({ paidCents: RECEIVED, refundedCents: 0, leftCents: RECEIVED });
    await booksAreClean();
    await refundAll();
    expect([await scenario.state(sale.saleId), await sale.balances()]).toEqual([
      'refunded/completed/pending',
      {},
    ]);
    expect(await view()).toMatchObject({ paidCents: RECEIVED, refundedCents: RECEIVED, leftCents: 0 });
    await booksAreClean();
  });

  it('that was sent back at the provider ends the sale: what we made up for it is nobody’s to buy with', async () => {
    await sale.providerSays({ refunds: [sale.refund('succeeded', { amountCents: RECEIVED })] });
    expect(await recognizeRefund(admin(), { saleId: sale.saleId, note: '' })).toEqual({ ok: true });
    expect([await scenario.state(sale.saleId), await sale.balances()]).toEqual(['refunded/cancelled/', {}]);
    expect(await scenario.propertyStatus(sale.propertyId)).toBe('Active');
    await booksAreClean();
  });

  it('that a bank has taken back ends the sale, too', async () => {
    const dispute = { amountCents: RECEIVED };
    await sale.providerSays({ disputes: [sale.dispute('open', dispute)] });
    await sale.providerSays({ disputes: [sale.dispute('lost', dispute)] });
    expect([await scenario.state(sale.saleId), await sale.balances()]).toEqual(['refunded/cancelled/', {}]);
    await booksAreClean();
  });
});

await describeOnDatabase(
  'a payment that a bank had taken back in part before the rest was accepted',
  (open) => {
    it('goes back to the buyer also when that part returns after the end of the sale', async () => {
      const db = await open();
      const scenario = await createSaleScenario(db);
      const sale = await saleAtProvider(scenario, PRICE);
      const { saleId } = sale;
      const admin = () => scenario.contextFor(scenario.admin);
      await scenario.system.db.tx(async () =>
        transitionSale(scenario.system, {
          sale: await scenario.sale(saleId),
          event: 'freeze_sale',
          by: 'system',
        }),
      );
      await sale.providerSays();
      const part = { amountCents: 25_00 };
      await sale.providerSays({ disputes: [sale.dispute('open', part)] });
      await sale.providerSays({ disputes: [sale.dispute('lost', part)] });
      expect(await acceptMismatch(admin(), { saleId, note: 'The rest is ours.' })).toEqual({ ok: true });
      expect(await sale.balances()).toEqual({ clearing: RECEIVED, write_offs: 25_00, escrow_held: -PRICE });
      await scenario.act(scenario.admin, saleId, 'cancel_sale');
      const [rest] = await scenario.refunds(saleId);
      const sent = sale.refund('succeeded', { key: rest?.idempotency_key ?? '', amountCents: RECEIVED });
      await sale.providerSays({ refunds: [sent] });
      expect([await scenario.state(saleId), await sale.balances()]).toEqual(['refunded/cancelled/', {}]);
      await sale.providerSays({ disputes: [sale.dispute('won', { ...part, returnedCents: 25_00 })] });
      expect([await scenario.state(saleId), await sale.balances()]).toEqual([
        'completed/cancelled/',
        { clearing: 25_00, suspense: -25_00 },
      ]);
      const [, back] = await scenario.refunds(saleId);
      expect(back).toMatchObject({ status: 'pending', amount_cents: 25_00 });
      const returned = sale.refund('succeeded', {
        ref: `re_back_${saleId}`,
        key: back?.idempotency_key ?? '',
        amountCents: 25_00,
      });
      await sale.providerSays({ refunds: [sent, returned] });
      expect([await scenario.state(saleId), await sale.balances()]).toEqual(['refunded/cancelled/', {}]);
      expect(await checkLedger(scenario.system)).toEqual([]);
      await db.close();
    });
  },
);

await describeOnDatabase('a payment that was accepted although it was too much', (open) => {
  it('shows nothing of its price as refunded when the surplus has gone back', async () => {
    const db = await open();
    const scenario = await createSaleScenario(db);
    const sale = await saleAtProvider(scenario, PRICE);
    const { saleId } = sale;
    await sale.providerSays({ amountCents: PRICE + 5_000_00 });
    const accepted = await acceptMismatch(scenario.contextFor(scenario.admin), {
      saleId,
      note: 'Rounded up.',
    });
    expect(accepted).toEqual({ ok: true });
    const [surplus] = await scenario.refunds(saleId);
    const sent = { key: surplus?.idempotency_key ?? '', amountCents: 5_000_00 };
    await sale.providerSays({ refunds: [sale.refund('succeeded', sent)] });
    const view = await saleView(scenario.contextFor(scenario.buyer), saleId);
    expect(view).toMatchObject({ refundedCents: 0, leftCents: PRICE, sentBackCents: 5_000_00 });
    expect(textOf(SaleMoney, { sale: view })).not.toContain('Refunded');
    expect(textOf(SaleComplete, { sale: view })).toMatch(/You paid\s+\$300,000\.00\s+Closing/);
    await db.close();
  });
});
