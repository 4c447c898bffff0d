import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { FIRST_PART_HOLD_MS, HOLD_MS } from '#features/sales/model.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import {
  chargeFees,
  checkoutTarget,
  createSaleScenario,
  failingCall,
  panelListing,
  paymentsOf,
  type SaleScenario,
} from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { beginPurchase } from './commands/begin-purchase.ts';
import { diagnosePayments } from './commands/diagnose-payments.ts';
import { openCheckout } from './commands/open-checkout.ts';
import { purchasePanel } from './reads.ts';

const MINUTE = 60_000;

await describeOnEachDatabase('starting a purchase', (open) => {
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

  it('records the sale with server-computed amounts, its fees and an audit entry, and holds the property', async () => {
    const propertyId = await scenario.createListing({ price_cents: 742_000_00 });
    const begun = await scenario.begin(scenario.buyer, propertyId);
    expect(begun).toMatchObject({ ok: true, totalCents: 742_000_00 + 11_130_00 + 495_00 });
    const saleId = begun.ok ? begun.saleId : '';
    expect(await scenario.sale(saleId)).toMatchObject({
      buyer_id: scenario.buyer.id,
      agent_id: scenario.seller.agentId,
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
      locked_until: new Date(scenario.clock.now().getTime() + HOLD_MS),
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
    expect(await scenario.propertyStatus(propertyId)).toBe('Active');
    const panel = await purchasePanel(scenario.contextFor(scenario.otherBuyer), {
      listing: panelListing(propertyId, scenario.seller),
      totalCents: 753_625_00,
    });
    expect(panel).toMatchObject({
      own: null,
      heldUntil: new Date(scenario.clock.now().getTime() + HOLD_MS).toISOString(),
      refused: null,
      canPay: false,
    });
    const visitor = { ...scenario.contextFor(scenario.buyer), actor: { kind: 'visitor' as const } };
    const forVisitors = { listing: panelListing(propertyId, scenario.seller), totalCents: 753_625_00 };
    expect(await purchasePanel(visitor, forVisitors)).toMatchObject({ signedIn: false, refused: null });
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_id'])
      .where('entity_id', '=', saleId)
      .execute();
    expect(audited).toEqual([{ action: 'sale.begin', actor_id: scenario.buyer.id }]);
  });

  it('of many simultaneous buyers one gets the property, even when the first ones are refused', async () => {
    const propertyId = await scenario.createListing();
    const buyers = await Promise.all(Array.from({ length: 24 }, () => createUser(db, 'buyer')));
    const answers = await Promise.all(
      buyers.map((buyer, at) =>
        beginPurchase(scenario.contextFor(buyer), {
          propertyId: propertyId,
          method: 'card',
          expectedCents: at % 4 === 3 ? null : 1,
          key: 'a click',
        }),
      ),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    const reasons = answers.map((answer, at) => (answer.ok ? 'ok' : `${answer.reason} ${at % 4 === 3}`));
    for (const reason of reasons)
      expect(['ok', 'in_progress true', 'in_progress false', 'price_changed false']).toContain(reason);
  });

  it("uses the seller's individual share where one is set", async () => {
    await db
      .q()
      .updateTable('agents')
      .set({ commission_rate: 94 })
      .where('id', '=', scenario.seller.agentId)
      .execute();
    const begun = await scenario.begin(
      scenario.buyer,
      await scenario.createListing({ price_cents: 100_000_00 }),
    );
    const sale = await scenario.sale(begun.ok ? begun.saleId : '');
    expect(sale).toMatchObject({ admin_percentage: 6, agent_commission_cents: 94_000_00 });
  });

  it('the same key, or a second tab of the same buyer, is the same purchase; another buyer is refused', async () => {
    const propertyId = await scenario.createListing();
    const first = await scenario.begin(scenario.buyer, propertyId, 'card', 'a click');
    expect(await scenario.begin(scenario.buyer, propertyId, 'card', 'a click')).toEqual(first);
    expect(await scenario.begin(scenario.buyer, propertyId, 'crypto', 'another tab')).toEqual(first);
    const elsewhere = await scenario.begin(scenario.buyer, await scenario.createListing(), 'card', 'a click');
    expect(elsewhere.ok && first.ok && elsewhere.saleId !== first.saleId).toBe(true);
    const until = new Date(scenario.clock.now().getTime() + HOLD_MS);
    expect(await scenario.begin(scenario.otherBuyer, propertyId)).toEqual({
      ok: false,
      reason: 'in_progress',
      until,
    });
    const count = await db
      .q()
      .selectFrom('property_sales')
      .select('id')
      .where('property_id', '=', propertyId)
      .execute();
    expect(count).toHaveLength(1);
  });

  it('refuses a changed price, and a payment method that cannot carry it', async () => {
    const propertyId = await scenario.createListing({ price_cents: 2_000_000_00 });
    const begin = (expectedCents: number | null, method: 'card' | 'crypto') =>
      beginPurchase(scenario.contextFor(scenario.buyer), {
        propertyId: propertyId,
        method,
        expectedCents,
        key: randomUUID(),
      });
    expect(await begin(2_000_000_00, 'crypto')).toEqual({ ok: false, reason: 'price_changed' });
    expect(await begin(2_000_000_00 + 30_000_00 + 495_00, 'crypto')).toMatchObject({ ok: true });
    const palace = await scenario.createListing({ price_cents: 150_000_000_00 });
    for (const method of ['card', 'crypto'] as const)
      expect(await scenario.begin(scenario.buyer, palace, method)).toEqual({
        ok: false,
        reason: 'rail_limit',
      });
  });

  it('above the limit of one payment is paid in parts, where the provider takes them', async () => {
    const propertyId = await scenario.createListing({ price_cents: 2_000_000_00 });
    const [card, crypto] = (['card', 'crypto'] as const).map((method) => scenario.payments.forMethod(method));
    const whole = {
      ...scenario.contextFor(scenario.buyer),
      payments: paymentsOf(...[card, crypto].flatMap((one) => one ?? [])),
    };
    const input = { propertyId, method: 'card', expectedCents: null, key: 'a' } as const;
    const panel = { listing: panelListing(propertyId, scenario.seller), totalCents: 2_000_000_00 };
    const methods = async (ctx: typeof whole) =>
      (await purchasePanel(ctx, panel)).methods.map(({ method, reason }) => [method, reason !== null]);
    // The one that works stands first.
    expect(await methods(whole)).toEqual([
      ['crypto', false],
      ['card', true],
    ]);
    const buyer = scenario.contextFor(scenario.buyer);
    expect(await methods(buyer)).toEqual([
      ['card', false],
      ['crypto', false],
    ]);
    const diagnosis = await diagnosePayments(buyer, { method: 'card', propertyId });
    expect(diagnosis.checks).toContainEqual(
      expect.objectContaining({ name: 'Amount inside the limits', ok: true }),
    );
    expect(await beginPurchase(whole, input)).toEqual({ ok: false, reason: 'rail_limit' });
    const begun = await scenario.begin(scenario.buyer, propertyId);
    const sale = await scenario.sale(begun.ok ? begun.saleId : '');
    expect(sale).toMatchObject({
      provider: 'sandbox-transfers',
      payment_method: 'card',
      locked_until: new Date(scenario.clock.now().getTime() + HOLD_MS),
    });
    await openCheckout(buyer, checkoutTarget(sale.id));
    expect(await scenario.sale(sale.id)).toMatchObject({
      locked_until: new Date(scenario.clock.now().getTime() + FIRST_PART_HOLD_MS),
    });
    expect(await purchasePanel(buyer, panel)).toMatchObject({
      own: { parts: { receivedCents: 0, totalCents: sale.total_cents } },
      canPay: true,
    });
  });

  it('leads its buyer from the property to the conversation with the seller, and offers no payment anymore', async () => {
    const propertyId = await scenario.createListing();
    const saleId = await scenario.createPaidSale(propertyId);
    const listing = { ...panelListing(propertyId, scenario.seller), status: 'escrow' as const };
    const panel = (actor: typeof scenario.buyer) =>
      purchasePanel(scenario.contextFor(actor), { listing, totalCents: 753_625_00 });
    expect(await panel(scenario.buyer)).toMatchObject({
      own: { saleId, escrow: 'in_escrow', inquiryId: null },
      refused: null,
      canPay: false,
    });
    const { id } = await db
      .q()
      .insertInto('property_inquiries')
      .values({ property_id: propertyId, user_id: scenario.buyer.id, message: 'When can I move in?' })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect((await panel(scenario.buyer)).own?.inquiryId).toBe(id);
    expect(await panel(scenario.otherBuyer)).toMatchObject({
      own: null,
      refused: 'This property is in escrow with another buyer.',
      canPay: false,
    });
  });

  it('is refused to sellers, owners, unverified users, and for suspended sellers or properties not for sale', async () => {
    const propertyId = await scenario.createListing();
    const seller2 = await createUser(db, 'agent');
    expect(await scenario.begin(scenario.seller, propertyId)).toMatchObject({ reason: 'own' });
    expect(await scenario.begin(seller2, propertyId)).toMatchObject({ reason: 'not_a_buyer' });
    expect(await scenario.begin(scenario.admin, propertyId)).toMatchObject({ reason: 'not_a_buyer' });
    expect(await scenario.begin({ ...scenario.buyer, emailVerified: false }, propertyId)).toMatchObject({
      reason: 'unverified',
    });
    expect(
      await scenario.begin(scenario.buyer, await scenario.createListing({ status: 'escrow' })),
    ).toMatchObject({
      reason: 'in_escrow',
    });
    expect(
      await scenario.begin(scenario.buyer, await scenario.createListing({ status: 'Sold' })),
    ).toMatchObject({
      reason: 'sold',
    });
    await expect(
      scenario.begin(scenario.buyer, await scenario.createListing({ status: 'pending' })),
    ).rejects.toThrow('Property not found');
    await expect(scenario.begin(scenario.buyer, 'no-id')).rejects.toThrow('Property not found');
    await db
      .q()
      .updateTable('agents')
      .set({ status: 'suspended' })
      .where('id', '=', scenario.seller.agentId)
      .execute();
    await expect(scenario.begin(scenario.buyer, propertyId)).rejects.toThrow('Property not found');
  });

  it('allows three unpaid holds a day (R18), not counting those the provider could not open', async () => {
    const strict = () => testContext(db, { actor: scenario.buyer, now: scenario.clock.now });
    const begin = async () => {
      const propertyId = await scenario.createListing();
      const input = { propertyId, method: 'card' as const, expectedCents: null, key: randomUUID() };
      const begun = await beginPurchase({ ...strict(), payments: scenario.payments }, input);
      return begun.ok ? begun.saleId : begun.reason;
    };
    const down = paymentsOf({
      ...scenario.payments.forMethod('card'),
      createCheckout: failingCall('unavailable'),
    });
    for (let count = 0; count < 2; count++)
      expect(
        await openCheckout({ ...strict(), payments: down }, checkoutTarget(await begin())),
      ).toMatchObject({ ok: false });
    for (let count = 0; count < 3; count++)
      expect(
        await openCheckout({ ...strict(), payments: scenario.payments }, checkoutTarget(await begin())),
      ).toMatchObject({
        ok: true,
      });
    expect(await begin()).toBe('too_many_attempts');
    scenario.clock.advance(DAY + MINUTE);
    expect(await begin()).not.toBe('too_many_attempts');
  });

  it('counts bank transfers that are under way among the three', async () => {
    const strict = {
      ...testContext(db, { actor: scenario.buyer, now: scenario.clock.now }),
      payments: scenario.payments,
    };
    const begin = async () =>
      beginPurchase(strict, {
        propertyId: await scenario.createListing(),
        method: 'card',
        expectedCents: null,
        key: randomUUID(),
      });
    for (let count = 0; count < 3; count++) {
      const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
      await scenario.actOnCheckoutPage(ref, 'pay_later');
      await scenario.sync(saleId);
      expect(await scenario.state(saleId)).toBe('processing/pending/');
    }
    expect(await begin()).toEqual({ ok: false, reason: 'too_many_attempts' });
    scenario.clock.advance(DAY + MINUTE);
    expect(await begin()).toMatchObject({ ok: true });
  });

  it('allows three also without checkouts, and when started at the same time', async () => {
    const strict = testContext(db, { actor: scenario.buyer, now: scenario.clock.now });
    const propertyIds = await Promise.all(Array.from({ length: 6 }, () => scenario.createListing()));
    const begin = (propertyId: string) =>
      beginPurchase(
        { ...strict, payments: scenario.payments },
        { propertyId, method: 'card', expectedCents: null, key: randomUUID() },
      );
    const begun = await Promise.all(propertyIds.map(begin));
    expect(begun.map((one) => (one.ok ? 'held' : one.reason)).sort()).toEqual([
      ...Array(3).fill('held'),
      ...Array(3).fill('too_many_attempts'),
    ]);
    expect((await scenario.begin(scenario.otherBuyer, propertyIds[0] ?? '')).ok).toBe(begun[0]?.ok === false);
  });
});
