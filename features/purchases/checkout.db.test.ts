import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import {
  broken,
  chargeFees,
  paymentsOf,
  type SaleBench,
  saleBench,
  target,
} from '#tests/support/sale-bench.ts';
import { cancelCheckout } from './commands/cancel-checkout.ts';
import { openCheckout } from './commands/open-checkout.ts';

await describeOnEachDatabase('the checkout of a purchase', (open) => {
  let db: Database;
  let bench: SaleBench;
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  beforeEach(async () => {
    bench = await saleBench(db);
  });
  afterAll(() => db.close());

  it('is opened once, with a line for each part of the price, and asked for again is the same', async () => {
    const house = await bench.house({ price_cents: 500_000_00, address: '7 Mill Lane' });
    const { saleId, ref } = await bench.checkout(bench.buyer, house);
    const again = await openCheckout(bench.as(bench.buyer), target(saleId), bench.payments);
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
      buyerEmail: bench.buyer.email,
      successUrl: `http://localhost:3000/buyer/transactions?tab=transactions&sale=${saleId}`,
      cancelUrl: `http://localhost:3000/property/${house}?left=${saleId}`,
    });
  });

  it("is nobody else's, and not for another property, amount or state", async () => {
    const house = await bench.house();
    const { saleId } = await bench.checkout(bench.buyer, house);
    const ask = (actor = bench.buyer, change = {}) =>
      openCheckout(bench.as(actor), { ...target(saleId), ...change }, bench.payments);
    await expect(ask(bench.other)).rejects.toThrow('Not found');
    await expect(ask(bench.seller)).rejects.toThrow('Not found');
    await expect(ask(bench.buyer, { propertyId: randomUUID() })).rejects.toThrow('Not found');
    await expect(ask(bench.buyer, { saleId: 'x' })).rejects.toThrow('Not found');
    expect(await ask(bench.buyer, { expectedCents: 1 })).toEqual({ ok: false, reason: 'price_changed' });
    await cancelCheckout(bench.as(bench.buyer), saleId, bench.payments);
    expect(await ask()).toEqual({ ok: false, reason: 'unavailable' });
  });

  it.each([
    ['unavailable', 'provider_down'],
    ['rate_limited', 'provider_down'],
    ['invalid', 'provider_refused'],
    ['auth', 'provider_refused'],
  ] as const)('a provider that answers %s frees the property at once: %s', async (code, reason) => {
    const house = await bench.house();
    const begun = await bench.begin(bench.buyer, house);
    const saleId = begun.ok ? begun.saleId : '';
    const unwell = paymentsOf({ ...bench.payments.forRail('card'), createCheckout: broken(code) });
    expect(await openCheckout(bench.as(bench.buyer), target(saleId), unwell)).toEqual({
      ok: false,
      reason,
    });
    expect(await bench.state(saleId)).toBe('failed/cancelled/');
    expect(await bench.begin(bench.other, house)).toMatchObject({ ok: true });
  });

  it('a key that is in use elsewhere frees nothing: the other tab is opening it', async () => {
    const begun = await bench.begin(bench.buyer, await bench.house());
    const saleId = begun.ok ? begun.saleId : '';
    const busy = paymentsOf({ ...bench.payments.forRail('card'), createCheckout: broken('conflict') });
    expect(await openCheckout(bench.as(bench.buyer), target(saleId), busy)).toEqual({
      ok: false,
      reason: 'provider_down',
    });
    expect(await openCheckout(bench.as(bench.buyer), target(saleId), bench.payments)).toMatchObject({
      ok: true,
    });
  });

  it('is not opened any more when the seller was suspended meanwhile', async () => {
    const begun = await bench.begin(bench.buyer, await bench.house());
    const saleId = begun.ok ? begun.saleId : '';
    await db
      .q()
      .updateTable('agents')
      .set({ status: 'suspended' })
      .where('id', '=', bench.seller.agentId)
      .execute();
    const opened = await openCheckout(bench.as(bench.buyer), target(saleId), bench.payments);
    expect(opened).toEqual({ ok: false, reason: 'suspended' });
    expect(await bench.state(saleId)).toBe('failed/cancelled/');
  });

  it('cancelled by its buyer it is closed at the provider and the property is free', async () => {
    const house = await bench.house();
    const { saleId, ref } = await bench.checkout(bench.buyer, house);
    await expect(cancelCheckout(bench.as(bench.other), saleId, bench.payments)).rejects.toThrow('Not found');
    expect(await cancelCheckout(bench.as(bench.buyer), saleId, bench.payments)).toEqual({ ok: true });
    expect(await cancelCheckout(bench.as(bench.buyer), saleId, bench.payments)).toEqual({ ok: true });
    await expect(bench.onPage(ref, 'pay')).rejects.toThrow();
    expect(await bench.state(saleId)).toBe('failed/cancelled/');
    expect(await bench.begin(bench.other, house)).toMatchObject({ ok: true });
  });

  it('cancelled when it was paid a moment before, the payment stands', async () => {
    const { saleId, ref } = await bench.checkout(bench.buyer, await bench.house());
    await bench.onPage(ref, 'pay');
    expect(await cancelCheckout(bench.as(bench.buyer), saleId, bench.payments)).toEqual({
      ok: false,
      reason: 'not_now',
    });
    expect(await bench.state(saleId)).toBe('completed/in_escrow/');
  });
});
