import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { settleSandbox } from '#gateways/payments/sandbox/settlement.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { HOLD_MS } from './model.ts';
import { receipt, saleView } from './reads.ts';

await describeOnEachDatabase('closing a sale', (open) => {
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

  it('ends an unpaid hold after asking the provider; a lost payment message loses nothing', async () => {
    const paid = await scenario.checkout(scenario.buyer, await scenario.createListing());
    await scenario.actOnCheckoutPage(paid.ref, 'pay');
    const open = await scenario.checkout(scenario.buyer, await scenario.createListing());
    const unopened = await scenario.begin(scenario.buyer, await scenario.createListing());
    scenario.clock.advance(HOLD_MS + MINUTE);
    await scenario.settle();
    expect(await scenario.state(paid.saleId)).toBe('completed/in_escrow/');
    expect(await scenario.state(open.saleId)).toBe('failed/cancelled/');
    expect(await scenario.state(unopened.ok ? unopened.saleId : '')).toBe('failed/cancelled/');
  });

  it('a checkout still open at the provider is closed there before the property is released', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    await db
      .q()
      .updateTable('property_sales')
      .set({ locked_until: scenario.clock.now() })
      .where('id', '=', saleId)
      .execute();
    scenario.clock.advance(MINUTE);
    await scenario.settle();
    expect(await scenario.state(saleId)).toBe('failed/cancelled/');
    await expect(scenario.actOnCheckoutPage(ref, 'pay')).rejects.toThrow('canceled');
  });

  it('releases escrow a week after the documents are delivered, unless somebody objects', async () => {
    const sales = await Promise.all(['calm', 'problem', 'cancellation'].map(() => scenario.createPaidSale()));
    const [undisputed = '', problem = '', cancellation = ''] = sales;
    for (const saleId of sales)
      expect(await scenario.act(scenario.seller, saleId, 'deliver_documents')).toEqual({ ok: true });
    await scenario.act(scenario.buyer, problem, 'report_problem', 'The roof leaks.');
    await scenario.act(scenario.buyer, cancellation, 'request_cancellation');
    scenario.clock.advance(7 * DAY - MINUTE);
    await scenario.settle();
    expect(await scenario.state(undisputed)).toBe('completed/in_escrow/');
    scenario.clock.advance(2 * MINUTE);
    await scenario.settle();
    expect(await scenario.state(undisputed)).toBe('completed/completed/pending');
    expect(await scenario.state(problem)).toBe('completed/in_escrow/');
    expect(await scenario.state(cancellation)).toBe('completed/in_escrow/');
  });

  it('the buyer confirms: the seller is owed the share, the platform keeps the rest, the property is sold', async () => {
    const propertyId = await scenario.createListing({ price_cents: 300_000_00 });
    const saleId = await scenario.createPaidSale(propertyId);
    expect(await scenario.act(scenario.seller, saleId, 'confirm_closing')).toEqual({
      ok: false,
      reason: 'not_yours',
    });
    expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
    expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({
      ok: false,
      reason: 'not_now',
    });
    expect(await scenario.state(saleId)).toBe('completed/completed/pending');
    expect(await scenario.propertyStatus(propertyId)).toBe('Sold');
    const cost = (await scenario.sale(saleId)).provider_fee_cents ?? 0;
    expect(await scenario.accountBalances(saleId)).toEqual({
      clearing: 304_995_00 - cost,
      processing_cost: cost,
      seller_payable: -(240_000_00 - 100_00),
      platform_revenue: -(60_000_00 + 100_00),
      fee_revenue: -4_995_00,
    });
  });

  it('a cancellation is requested by one side and agreed to by the other; then the money is refunded', async () => {
    const propertyId = await scenario.createListing();
    const saleId = await scenario.createPaidSale(propertyId);
    expect(await scenario.act(scenario.seller, saleId, 'request_cancellation', 'The heirs object.')).toEqual({
      ok: true,
    });
    expect(await scenario.act(scenario.seller, saleId, 'agree_cancellation')).toEqual({
      ok: false,
      reason: 'asked_by_yourself',
    });
    expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({
      ok: false,
      reason: 'cancellation_asked',
    });
    expect(await scenario.act(scenario.buyer, saleId, 'agree_cancellation')).toEqual({ ok: true });
    expect(await scenario.propertyStatus(propertyId)).toBe('Active');
    expect(await scenario.state(saleId)).toBe('completed/cancelled/');
    await scenario.settle();
    scenario.clock.advance(MINUTE);
    await scenario.settle();
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    const changes = await db
      .q()
      .selectFrom('property_changes')
      .select(['previous_value', 'new_value'])
      .where('property_id', '=', propertyId)
      .orderBy('id')
      .execute();
    expect(changes).toEqual([
      { previous_value: 'Active', new_value: 'escrow' },
      { previous_value: 'escrow', new_value: 'Active' },
    ]);
  });

  it('a reported problem blocks the closing until an administrator resolves it', async () => {
    const saleId = await scenario.createPaidSale();
    expect(await scenario.act(scenario.buyer, saleId, 'report_problem', 'The roof leaks.')).toEqual({
      ok: true,
    });
    expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({
      ok: false,
      reason: 'problem_open',
    });
    expect(await scenario.act(scenario.buyer, saleId, 'resolve_problem')).toEqual({
      ok: false,
      reason: 'not_yours',
    });
    expect(await scenario.act(scenario.admin, saleId, 'resolve_problem')).toEqual({ ok: true });
    expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
  });

  it('a disputed payment freezes the sale; when the dispute is lost, so are the money and the sale', async () => {
    const propertyId = await scenario.createListing();
    const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId);
    await scenario.actOnCheckoutPage(ref, 'pay_later');
    await settleSandbox(db, ref, 'paid', scenario.clock.now());
    await scenario.sync(saleId);
    await disputeSandbox(db, ref, scenario.clock.now());
    await scenario.sync(saleId);
    await scenario.sync(saleId);
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    expect(await scenario.propertyStatus(propertyId)).toBe('Active');
    const {
      clearing = 0,
      processing_cost = 0,
      dispute_fees = 0,
      ...rest
    } = await scenario.accountBalances(saleId);
    expect(rest).toEqual({});
    expect(dispute_fees).toBeGreaterThan(0);
    expect(clearing + processing_cost + dispute_fees).toBe(0);
  });

  it('leaves three days to object again after whatever blocked the release is settled', async () => {
    const settlements: [
      name: string,
      block: (saleId: string) => Promise<unknown>,
      settle: (saleId: string) => Promise<unknown>,
    ][] = [
      [
        'a cancellation is declined',
        (saleId) => scenario.act(scenario.buyer, saleId, 'request_cancellation'),
        (saleId) => scenario.act(scenario.seller, saleId, 'decline_cancellation'),
      ],
      [
        'a problem is resolved',
        (saleId) => scenario.act(scenario.buyer, saleId, 'report_problem', 'The roof leaks.'),
        (saleId) => scenario.act(scenario.admin, saleId, 'resolve_problem'),
      ],
      [
        'a dispute is won',
        async (saleId) => {
          await disputeSandbox(
            db,
            (await scenario.sale(saleId)).provider_session_id ?? '',
            scenario.clock.now(),
          );
          await scenario.sync(saleId);
        },
        async (saleId) => {
          const ref = (await scenario.sale(saleId)).provider_session_id ?? '';
          await closeSandboxDispute(db, ref, 'won', scenario.clock.now());
          await scenario.sync(saleId);
        },
      ],
    ];
    for (const [name, block, settle] of settlements) {
      const saleId = await scenario.createPaidSale();
      await scenario.act(scenario.seller, saleId, 'deliver_documents');
      scenario.clock.advance(5 * DAY);
      await block(saleId);
      scenario.clock.advance(3 * DAY);
      await settle(saleId);
      scenario.clock.advance(3 * DAY - MINUTE);
      await scenario.settle();
      expect([name, await scenario.state(saleId)]).toEqual([name, 'completed/in_escrow/']);
      scenario.clock.advance(2 * MINUTE);
      await scenario.settle();
      expect([name, await scenario.state(saleId)]).toEqual([name, 'completed/completed/pending']);
    }
    // Settled early, the release stays where it was.
    const early = await scenario.createPaidSale();
    await scenario.act(scenario.seller, early, 'deliver_documents');
    const { release_due_at } = await scenario.sale(early);
    await scenario.act(scenario.buyer, early, 'request_cancellation');
    await scenario.act(scenario.seller, early, 'decline_cancellation');
    expect((await scenario.sale(early)).release_due_at).toEqual(release_due_at);
    // Without documents there is nothing to release.
    const undelivered = await scenario.createPaidSale();
    await scenario.act(scenario.buyer, undelivered, 'request_cancellation');
    await scenario.act(scenario.seller, undelivered, 'decline_cancellation');
    expect((await scenario.sale(undelivered)).release_due_at).toBeNull();
  });

  it('a dispute of an earlier sale that is lost leaves the property to its next buyer', async () => {
    const propertyId = await scenario.createListing();
    const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId);
    await scenario.actOnCheckoutPage(ref, 'pay');
    await scenario.sync(saleId);
    await scenario.act(scenario.admin, saleId, 'cancel_sale');
    const next = await scenario.checkout(scenario.otherBuyer, propertyId);
    await scenario.actOnCheckoutPage(next.ref, 'pay');
    await scenario.sync(next.saleId);
    await disputeSandbox(db, ref, scenario.clock.now());
    await scenario.sync(saleId);
    await closeSandboxDispute(db, ref, 'lost', scenario.clock.now());
    await scenario.sync(saleId);
    // The refund was not sent while the bank was deciding, and has nothing left to send.
    expect(await scenario.state(saleId)).toBe('completed/cancelled/');
    await scenario.settle();
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    expect((await scenario.refunds(saleId)).map(({ status }) => status)).toEqual(['failed']);
    expect(await scenario.propertyStatus(propertyId)).toBe('escrow');
    await scenario.act(scenario.seller, next.saleId, 'deliver_documents');
    expect(await scenario.act(scenario.otherBuyer, next.saleId, 'confirm_closing')).toEqual({ ok: true });
    expect(await scenario.propertyStatus(propertyId)).toBe('Sold');
  });

  it('a lost dispute settles the problem that was reported, and both sides hear of every step', async () => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    await scenario.actOnCheckoutPage(ref, 'pay');
    await scenario.sync(saleId);
    await scenario.act(scenario.buyer, saleId, 'report_problem', 'The roof leaks.');
    scenario.clock.advance(DAY);
    await disputeSandbox(db, ref, scenario.clock.now());
    await scenario.sync(saleId);
    scenario.clock.advance(DAY);
    await closeSandboxDispute(db, ref, 'lost', scenario.clock.now());
    await scenario.sync(saleId);
    const problems = await db
      .q()
      .selectFrom('disputes')
      .select('status')
      .where('sale_id', '=', saleId)
      .execute();
    expect(problems.map(({ status }) => status).sort()).toEqual(['lost', 'withdrawn']);
    for (const party of [scenario.buyer, scenario.seller])
      expect((await scenario.mailsTo(party.email)).slice(-2)).toEqual([
        'The payment for 48 Larkspur Lane is disputed',
        'The payment for 48 Larkspur Lane was taken back',
      ]);
  });

  it('offers a suspended seller nothing that would be refused, and a suspended buyer everything', async () => {
    const saleId = await scenario.createPaidSale();
    const view = (actor: typeof scenario.buyer) => saleView(scenario.contextFor(actor), saleId);
    const seller = { ...scenario.seller, suspended: true };
    expect(await scenario.act(seller, saleId, 'report_problem', 'Help.')).toMatchObject({ ok: false });
    expect(await view(seller)).toMatchObject({ actions: [], canAddDocuments: false });
    const [own, suspended] = [await view(scenario.buyer), await view({ ...scenario.buyer, suspended: true })];
    expect(suspended.actions).toEqual(own.actions);
    expect(suspended.canAddDocuments).toBe(true);
  });

  it('is visible to its parties only, each with their own actions', async () => {
    const saleId = await scenario.createPaidSale();
    const view = (actor: typeof scenario.buyer) => saleView(scenario.contextFor(actor), saleId);
    await expect(view(scenario.buyer)).resolves.toMatchObject({
      actions: ['confirm_closing', 'request_cancellation', 'report_problem'],
    });
    await expect(view(scenario.admin)).resolves.toMatchObject({ party: 'admin' });
    expect((await view(scenario.seller)).actions).toEqual([
      'deliver_documents',
      'request_cancellation',
      'report_problem',
    ]);
    expect(await view(scenario.buyer)).toMatchObject({
      party: 'buyer',
      income: null,
      next: { who: 'seller' },
    });
    expect((await view(scenario.seller)).income).toEqual({
      lines: [
        { label: 'Sale price', cents: 742_000_00 },
        { label: "Platform's share (20%)", cents: -148_400_00 },
        { label: 'Listing', cents: -100_00 },
      ],
      commissionCents: 593_600_00,
      proceedsCents: 593_500_00,
    });
    await expect(view(scenario.otherBuyer)).rejects.toThrow('Not found');
    await expect(scenario.act(scenario.otherBuyer, saleId, 'report_problem')).rejects.toThrow('Not found');
    await expect(view(await createUser(db, 'agent'))).rejects.toThrow('Not found');
    await expect(receipt(scenario.contextFor(scenario.otherBuyer), saleId)).rejects.toThrow('Not found');
  });

  it('shows each side what comes, by when, whom to write to, and their conversation', async () => {
    const propertyId = await scenario.createListing();
    const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId);
    const view = (actor: typeof scenario.buyer) => saleView(scenario.contextFor(actor), saleId);
    const titles = async (actor: typeof scenario.buyer) =>
      (await view(actor)).coming.map(({ title }) => title);
    expect(await view(scenario.seller)).toMatchObject({ buyer: null, inquiryId: null });
    expect(await titles(scenario.buyer)).toEqual([
      'The seller delivers the closing documents',
      'You confirm the closing',
      'The seller is paid',
    ]);
    const ask = (by: UserActor) =>
      db
        .q()
        .insertInto('property_inquiries')
        .values({ property_id: propertyId, user_id: by.id, message: 'When can I move in?' })
        .returning('id')
        .executeTakeFirstOrThrow();
    await ask(scenario.otherBuyer);
    // That of somebody else about the property is none of this sale.
    expect(await view(scenario.seller)).toMatchObject({ inquiryId: null });
    const inquiry = await ask(scenario.buyer);
    await scenario.actOnCheckoutPage(ref, 'pay');
    await scenario.sync(saleId);
    const sale = await scenario.sale(saleId);
    expect(await view(scenario.seller)).toMatchObject({
      buyer: { name: expect.any(String), email: scenario.buyer.email },
      seller: { email: scenario.seller.email },
      inquiryId: inquiry.id,
      property: { type: 'Single Family', picture: null },
      documentsDeliveredAt: null,
      next: { who: 'seller', by: sale.documents_due_at?.toISOString() },
    });
    expect(await titles(scenario.seller)).toEqual(['The buyer confirms the closing', 'You are paid']);
    await scenario.act(scenario.seller, saleId, 'deliver_documents');
    const delivered = await scenario.sale(saleId);
    expect(await view(scenario.buyer)).toMatchObject({
      documentsDeliveredAt: delivered.documents_delivered_at?.toISOString(),
      next: { who: 'buyer', by: delivered.release_due_at?.toISOString() },
      inquiryId: inquiry.id,
    });
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    // The buyer is done; what is left concerns the seller alone.
    expect(await view(scenario.buyer)).toMatchObject({ next: null, coming: [], actions: [] });
    expect(await view(scenario.seller)).toMatchObject({ next: { text: 'Your payout is next.' }, coming: [] });
    // A seller to whom the listing was given since has the conversation now.
    const { agentId } = await createUser(db, 'agent');
    await db
      .q()
      .updateTable('properties')
      .set({ agent_id: agentId ?? '' })
      .where('id', '=', propertyId)
      .execute();
    expect(await view(scenario.seller)).toMatchObject({ inquiryId: null });
  });

  it('shows proceeds that are what the ledger owes the seller, after a partial refund too', async () => {
    const saleId = await scenario.createPaidSale(await scenario.createListing({ price_cents: 333_333_33 }));
    await db
      .q()
      .updateTable('property_sales')
      .set({ returned_base_cents: 1_234_57 })
      .where('id', '=', saleId)
      .execute();
    const income = (await saleView(scenario.contextFor(scenario.seller), saleId)).income;
    expect(income?.lines.map(({ label }) => label)).toContain('Refunded to the buyer');
    expect(income?.lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(income?.proceedsCents);
  });
});
