import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { settleSandbox } from '#gateways/payments/sandbox/settlement.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { HOLD_MS } from './model.ts';
import { receipt, saleView } from './reads.ts';

await describeOnEachDatabase('closing a sale', (open) => {
  let db: Database;
  let bench: SaleScenario;
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  beforeEach(async () => {
    bench = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  it('ends an unpaid hold after asking the provider; a lost payment message loses nothing', async () => {
    const paid = await bench.checkout(bench.buyer, await bench.createListing());
    await bench.actOnCheckoutPage(paid.ref, 'pay');
    const open = await bench.checkout(bench.buyer, await bench.createListing());
    const unopened = await bench.begin(bench.buyer, await bench.createListing());
    bench.clock.advance(HOLD_MS + MINUTE);
    await bench.settle();
    expect(await bench.state(paid.saleId)).toBe('completed/in_escrow/');
    expect(await bench.state(open.saleId)).toBe('failed/cancelled/');
    expect(await bench.state(unopened.ok ? unopened.saleId : '')).toBe('failed/cancelled/');
  });

  it('a checkout still open at the provider is closed there before the property is released', async () => {
    const { saleId, ref } = await bench.checkout(bench.buyer, await bench.createListing());
    await db
      .q()
      .updateTable('property_sales')
      .set({ locked_until: bench.clock.now() })
      .where('id', '=', saleId)
      .execute();
    bench.clock.advance(MINUTE);
    await bench.settle();
    expect(await bench.state(saleId)).toBe('failed/cancelled/');
    await expect(bench.actOnCheckoutPage(ref, 'pay')).rejects.toThrow('canceled');
  });

  it('releases escrow a week after the documents are delivered, unless somebody objects', async () => {
    const sales = await Promise.all(['calm', 'problem', 'cancellation'].map(() => bench.createPaidSale()));
    const [undisputed = '', problem = '', cancellation = ''] = sales;
    for (const saleId of sales)
      expect(await bench.act(bench.seller, saleId, 'deliver_documents')).toEqual({ ok: true });
    await bench.act(bench.buyer, problem, 'report_problem', 'The roof leaks.');
    await bench.act(bench.buyer, cancellation, 'request_cancellation');
    bench.clock.advance(7 * DAY - MINUTE);
    await bench.settle();
    expect(await bench.state(undisputed)).toBe('completed/in_escrow/');
    bench.clock.advance(2 * MINUTE);
    await bench.settle();
    expect(await bench.state(undisputed)).toBe('completed/completed/pending');
    expect(await bench.state(problem)).toBe('completed/in_escrow/');
    expect(await bench.state(cancellation)).toBe('completed/in_escrow/');
  });

  it('the buyer confirms: the seller is owed the share, the platform keeps the rest, the property is sold', async () => {
    const propertyId = await bench.createListing({ price_cents: 300_000_00 });
    const saleId = await bench.createPaidSale(propertyId);
    expect(await bench.act(bench.seller, saleId, 'confirm_closing')).toEqual({
      ok: false,
      reason: 'not_yours',
    });
    expect(await bench.act(bench.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
    expect(await bench.act(bench.buyer, saleId, 'confirm_closing')).toEqual({ ok: false, reason: 'not_now' });
    expect(await bench.state(saleId)).toBe('completed/completed/pending');
    expect(await bench.propertyStatus(propertyId)).toBe('Sold');
    const cost = (await bench.sale(saleId)).provider_fee_cents ?? 0;
    expect(await bench.accountBalances(saleId)).toEqual({
      clearing: 304_995_00 - cost,
      processing_cost: cost,
      seller_payable: -(240_000_00 - 100_00),
      platform_revenue: -(60_000_00 + 100_00),
      fee_revenue: -4_995_00,
    });
  });

  it('a cancellation is requested by one side and agreed to by the other; then the money is refunded', async () => {
    const propertyId = await bench.createListing();
    const saleId = await bench.createPaidSale(propertyId);
    expect(await bench.act(bench.seller, saleId, 'request_cancellation', 'The heirs object.')).toEqual({
      ok: true,
    });
    expect(await bench.act(bench.seller, saleId, 'agree_cancellation')).toEqual({
      ok: false,
      reason: 'asked_by_yourself',
    });
    expect(await bench.act(bench.buyer, saleId, 'confirm_closing')).toEqual({
      ok: false,
      reason: 'cancellation_asked',
    });
    expect(await bench.act(bench.buyer, saleId, 'agree_cancellation')).toEqual({ ok: true });
    expect(await bench.propertyStatus(propertyId)).toBe('Active');
    expect(await bench.state(saleId)).toBe('completed/cancelled/');
    await bench.settle();
    bench.clock.advance(MINUTE);
    await bench.settle();
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
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
    const saleId = await bench.createPaidSale();
    expect(await bench.act(bench.buyer, saleId, 'report_problem', 'The roof leaks.')).toEqual({ ok: true });
    expect(await bench.act(bench.buyer, saleId, 'confirm_closing')).toEqual({
      ok: false,
      reason: 'problem_open',
    });
    expect(await bench.act(bench.buyer, saleId, 'resolve_problem')).toEqual({
      ok: false,
      reason: 'not_yours',
    });
    expect(await bench.act(bench.admin, saleId, 'resolve_problem')).toEqual({ ok: true });
    expect(await bench.act(bench.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
  });

  it('a disputed payment freezes the sale; when the dispute is lost, so are the money and the sale', async () => {
    const propertyId = await bench.createListing();
    const { saleId, ref } = await bench.checkout(bench.buyer, propertyId);
    await bench.actOnCheckoutPage(ref, 'pay_later');
    await settleSandbox(db, ref, 'paid', bench.clock.now());
    await bench.sync(saleId);
    await disputeSandbox(db, ref, bench.clock.now());
    await bench.sync(saleId);
    await bench.sync(saleId);
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
    expect(await bench.propertyStatus(propertyId)).toBe('Active');
    const {
      clearing = 0,
      processing_cost = 0,
      dispute_fees = 0,
      ...rest
    } = await bench.accountBalances(saleId);
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
        (saleId) => bench.act(bench.buyer, saleId, 'request_cancellation'),
        (saleId) => bench.act(bench.seller, saleId, 'decline_cancellation'),
      ],
      [
        'a problem is resolved',
        (saleId) => bench.act(bench.buyer, saleId, 'report_problem', 'The roof leaks.'),
        (saleId) => bench.act(bench.admin, saleId, 'resolve_problem'),
      ],
      [
        'a dispute is won',
        async (saleId) => {
          await disputeSandbox(db, (await bench.sale(saleId)).provider_session_id ?? '', bench.clock.now());
          await bench.sync(saleId);
        },
        async (saleId) => {
          const ref = (await bench.sale(saleId)).provider_session_id ?? '';
          await closeSandboxDispute(db, ref, 'won', bench.clock.now());
          await bench.sync(saleId);
        },
      ],
    ];
    for (const [name, block, settle] of settlements) {
      const saleId = await bench.createPaidSale();
      await bench.act(bench.seller, saleId, 'deliver_documents');
      bench.clock.advance(5 * DAY);
      await block(saleId);
      bench.clock.advance(3 * DAY);
      await settle(saleId);
      bench.clock.advance(3 * DAY - MINUTE);
      await bench.settle();
      expect([name, await bench.state(saleId)]).toEqual([name, 'completed/in_escrow/']);
      bench.clock.advance(2 * MINUTE);
      await bench.settle();
      expect([name, await bench.state(saleId)]).toEqual([name, 'completed/completed/pending']);
    }
    // Settled early, the release stays where it was.
    const early = await bench.createPaidSale();
    await bench.act(bench.seller, early, 'deliver_documents');
    const { release_due_at } = await bench.sale(early);
    await bench.act(bench.buyer, early, 'request_cancellation');
    await bench.act(bench.seller, early, 'decline_cancellation');
    expect((await bench.sale(early)).release_due_at).toEqual(release_due_at);
    // Without documents there is nothing to release.
    const undelivered = await bench.createPaidSale();
    await bench.act(bench.buyer, undelivered, 'request_cancellation');
    await bench.act(bench.seller, undelivered, 'decline_cancellation');
    expect((await bench.sale(undelivered)).release_due_at).toBeNull();
  });

  it('a dispute of an earlier sale that is lost leaves the property to its next buyer', async () => {
    const propertyId = await bench.createListing();
    const { saleId, ref } = await bench.checkout(bench.buyer, propertyId);
    await bench.actOnCheckoutPage(ref, 'pay');
    await bench.sync(saleId);
    await bench.act(bench.admin, saleId, 'cancel_sale');
    const next = await bench.checkout(bench.otherBuyer, propertyId);
    await bench.actOnCheckoutPage(next.ref, 'pay');
    await bench.sync(next.saleId);
    await disputeSandbox(db, ref, bench.clock.now());
    await bench.sync(saleId);
    await closeSandboxDispute(db, ref, 'lost', bench.clock.now());
    await bench.sync(saleId);
    // The refund was not sent while the bank was deciding, and has nothing left to send.
    expect(await bench.state(saleId)).toBe('completed/cancelled/');
    await bench.settle();
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
    expect((await bench.refunds(saleId)).map(({ status }) => status)).toEqual(['failed']);
    expect(await bench.propertyStatus(propertyId)).toBe('escrow');
    await bench.act(bench.seller, next.saleId, 'deliver_documents');
    expect(await bench.act(bench.otherBuyer, next.saleId, 'confirm_closing')).toEqual({ ok: true });
    expect(await bench.propertyStatus(propertyId)).toBe('Sold');
  });

  it('a lost dispute settles the problem that was reported, and both sides hear of every step', async () => {
    const { saleId, ref } = await bench.checkout(bench.buyer, await bench.createListing());
    await bench.actOnCheckoutPage(ref, 'pay');
    await bench.sync(saleId);
    await bench.act(bench.buyer, saleId, 'report_problem', 'The roof leaks.');
    bench.clock.advance(DAY);
    await disputeSandbox(db, ref, bench.clock.now());
    await bench.sync(saleId);
    bench.clock.advance(DAY);
    await closeSandboxDispute(db, ref, 'lost', bench.clock.now());
    await bench.sync(saleId);
    const problems = await db
      .q()
      .selectFrom('disputes')
      .select('status')
      .where('sale_id', '=', saleId)
      .execute();
    expect(problems.map(({ status }) => status).sort()).toEqual(['lost', 'withdrawn']);
    for (const party of [bench.buyer, bench.seller])
      expect((await bench.mailsTo(party.email)).slice(-2)).toEqual([
        'The payment for 48 Larkspur Lane is disputed',
        'The payment for 48 Larkspur Lane was taken back',
      ]);
  });

  it('offers a suspended seller nothing that would be refused, and a suspended buyer everything', async () => {
    const saleId = await bench.createPaidSale();
    const view = (actor: typeof bench.buyer) => saleView(bench.contextFor(actor), saleId);
    const seller = { ...bench.seller, suspended: true };
    expect(await bench.act(seller, saleId, 'report_problem', 'Help.')).toMatchObject({ ok: false });
    expect(await view(seller)).toMatchObject({ actions: [], canAddDocuments: false });
    const [own, suspended] = [await view(bench.buyer), await view({ ...bench.buyer, suspended: true })];
    expect(suspended.actions).toEqual(own.actions);
    expect(suspended.canAddDocuments).toBe(true);
  });

  it('is visible to its parties only, each with their own actions', async () => {
    const saleId = await bench.createPaidSale();
    const view = (actor: typeof bench.buyer) => saleView(bench.contextFor(actor), saleId);
    expect((await view(bench.buyer)).actions).toEqual([
      'confirm_closing',
      'request_cancellation',
      'report_problem',
    ]);
    expect((await view(bench.seller)).actions).toEqual([
      'deliver_documents',
      'request_cancellation',
      'report_problem',
    ]);
    expect(await view(bench.buyer)).toMatchObject({
      party: 'buyer',
      income: null,
      next: { who: 'seller' },
    });
    expect((await view(bench.seller)).income).toEqual({
      lines: [
        { label: 'Sale price', cents: 742_000_00 },
        { label: "Platform's share (20%)", cents: -148_400_00 },
        { label: 'Listing', cents: -100_00 },
      ],
      commissionCents: 593_600_00,
      proceedsCents: 593_500_00,
    });
    await expect(view(bench.otherBuyer)).rejects.toThrow('Not found');
    await expect(view(await createUser(db, 'agent'))).rejects.toThrow('Not found');
    await expect(receipt(bench.contextFor(bench.otherBuyer), saleId)).rejects.toThrow('Not found');
  });

  it('shows each side what comes, by when, whom to write to, and their conversation', async () => {
    const propertyId = await bench.createListing();
    const { saleId, ref } = await bench.checkout(bench.buyer, propertyId);
    const view = (actor: typeof bench.buyer) => saleView(bench.contextFor(actor), saleId);
    const titles = async (actor: typeof bench.buyer) => (await view(actor)).coming.map(({ title }) => title);
    expect(await view(bench.seller)).toMatchObject({ buyer: null, inquiryId: null });
    expect(await titles(bench.buyer)).toEqual([
      'The seller delivers the closing documents',
      'You confirm the closing',
      'The seller is paid',
    ]);
    const inquiry = await db
      .q()
      .insertInto('property_inquiries')
      .values({ property_id: propertyId, user_id: bench.buyer.id, message: 'When can I move in?' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await bench.actOnCheckoutPage(ref, 'pay');
    await bench.sync(saleId);
    const sale = await bench.sale(saleId);
    expect(await view(bench.seller)).toMatchObject({
      buyer: { name: expect.any(String), email: bench.buyer.email },
      seller: { email: bench.seller.email },
      inquiryId: inquiry.id,
      property: { type: 'Single Family', picture: null },
      documentsDeliveredAt: null,
      next: { who: 'seller', by: sale.documents_due_at?.toISOString() },
    });
    expect(await titles(bench.seller)).toEqual(['The buyer confirms the closing', 'You are paid']);
    await bench.act(bench.seller, saleId, 'deliver_documents');
    const delivered = await bench.sale(saleId);
    expect(await view(bench.buyer)).toMatchObject({
      documentsDeliveredAt: delivered.documents_delivered_at?.toISOString(),
      next: { who: 'buyer', by: delivered.release_due_at?.toISOString() },
      inquiryId: inquiry.id,
    });
    await bench.act(bench.buyer, saleId, 'confirm_closing');
    // The buyer is done; what is left concerns the seller alone.
    expect(await view(bench.buyer)).toMatchObject({ next: null, coming: [], actions: [] });
    expect(await view(bench.seller)).toMatchObject({ next: { text: 'Your payout is next.' }, coming: [] });
  });

  it('shows proceeds that are what the ledger owes the seller, after a partial refund too', async () => {
    const saleId = await bench.createPaidSale(await bench.createListing({ price_cents: 333_333_33 }));
    await db
      .q()
      .updateTable('property_sales')
      .set({ returned_base_cents: 1_234_57 })
      .where('id', '=', saleId)
      .execute();
    const income = (await saleView(bench.contextFor(bench.seller), saleId)).income;
    expect(income?.lines.map(({ label }) => label)).toContain('Refunded to the buyer');
    expect(income?.lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(income?.proceedsCents);
  });
});
