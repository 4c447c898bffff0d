import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { testContext } from '#tests/support/context.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { createPerson } from '#tests/support/people.ts';
import {
  broken,
  chargeFees,
  listingOf,
  paymentsOf,
  type SaleBench,
  saleBench,
  target,
} from '#tests/support/sale-bench.ts';
import { beginPurchase } from './commands/begin-purchase.ts';
import { openCheckout } from './commands/open-checkout.ts';
import { HOLD_MS } from './model.ts';
import { purchasePanel } from './reads.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

await describeOnEachDatabase('beginning a purchase', (open) => {
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

  it('records the sale with amounts computed here, its fees and its audit, and holds the property', async () => {
    const house = await bench.house({ price_cents: 742_000_00 });
    const begun = await bench.begin(bench.buyer, house);
    expect(begun).toMatchObject({ ok: true, totalCents: 742_000_00 + 11_130_00 + 495_00 });
    const saleId = begun.ok ? begun.saleId : '';
    expect(await bench.sale(saleId)).toMatchObject({
      buyer_id: bench.buyer.id,
      agent_id: bench.seller.agentId,
      sale_price_cents: 742_000_00,
      buyer_fees_cents: 11_625_00,
      seller_fees_cents: 100_00,
      total_cents: 753_625_00,
      admin_percentage: 20,
      agent_commission_cents: 593_600_00,
      admin_fee_cents: 148_400_00,
      stripe_payment_status: 'pending',
      escrow_status: 'pending',
      payout_status: null,
      provider: 'sandbox-card',
      livemode: false,
      sale_date: null,
      locked_until: new Date(bench.clock.now().getTime() + HOLD_MS),
    });
    const fees = await db
      .q()
      .selectFrom('transaction_fees')
      .select(['name', 'applies_to', 'amount_applied_cents'])
      .where('sale_id', '=', saleId)
      .orderBy('name')
      .execute();
    expect(fees).toEqual([
      { name: 'Buyer Protection', applies_to: 'buyer', amount_applied_cents: 11_130_00 },
      { name: 'Closing', applies_to: 'buyer', amount_applied_cents: 495_00 },
      { name: 'Listing', applies_to: 'seller', amount_applied_cents: 100_00 },
    ]);
    expect(await bench.property(house)).toBe('Active');
    const panel = await purchasePanel(
      bench.as(bench.other),
      listingOf(house, bench.seller),
      753_625_00,
      bench.payments,
    );
    expect(panel).toMatchObject({
      own: null,
      heldUntil: new Date(bench.clock.now().getTime() + HOLD_MS).toISOString(),
      refused: null,
    });
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_id'])
      .where('entity_id', '=', saleId)
      .execute();
    expect(audited).toEqual([{ action: 'sale.begin', actor_id: bench.buyer.id }]);
  });

  it('of a crowd one gets the house and the others a reason, also when those in front are refused', async () => {
    const house = await bench.house();
    const people = await Promise.all(Array.from({ length: 24 }, () => createPerson(db, 'buyer')));
    const answers = await Promise.all(
      people.map((buyer, at) =>
        beginPurchase(
          bench.as(buyer),
          { propertyId: house, method: 'card', expectedCents: at % 4 === 3 ? null : 1, key: 'a click' },
          bench.payments,
        ),
      ),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const reasons = answers.map((answer, at) => (answer.ok ? 'ok' : `${answer.reason} ${at % 4 === 3}`));
    for (const reason of reasons)
      expect(['ok', 'in_progress true', 'in_progress false', 'price_changed false']).toContain(reason);
  });

  it("takes the seller's own share where one is set (B-070)", async () => {
    await db
      .q()
      .updateTable('agents')
      .set({ commission_rate: 94 })
      .where('id', '=', bench.seller.agentId)
      .execute();
    const begun = await bench.begin(bench.buyer, await bench.house({ price_cents: 100_000_00 }));
    const sale = await bench.sale(begun.ok ? begun.saleId : '');
    expect(sale).toMatchObject({ admin_percentage: 6, agent_commission_cents: 94_000_00 });
  });

  it('the same key, and a second tab of the same buyer, are the same purchase; another buyer waits', async () => {
    const house = await bench.house();
    const first = await bench.begin(bench.buyer, house, 'card', 'a click');
    expect(await bench.begin(bench.buyer, house, 'card', 'a click')).toEqual(first);
    expect(await bench.begin(bench.buyer, house, 'crypto', 'another tab')).toEqual(first);
    const until = new Date(bench.clock.now().getTime() + HOLD_MS);
    expect(await bench.begin(bench.other, house)).toEqual({ ok: false, reason: 'in_progress', until });
    const count = await db
      .q()
      .selectFrom('property_sales')
      .select('id')
      .where('property_id', '=', house)
      .execute();
    expect(count).toHaveLength(1);
  });

  it('refuses a price that has changed, and a rail that cannot carry it', async () => {
    const house = await bench.house({ price_cents: 2_000_000_00 });
    const begin = (expectedCents: number | null, method: 'card' | 'crypto') =>
      beginPurchase(
        bench.as(bench.buyer),
        { propertyId: house, method, expectedCents, key: randomUUID() },
        bench.payments,
      );
    expect(await begin(2_000_000_00, 'crypto')).toEqual({ ok: false, reason: 'price_changed' });
    expect(await begin(null, 'card')).toEqual({ ok: false, reason: 'rail_limit' });
    expect(await begin(2_000_000_00 + 30_000_00 + 495_00, 'crypto')).toMatchObject({ ok: true });
  });

  it('is not for sellers, their own listings, unverified people, suspended sellers or what is not for sale (B-083)', async () => {
    const house = await bench.house();
    const seller2 = await createPerson(db, 'agent');
    expect(await bench.begin(bench.seller, house)).toMatchObject({ reason: 'own' });
    expect(await bench.begin(seller2, house)).toMatchObject({ reason: 'not_a_buyer' });
    expect(await bench.begin(bench.admin, house)).toMatchObject({ reason: 'not_a_buyer' });
    expect(await bench.begin({ ...bench.buyer, emailVerified: false }, house)).toMatchObject({
      reason: 'unverified',
    });
    expect(await bench.begin(bench.buyer, await bench.house({ status: 'escrow' }))).toMatchObject({
      reason: 'in_escrow',
    });
    expect(await bench.begin(bench.buyer, await bench.house({ status: 'Sold' }))).toMatchObject({
      reason: 'sold',
    });
    await expect(bench.begin(bench.buyer, await bench.house({ status: 'pending' }))).rejects.toThrow(
      'Property not found',
    );
    await expect(bench.begin(bench.buyer, 'no-id')).rejects.toThrow('Property not found');
    await db
      .q()
      .updateTable('agents')
      .set({ status: 'suspended' })
      .where('id', '=', bench.seller.agentId)
      .execute();
    await expect(bench.begin(bench.buyer, house)).rejects.toThrow('Property not found');
  });

  it('three holds that were not paid are enough for a day (R18), and what the provider could not open does not count', async () => {
    const strict = () => testContext(db, { actor: bench.buyer, now: bench.clock.now });
    const begin = async () => {
      const propertyId = await bench.house();
      const input = { propertyId, method: 'card' as const, expectedCents: null, key: randomUUID() };
      const begun = await beginPurchase(strict(), input, bench.payments);
      return begun.ok ? begun.saleId : begun.reason;
    };
    const down = paymentsOf({ ...bench.payments.forRail('card'), createCheckout: broken('unavailable') });
    for (let count = 0; count < 2; count++)
      expect(await openCheckout(strict(), target(await begin()), down)).toMatchObject({ ok: false });
    for (let count = 0; count < 3; count++)
      expect(await openCheckout(strict(), target(await begin()), bench.payments)).toMatchObject({
        ok: true,
      });
    expect(await begin()).toBe('too_many_attempts');
    bench.clock.advance(DAY + MINUTE);
    expect(await begin()).not.toBe('too_many_attempts');
  });

  it('three are enough also without checkouts, and all at the same time', async () => {
    const strict = testContext(db, { actor: bench.buyer, now: bench.clock.now });
    const houses = await Promise.all(Array.from({ length: 6 }, () => bench.house()));
    const begin = (propertyId: string) =>
      beginPurchase(
        strict,
        { propertyId, method: 'card', expectedCents: null, key: randomUUID() },
        bench.payments,
      );
    const begun = await Promise.all(houses.map(begin));
    expect(begun.map((one) => (one.ok ? 'held' : one.reason)).sort()).toEqual([
      ...Array(3).fill('held'),
      ...Array(3).fill('too_many_attempts'),
    ]);
    expect((await bench.begin(bench.other, houses[0] ?? '')).ok).toBe(begun[0]?.ok === false);
  });
});
