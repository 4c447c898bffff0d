import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { HOLD_MS } from '#features/sales/model.ts';
import { refundJob } from '#features/sales/refund-request.ts';
import { boundTo } from '#gateways/payments/account.ts';
import {
  PaymentError,
  type PaymentErrorCode,
  type Payments,
  type PaymentsPort,
} from '#gateways/payments/port.ts';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { payExpiredCrypto, settleSandbox } from '#gateways/payments/sandbox/settlement.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  createSaleScenario,
  failingCall,
  paymentsOf,
  type SaleScenario,
} from '#tests/support/fixtures/sale-scenario.ts';
import { reconcileSales } from './commands/reconcile-sales.ts';
import { refundSale } from './commands/refund-sale.ts';
import { sendRefund } from './commands/send-refund.ts';
import { sweepSales } from './commands/sweep-sales.ts';

await describeOnDatabase('sales whose provider does not answer', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  /** The scenario's providers, with the state of card payments unreadable; counts how often it was asked for. */
  function withoutCards(code: PaymentErrorCode): { ctx: CtxWith<'payments'>; asked: string[] } {
    const asked: string[] = [];
    const card: PaymentsPort = {
      ...scenario.payments.forMethod('card'),
      getCheckout: (ref) => {
        asked.push(ref);
        return Promise.reject(new PaymentError(code, 'Broken for the test'));
      },
      cancelCheckout: failingCall(code),
    };
    return {
      ctx: { ...scenario.system, payments: paymentsOf(card, scenario.payments.forMethod('crypto')) },
      asked,
    };
  }

  /** The provider of cards carries a refund out, and its answer does not arrive. */
  function answerLost(): CtxWith<'payments'> {
    const port = scenario.payments.forMethod('card');
    const refund: PaymentsPort['refund'] = async (...call) => {
      await port.refund(...call);
      throw new PaymentError('unavailable', 'The answer was lost');
    };
    return { ...scenario.system, payments: paymentsOf({ ...port, refund }) };
  }

  it('hold up no sale of another provider, and are asked about less and less often', async () => {
    const cards: string[] = [];
    for (let n = 0; n < 12; n++)
      cards.push((await scenario.checkout(scenario.buyer, await scenario.createListing())).ref);
    const crypto = await scenario.checkout(scenario.otherBuyer, await scenario.createListing(), 'crypto');
    await scenario.actOnCheckoutPage(crypto.ref, 'pay');
    scenario.clock.advance(10 * MINUTE);
    const { ctx, asked } = withoutCards('unavailable');
    expect(await reconcileSales(ctx)).toBe(false);
    expect(await scenario.state(crypto.saleId)).toBe('completed/in_escrow/');
    // Five failures in a row, while up to three more questions are under way.
    expect(asked.length).toBeGreaterThanOrEqual(5);
    expect(asked.length).toBeLessThanOrEqual(8);
    const first = asked.length;
    await reconcileSales(ctx);
    expect(new Set(asked).size).toBe(asked.length);
    expect(new Set(asked)).toEqual(new Set(cards));
    expect(asked.length).toBeGreaterThan(first);
    await reconcileSales(ctx);
    expect(asked).toHaveLength(12);
    scenario.clock.advance(10 * MINUTE);
    await reconcileSales(ctx);
    const second = asked.length;
    expect(second).toBeGreaterThan(12);
    // Those that failed twice wait for twenty minutes.
    const twice = asked.filter((ref, at) => asked.indexOf(ref) !== at);
    scenario.clock.advance(11 * MINUTE);
    await reconcileSales(ctx);
    expect(asked.slice(second).filter((ref) => twice.includes(ref))).toEqual([]);
    // The provider is back: everything is asked about, and the count starts anew.
    scenario.clock.advance(HOUR);
    await reconcileSales(scenario.system);
    const { failures } = await db
      .q()
      .selectFrom('property_sales')
      .select((max) => max.fn.max('ask_failures').as('failures'))
      .where('buyer_id', '=', scenario.buyer.id)
      .executeTakeFirstOrThrow();
    expect(failures).toBe(0);
  });

  it('give way to others when their answer cannot be applied', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    const card = scenario.payments.forMethod('card');
    let asked = 0;
    const getCheckout: PaymentsPort['getCheckout'] = (which) => {
      if (which !== ref) return card.getCheckout(which);
      asked += 1;
      throw new TypeError('An answer that nobody expected');
    };
    const ctx = { ...scenario.system, payments: paymentsOf({ ...card, getCheckout }) };
    scenario.clock.advance(10 * MINUTE);
    await reconcileSales(ctx);
    await reconcileSales(ctx);
    expect(asked).toBe(1);
    // It has answered: that is no silence after which a checkout ends by itself.
    expect((await scenario.sale(saleId)).ask_failures).toBe(0);
    scenario.clock.advance(10 * MINUTE);
    await reconcileSales(ctx);
    expect(asked).toBe(2);
    await scenario.sync(saleId);
  });

  it('are asked about for a short time in each sweep, and keep no other from ending', async () => {
    const held = async (method: 'card' | 'crypto') =>
      (await scenario.checkout(scenario.buyer, await scenario.createListing(), method)).saleId;
    for (let n = 0; n < 8; n++) await held('card');
    const crypto = await held('crypto');
    const asked: string[] = [];
    let waitMs = 5 * SECOND;
    const payments = paymentsOf(scenario.payments.forMethod('crypto'), {
      ...scenario.payments.forMethod('card'),
      getCheckout(ref) {
        asked.push(ref);
        scenario.clock.advance(waitMs);
        return failingCall('unavailable')();
      },
    });
    const sweep = async (ctx: CtxWith<'payments'>) => {
      asked.length = 0;
      await sweepSales(ctx);
    };
    const silent = { ...scenario.system, payments };
    scenario.clock.advance(HOLD_MS + MINUTE);
    await sweep(silent);
    expect(asked).toHaveLength(3);
    const first = [...asked];
    expect(await scenario.state(crypto)).toBe('failed/cancelled/');
    // The next one begins with others, and asks no more than a few times where each is refused at once.
    waitMs = 0;
    await sweep(silent);
    expect(asked).toHaveLength(5);
    expect(asked.filter((ref) => first.includes(ref))).toEqual([]);
    scenario.clock.advance(HOUR);
    await sweep(scenario.system);
  });

  it('end together where no answer is needed: a day after their checkout, and without one', async () => {
    const held = async () => (await scenario.checkout(scenario.buyer, await scenario.createListing())).saleId;
    const old: string[] = [];
    for (let n = 0; n < 8; n++) old.push(await held());
    await db
      .q()
      .updateTable('property_sales')
      .set({ ask_failures: 1, next_ask_at: scenario.clock.now() })
      .where('id', 'in', old)
      .execute();
    scenario.clock.advance(MINUTE);
    // As after a freeze: nobody has asked about it yet.
    const unasked = await held();
    scenario.clock.advance(HOLD_MS + DAY);
    const unopened = await held();
    await db
      .q()
      .updateTable('property_sales')
      .set({ provider_session_id: null })
      .where('id', '=', unopened)
      .execute();
    const recent = await held();
    scenario.clock.advance(HOLD_MS + MINUTE);
    const { ctx, asked } = withoutCards('unavailable');
    await sweepSales(ctx);
    for (const id of [...old, unopened]) expect(await scenario.state(id)).toBe('failed/cancelled/');
    for (const id of [unasked, recent]) expect(await scenario.state(id)).toBe('pending/pending/');
    expect(asked).toHaveLength(5);
    await sweepSales(scenario.system);
    for (const id of [unasked, recent]) expect(await scenario.state(id)).toBe('failed/cancelled/');
  });

  it('end a day after their checkout, and money that arrives later is refunded', async () => {
    const propertyId = await scenario.createListing();
    const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId, 'crypto');
    const down = {
      ...scenario.system,
      payments: paymentsOf({
        ...scenario.payments.forMethod('crypto'),
        getCheckout: failingCall('unavailable'),
        cancelCheckout: failingCall('unavailable'),
      }),
    };
    scenario.clock.advance(HOLD_MS + DAY - MINUTE);
    await sweepSales(down);
    expect(await scenario.state(saleId)).toBe('pending/pending/');
    scenario.clock.advance(6 * HOUR);
    await sweepSales(down);
    expect(await scenario.state(saleId)).toBe('failed/cancelled/');
    expect(await scenario.begin(scenario.otherBuyer, propertyId, 'crypto')).toMatchObject({ ok: true });
    await payExpiredCrypto(db, ref, scenario.clock.now());
    for (let pass = 0; pass < 3; pass++) {
      scenario.clock.advance(HOUR);
      await scenario.settle();
    }
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
  });

  it.each(['unavailable', 'not_found', 'auth'] as const)(
    'never count as unpaid while a bank transfer is under way: %s',
    async (code) => {
      const propertyId = await scenario.createListing();
      const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId);
      await scenario.actOnCheckoutPage(ref, 'pay_later');
      await scenario.sync(saleId);
      const { ctx } = withoutCards(code);
      for (let day = 0; day < 20; day++) {
        scenario.clock.advance(DAY);
        await sweepSales(ctx);
        await reconcileSales(ctx);
      }
      expect(await scenario.state(saleId)).toBe('processing/pending/');
      expect(await scenario.begin(scenario.otherBuyer, propertyId)).toMatchObject({ reason: 'in_progress' });
      await settleSandbox(db, ref, 'paid', scenario.clock.now());
      scenario.clock.advance(6 * HOUR);
      await scenario.settle();
      expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    },
  );

  it('are not released: a dispute may have been opened of which no message has come', async () => {
    const calm = await scenario.createPaidSale();
    const disputed = await scenario.createPaidSale();
    for (const saleId of [calm, disputed]) await scenario.act(scenario.seller, saleId, 'deliver_documents');
    await disputeSandbox(db, (await scenario.sale(disputed)).provider_session_id ?? '', scenario.clock.now());
    scenario.clock.advance(8 * DAY);
    await sweepSales(withoutCards('unavailable').ctx);
    expect(await scenario.state(calm)).toBe('completed/in_escrow/');
    scenario.clock.advance(10 * MINUTE);
    await sweepSales(scenario.system);
    expect(await scenario.state(calm)).toBe('completed/completed/pending');
    expect(await scenario.state(disputed)).toBe('completed/in_escrow/');
    expect((await scenario.sale(disputed)).frozen_at).not.toBeNull();
  });

  it('are asked about for as long as a dispute is open, however old they are', async () => {
    const saleId = await scenario.createPaidSale();
    const ref = (await scenario.sale(saleId)).provider_session_id ?? '';
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    scenario.clock.advance(115 * DAY);
    await disputeSandbox(db, ref, scenario.clock.now());
    await scenario.sync(saleId);
    scenario.clock.advance(66 * DAY);
    await reconcileSales(scenario.system);
    await closeSandboxDispute(db, ref, 'lost', scenario.clock.now());
    scenario.clock.advance(DAY);
    await reconcileSales(scenario.system);
    expect(await scenario.state(saleId)).toBe('refunded/completed/pending');
    expect((await scenario.sale(saleId)).next_ask_at).toBeNull();
  });

  it('are not asked about every minute when they are due and a refund runs, and are released after it', async () => {
    const saleId = await scenario.createPaidSale();
    await scenario.act(scenario.seller, saleId, 'deliver_documents');
    const ordered = { saleId, baseCents: 1_000_00, feesCents: 0, reason: 'The fence', idempotencyKey: 'due' };
    expect(await refundSale(scenario.contextFor(scenario.admin), ordered)).toMatchObject({ ok: true });
    scenario.clock.advance(8 * DAY);
    const { ctx, asked } = withoutCards('unavailable');
    await sweepSales(ctx);
    expect(asked).toEqual([]);
    await sweepSales(scenario.system);
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    for (const { id } of await scenario.refunds(saleId)) await sendRefund(scenario.system, { refundId: id });
    for (let pass = 0; pass < 3; pass++) {
      scenario.clock.advance(HOUR);
      await scenario.settle();
    }
    expect(await scenario.state(saleId)).toBe('completed/completed/pending');
  });

  it('a checkout that a provider does not know is not free at once: its keys may be those of another account', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    const { ctx } = withoutCards('not_found');
    scenario.clock.advance(HOLD_MS + MINUTE);
    await sweepSales(ctx);
    await reconcileSales(ctx);
    expect(await scenario.state(saleId)).toBe('pending/pending/');
    expect(ref).not.toBe('');
  });

  it('a part that was refunded unheard is not refunded once more when its key has expired', async () => {
    const saleId = await scenario.createPaidSale();
    const ordered = {
      saleId,
      baseCents: 1_000_00,
      feesCents: 0,
      reason: 'The fence',
      idempotencyKey: 'fence',
    };
    await expect(refundSale(scenario.contextFor(scenario.admin), ordered)).resolves.toMatchObject({
      ok: true,
    });
    const [refund] = await scenario.refunds(saleId);
    const refundId = refund?.id ?? '';
    await expect(sendRefund(answerLost(), { refundId })).rejects.toThrow('The answer was lost');
    scenario.clock.advance(25 * HOUR);
    await sendRefund(scenario.system, { refundId });
    scenario.clock.advance(HOUR);
    await scenario.settle();
    const { refunds } = await scenario.payments
      .forMethod('card')
      .getCheckout((await scenario.sale(saleId)).provider_session_id ?? '');
    expect(refunds).toMatchObject([{ amountCents: 1_000_00, status: 'succeeded' }]);
    expect(await scenario.refunds(saleId)).toMatchObject([
      { provider_ref: refunds[0]?.ref, status: 'succeeded' },
    ]);
  });

  it('a refund that was carried out unheard stays under way when its expired key is refused', async () => {
    const saleId = await scenario.createPaidSale();
    await scenario.act(scenario.admin, saleId, 'cancel_sale');
    const [refund] = await scenario.refunds(saleId);
    const refundId = refund?.id ?? '';
    await expect(sendRefund(answerLost(), { refundId })).rejects.toThrow('The answer was lost');
    expect(await scenario.refunds(saleId)).toMatchObject([{ status: 'pending', provider_ref: null }]);
    const refusing = paymentsOf({ ...scenario.payments.forMethod('card'), refund: failingCall('limit') });
    await sendRefund({ ...scenario.system, payments: refusing }, { refundId });
    expect(await scenario.refunds(saleId)).toMatchObject([
      { status: 'pending', provider_ref: expect.any(String), failure_reason: null },
    ]);
    scenario.clock.advance(HOUR);
    await scenario.settle();
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
  });

  it('refunds that lost their jobs are all queued again: those that wait take no place of others', async () => {
    const saleId = await scenario.createPaidSale();
    const refunds = Array.from({ length: 201 }, (_, n) => ({
      sale_id: saleId,
      amount_cents: 1_00,
      base_cents: 1_00,
      fees_cents: 0,
      suspense_cents: 0,
      reason: 'The fence',
      idempotency_key: `${saleId}:${n}`,
      created_at: scenario.clock.now(),
    }));
    await db.q().insertInto('refunds').values(refunds).execute();
    scenario.clock.advance(DAY + HOUR + MINUTE);
    await sweepSales(scenario.system);
    const { rows } = await sql`
      select from refunds r join pgboss.job j on j.name = ${refundJob.name} and j.data ->> 'refundId' = r.id::text
      where r.sale_id = ${saleId}`.execute(db.q());
    expect(rows).toHaveLength(refunds.length);
    await db.q().deleteFrom('refunds').where('sale_id', '=', saleId).execute();
  });

  it('of an account whose keys are gone hold up no sale of the one that replaced it', async () => {
    let keysOf = 'acct_former';
    const card: PaymentsPort = { ...scenario.payments.forMethod('card'), account: async () => keysOf };
    const providers: Payments = {
      forMethod: () => card,
      of: (_, bound) => (bound ? boundTo(card, bound) : card),
    };
    const market = await createSaleScenario(db, { clock: scenario.clock, providers });
    for (let n = 0; n < 12; n++) await market.checkout(market.buyer, await market.createListing());
    keysOf = 'acct_new';
    market.clock.advance(MINUTE);
    const { saleId, ref } = await market.checkout(market.otherBuyer, await market.createListing());
    await market.actOnCheckoutPage(ref, 'pay');
    market.clock.advance(10 * MINUTE);
    await reconcileSales(market.system);
    expect(await market.state(saleId)).toBe('completed/in_escrow/');
  });
});
