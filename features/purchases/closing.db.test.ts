import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { disputeSandbox, settleSandbox } from '#gateways/payments/sandbox/banks.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { createPerson } from '#tests/support/people.ts';
import { chargeFees, type SaleBench, saleBench } from '#tests/support/sale-bench.ts';
import { HOLD_MS } from './model.ts';
import { receipt, saleView } from './reads.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

await describeOnEachDatabase('closing a sale', (open) => {
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

  it('ends a hold that was not paid, after asking; a lost payment message loses nothing (B-074)', async () => {
    const paid = await bench.checkout(bench.buyer, await bench.house());
    await bench.onPage(paid.ref, 'pay');
    const open = await bench.checkout(bench.buyer, await bench.house());
    const unopened = await bench.begin(bench.buyer, await bench.house());
    bench.clock.advance(HOLD_MS + MINUTE);
    await bench.settle();
    expect(await bench.state(paid.saleId)).toBe('completed/in_escrow/');
    expect(await bench.state(open.saleId)).toBe('failed/cancelled/');
    expect(await bench.state(unopened.ok ? unopened.saleId : '')).toBe('failed/cancelled/');
  });

  it('a checkout that the provider still holds open is closed there before the property is free', async () => {
    const { saleId, ref } = await bench.checkout(bench.buyer, await bench.house());
    await db
      .q()
      .updateTable('property_sales')
      .set({ locked_until: bench.clock.now() })
      .where('id', '=', saleId)
      .execute();
    bench.clock.advance(MINUTE);
    await bench.settle();
    expect(await bench.state(saleId)).toBe('failed/cancelled/');
    await expect(bench.onPage(ref, 'pay')).rejects.toThrow('canceled');
  });

  it('releases escrow a week after the documents, unless somebody objects', async () => {
    const sales = await Promise.all(['calm', 'problem', 'cancellation'].map(() => bench.inEscrow()));
    const [calm = '', problem = '', cancellation = ''] = sales;
    for (const saleId of sales)
      expect(await bench.act(bench.seller, saleId, 'deliver_documents')).toEqual({ ok: true });
    await bench.act(bench.buyer, problem, 'report_problem', 'The roof leaks.');
    await bench.act(bench.buyer, cancellation, 'request_cancellation');
    bench.clock.advance(7 * DAY - MINUTE);
    await bench.settle();
    expect(await bench.state(calm)).toBe('completed/in_escrow/');
    bench.clock.advance(2 * MINUTE);
    await bench.settle();
    expect(await bench.state(calm)).toBe('completed/completed/pending');
    expect(await bench.state(problem)).toBe('completed/in_escrow/');
    expect(await bench.state(cancellation)).toBe('completed/in_escrow/');
  });

  it('the buyer confirms: the seller is owed the share, the platform has the rest, the property is sold', async () => {
    const house = await bench.house({ price_cents: 300_000_00 });
    const saleId = await bench.inEscrow(house);
    expect(await bench.act(bench.seller, saleId, 'confirm_closing')).toEqual({
      ok: false,
      reason: 'not_yours',
    });
    expect(await bench.act(bench.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
    expect(await bench.act(bench.buyer, saleId, 'confirm_closing')).toEqual({ ok: false, reason: 'not_now' });
    expect(await bench.state(saleId)).toBe('completed/completed/pending');
    expect(await bench.property(house)).toBe('Sold');
    const cost = (await bench.sale(saleId)).provider_fee_cents ?? 0;
    expect(await bench.books(saleId)).toEqual({
      provider_clearing: 304_995_00 - cost,
      processing_cost: cost,
      seller_payable: -(240_000_00 - 100_00),
      platform_revenue: -(60_000_00 + 100_00),
      fee_revenue: -4_995_00,
    });
  });

  it('a cancellation is asked for by one side and agreed to by the other; then the money goes back', async () => {
    const house = await bench.house();
    const saleId = await bench.inEscrow(house);
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
    expect(await bench.property(house)).toBe('Active');
    expect(await bench.state(saleId)).toBe('completed/cancelled/');
    await bench.settle();
    bench.clock.advance(MINUTE);
    await bench.settle();
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
    const changes = await db
      .q()
      .selectFrom('property_changes')
      .select(['previous_value', 'new_value'])
      .where('property_id', '=', house)
      .orderBy('id')
      .execute();
    expect(changes).toEqual([
      { previous_value: 'Active', new_value: 'escrow' },
      { previous_value: 'escrow', new_value: 'Active' },
    ]);
  });

  it('a reported problem stops the closing until an administrator settles it', async () => {
    const saleId = await bench.inEscrow();
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

  it('a disputed payment freezes the sale; lost, the money and the sale are gone', async () => {
    const house = await bench.house();
    const { saleId, ref } = await bench.checkout(bench.buyer, house);
    await bench.onPage(ref, 'pay_later');
    await settleSandbox(db, ref, 'paid', bench.clock.now());
    await bench.sync(saleId);
    await disputeSandbox(db, ref, bench.clock.now());
    await bench.sync(saleId);
    await bench.sync(saleId);
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
    expect(await bench.property(house)).toBe('Active');
    const { provider_clearing = 0, processing_cost = 0, ...rest } = await bench.books(saleId);
    expect(rest).toEqual({});
    expect(provider_clearing + processing_cost).toBe(0);
  });

  it('is shown to its parties only, each with their own buttons', async () => {
    const saleId = await bench.inEscrow();
    const view = (actor: typeof bench.buyer) => saleView(bench.as(actor), saleId);
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
      sellerShareCents: null,
      next: { who: 'seller' },
    });
    expect((await view(bench.seller)).sellerShareCents).toBe(593_600_00 - 100_00);
    await expect(view(bench.other)).rejects.toThrow('Not found');
    await expect(view(await createPerson(db, 'agent'))).rejects.toThrow('Not found');
    await expect(receipt(bench.as(bench.other), saleId)).rejects.toThrow('Not found');
  });
});
