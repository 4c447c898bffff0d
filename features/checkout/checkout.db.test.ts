import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { buyerFees } from '#features/fees/reads.ts';
import { sweepSales } from '#features/payments/commands/sweep-sales.ts';
import { saleLimits } from '#features/sales/limits.ts';
import { receipt } from '#features/sales/reads.ts';
import { CALL_TIMEOUT_MS } from '#gateways/payments/timeout.ts';
import { invalidate } from '#platform/cache.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { TooManyRequests, Unauthenticated } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  chargeFees,
  checkoutTarget,
  createSaleScenario,
  failingCall,
  paymentsOf,
  type SaleScenario,
} from '#tests/support/fixtures/sale-scenario.ts';
import { cancelCheckout } from './commands/cancel-checkout.ts';
import { openCheckout } from './commands/open-checkout.ts';
import type { BeginPurchaseResult } from './model.ts';

await describeOnDatabase('the checkout of a purchase', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  it('is opened once, with a line for each part of the price; opening it again returns the same one', async () => {
    const propertyId = await scenario.createListing({ price_cents: 500_000_00, address: '7 Mill Lane' });
    const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId);
    const again = await openCheckout(scenario.contextFor(scenario.buyer), checkoutTarget(saleId));
    expect(again).toEqual({ ok: true, url: `http://localhost:3000/sandbox/checkout/${ref}` });
    const { request } = await db
      .q()
      .selectFrom('sandbox_checkouts')
      .select('request')
      .where('ref', '=', ref)
      .executeTakeFirstOrThrow();
    expect(request).toMatchObject({
      lines: [
        { name: '7 Mill Lane', amountCents: 500_000_00 },
        { name: 'Buyer Protection', amountCents: 7_500_00 },
        { name: 'Closing', amountCents: 495_00 },
      ],
      buyerEmail: scenario.buyer.email,
      successUrl: `http://localhost:3000/buyer/transactions?tab=transactions&sale=${saleId}`,
      cancelUrl: `http://localhost:3000/property/${propertyId}?left=${saleId}`,
    });
  });

  it('and the receipt list the fees in the order of the page, also after they have changed', async () => {
    const set = (name: string, position: number) =>
      db.q().updateTable('service_fees').set({ position }).where('name', '=', name).execute();
    await set('Buyer Protection', 9);
    invalidate(db);
    const page = (await buyerFees(scenario.contextFor(scenario.buyer))).map(({ name }) => name);
    expect(page).toEqual(['Closing', 'Buyer Protection']);
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    await set('Buyer Protection', 1);
    await scenario.actOnCheckoutPage(ref, 'pay');
    await scenario.sync(saleId);
    const { request } = await db
      .q()
      .selectFrom('sandbox_checkouts')
      .select('request')
      .where('ref', '=', ref)
      .executeTakeFirstOrThrow();
    const { lines } = request as { lines: { name: string }[] };
    expect(lines.slice(1).map(({ name }) => name)).toEqual(page);
    const printed = await receipt(scenario.contextFor(scenario.buyer), saleId);
    expect(printed.lines.map(({ label }) => label)).toEqual(['Closing', 'Buyer Protection (1.5%)']);
  });

  it('is refused to others, and for another property, amount or state', async () => {
    const propertyId = await scenario.createListing();
    const { saleId } = await scenario.checkout(scenario.buyer, propertyId);
    const ask = (actor = scenario.buyer, change = {}) =>
      openCheckout(scenario.contextFor(actor), { ...checkoutTarget(saleId), ...change });
    await expect(ask(scenario.otherBuyer)).rejects.toThrow('Not found');
    await expect(ask(scenario.seller)).rejects.toThrow('Not found');
    await expect(ask(scenario.buyer, { propertyId: randomUUID() })).rejects.toThrow('Not found');
    await expect(ask(scenario.buyer, { saleId: 'x' })).rejects.toThrow('Not found');
    expect(await ask(scenario.buyer, { expectedCents: 1 })).toEqual({ ok: false, reason: 'price_changed' });
    await cancelCheckout(scenario.contextFor(scenario.buyer), { saleId });
    expect(await ask()).toEqual({ ok: false, reason: 'ended' });
  });

  it.each([
    ['unavailable', 'provider_down'],
    ['rate_limited', 'provider_down'],
    ['invalid', 'provider_refused'],
    ['auth', 'provider_refused'],
  ] as const)('a provider that answers %s releases the property at once: %s', async (code, reason) => {
    const propertyId = await scenario.createListing();
    const begun = await scenario.begin(scenario.buyer, propertyId);
    const saleId = begun.ok ? begun.saleId : '';
    const failingPayments = paymentsOf({
      ...scenario.payments.forMethod('card'),
      createCheckout: failingCall(code),
    });
    expect(
      await openCheckout(
        { ...scenario.contextFor(scenario.buyer), payments: failingPayments },
        checkoutTarget(saleId),
      ),
    ).toEqual({
      ok: false,
      reason,
    });
    expect(await scenario.state(saleId)).toBe('failed/cancelled/');
    expect(await scenario.begin(scenario.otherBuyer, propertyId)).toMatchObject({ ok: true });
  });

  it('a page that was gone back to sends the key of a purchase that has ended: the buyer is told just that', async () => {
    const propertyId = await scenario.createListing();
    const begin = (key: string, actor = scenario.buyer) => scenario.begin(actor, propertyId, 'card', key);
    const open = async (begun: BeginPurchaseResult) =>
      begun.ok ? openCheckout(scenario.contextFor(scenario.buyer), checkoutTarget(begun.saleId)) : begun;
    const first = await begin('a click');
    await open(first);
    await cancelCheckout(scenario.contextFor(scenario.buyer), { saleId: first.ok ? first.saleId : '' });
    expect(await open(await begin('a click'))).toEqual({ ok: false, reason: 'ended' });
    // Meanwhile somebody purchases: the buyer in another tab, then another one.
    const next = await begin('another click');
    expect(await begin('a click')).toEqual(next);
    await cancelCheckout(scenario.contextFor(scenario.buyer), { saleId: next.ok ? next.saleId : '' });
    await begin('their click', scenario.otherBuyer);
    expect(await begin('a click')).toMatchObject({ ok: false, reason: 'in_progress' });
  });

  it('a key in use by another tab releases nothing: that tab is opening the checkout', async () => {
    const begun = await scenario.begin(scenario.buyer, await scenario.createListing());
    const saleId = begun.ok ? begun.saleId : '';
    const conflictingPayments = paymentsOf({
      ...scenario.payments.forMethod('card'),
      createCheckout: failingCall('conflict'),
    });
    expect(
      await openCheckout(
        { ...scenario.contextFor(scenario.buyer), payments: conflictingPayments },
        checkoutTarget(saleId),
      ),
    ).toEqual({
      ok: false,
      reason: 'provider_down',
    });
    expect(await openCheckout(scenario.contextFor(scenario.buyer), checkoutTarget(saleId))).toMatchObject({
      ok: true,
    });
  });

  it('the provider answers who it is, but late, and then no more: the buyer waits for one limit, not for two', async () => {
    const begun = await scenario.begin(scenario.buyer, await scenario.createListing());
    const saleId = begun.ok ? begun.saleId : '';
    // The database's own timers may be as long: the limit is the one that begins right before the provider is asked.
    const timers: (() => void)[] = [];
    let endLimit: (() => void) | undefined;
    const { setTimeout: realTimeout } = globalThis;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, delay?: number) => {
      if (delay !== CALL_TIMEOUT_MS) return realTimeout(work, delay);
      timers.push(work);
      return realTimeout(work, delay);
    }) as typeof setTimeout);
    const port = scenario.payments.forMethod('card');
    const silentPayments = paymentsOf({
      ...port,
      account() {
        endLimit = timers.at(-1);
        return port.account();
      },
      createCheckout: () => {
        endLimit?.();
        return new Promise(() => undefined);
      },
    });
    const opened = await openCheckout(
      { ...scenario.contextFor(scenario.buyer), payments: silentPayments },
      checkoutTarget(saleId),
    );
    vi.restoreAllMocks();
    expect(opened).toEqual({ ok: false, reason: 'provider_down' });
    expect(await scenario.state(saleId)).toBe('failed/cancelled/');
  });

  it('is not opened once the seller has been suspended', async () => {
    const begun = await scenario.begin(scenario.buyer, await scenario.createListing());
    const saleId = begun.ok ? begun.saleId : '';
    await db
      .q()
      .updateTable('agents')
      .set({ status: 'suspended' })
      .where('id', '=', scenario.seller.agentId)
      .execute();
    const opened = await openCheckout(scenario.contextFor(scenario.buyer), checkoutTarget(saleId));
    expect(opened).toEqual({ ok: false, reason: 'suspended' });
    expect(await scenario.state(saleId)).toBe('failed/cancelled/');
  });

  it('cancelled by its buyer, it is closed at the provider and the property is released', async () => {
    const propertyId = await scenario.createListing();
    const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId);
    await expect(cancelCheckout(scenario.contextFor(scenario.otherBuyer), { saleId })).rejects.toThrow(
      'Not found',
    );
    const visitor = { ...scenario.contextFor(scenario.buyer), actor: { kind: 'visitor' as const } };
    await expect(cancelCheckout(visitor, { saleId })).rejects.toThrow(Unauthenticated);
    expect(await cancelCheckout(scenario.contextFor(scenario.buyer), { saleId })).toEqual({ ok: true });
    expect(await cancelCheckout(scenario.contextFor(scenario.buyer), { saleId })).toEqual({ ok: true });
    await expect(scenario.actOnCheckoutPage(ref, 'pay')).rejects.toThrow();
    expect(await scenario.state(saleId)).toBe('failed/cancelled/');
    expect(await scenario.begin(scenario.otherBuyer, propertyId)).toMatchObject({ ok: true });
  });

  it('opened while its buyer cancels, it is not cancelled: it could still be paid', async () => {
    const { saleId } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    const session = (id: string | null) =>
      db
        .q()
        .updateTable('property_sales')
        .set({ provider_session_id: id })
        .where('id', '=', saleId)
        .execute();
    const { provider_session_id: opened } = await db
      .q()
      .selectFrom('property_sales')
      .select('provider_session_id')
      .where('id', '=', saleId)
      .executeTakeFirstOrThrow();
    await session(null);
    const ctx = scenario.contextFor(scenario.buyer);
    // Between the read and the lock, the other tab opens the checkout.
    const tx: Database['tx'] = async (work) => {
      await session(opened);
      return db.tx(work);
    };
    expect(await cancelCheckout({ ...ctx, db: { ...db, tx } }, { saleId })).toEqual({
      ok: false,
      reason: 'not_now',
    });
    expect(await scenario.state(saleId)).toBe('pending/pending/');
  });

  it('that the provider does not close is not cancelled, even while nothing is known of a payment', async () => {
    const { saleId } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    const ctx = scenario.contextFor(scenario.buyer);
    const unclosed = paymentsOf({
      ...scenario.payments.forMethod('card', 0),
      cancelCheckout: failingCall('conflict'),
    });
    expect(await cancelCheckout({ ...ctx, payments: unclosed }, { saleId })).toEqual({
      ok: false,
      reason: 'not_now',
    });
    expect(await scenario.state(saleId)).toBe('pending/pending/');
  });

  it('that the provider does not know is not cancelled: with keys of another account it would know none', async () => {
    const propertyId = await scenario.createListing();
    const { saleId } = await scenario.checkout(scenario.buyer, propertyId);
    const card = scenario.payments.forMethod('card', 0);
    const unknown = paymentsOf({
      ...card,
      getCheckout: failingCall('not_found'),
      cancelCheckout: failingCall('not_found'),
    });
    const ctx = { ...scenario.contextFor(scenario.buyer), payments: unknown };
    await expect(cancelCheckout(ctx, { saleId })).rejects.toMatchObject({ code: 'not_found' });
    expect(await scenario.state(saleId)).toBe('pending/pending/');
    expect(await scenario.begin(scenario.otherBuyer, propertyId)).toMatchObject({ reason: 'in_progress' });
    // The hold ends by itself.
    scenario.clock.advance(2 * DAY);
    await sweepSales({ ...scenario.system, payments: unknown });
    expect(await scenario.state(saleId)).toBe('failed/cancelled/');
  });

  it('cancelled just after it was paid, the payment stands', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    await scenario.actOnCheckoutPage(ref, 'pay');
    expect(await cancelCheckout(scenario.contextFor(scenario.buyer), { saleId })).toEqual({
      ok: false,
      reason: 'not_now',
    });
    expect(await scenario.state(saleId)).toBe('completed/in_escrow/');
    // The provider is not asked what is known.
    const down = paymentsOf({
      ...scenario.payments.forMethod('card', 0),
      cancelCheckout: failingCall('unavailable'),
    });
    const late = cancelCheckout({ ...scenario.contextFor(scenario.buyer), payments: down }, { saleId });
    await expect(late).resolves.toEqual({ ok: false, reason: 'not_now' });
  });

  it('is cancelled twenty times a minute by one buyer, and no more', async () => {
    const ctx = scenario.contextFor(scenario.buyer);
    const limited = { ...ctx, config: { ...ctx.config, relaxedLimits: false } };
    for (let times = 1; times < 20; times += 1) await takeTokens(limited, saleLimits.act, scenario.buyer.id);
    const cancel = () => cancelCheckout(limited, { saleId: randomUUID() });
    await expect(cancel()).rejects.toThrow('Not found');
    await expect(cancel()).rejects.toThrow(TooManyRequests);
  });
});
