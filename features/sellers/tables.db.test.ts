import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownListings, recentListings } from '#features/listings/reads.ts';
import { sellerSales, sellerSalesFile, sellerTotals } from '#features/purchases/reads.ts';
import type { SellerSaleSort } from '#features/purchases/seller-sales.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { testClock, testContext } from '#tests/support/context.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { createListing } from '#tests/support/listings.ts';
import { createPerson } from '#tests/support/people.ts';
import { chargeFees, type SaleBench, saleBench } from '#tests/support/sale-bench.ts';

const DAY = 86_400_000;

await describeOnEachDatabase("a seller's tables", (open) => {
  let db: Database;
  const clock = testClock();
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  afterAll(() => db.close());

  it('list the own properties, newest first, sorted, searched and in pages', async () => {
    const [seller, other] = [await createPerson(db, 'agent'), await createPerson(db, 'agent')];
    const ctx = testContext(db, { actor: seller, now: clock.now });
    const ago = (days: number) => new Date(clock.now().getTime() - days * DAY);
    expect(await ownListings(ctx)).toEqual({ rows: [], total: 0, page: 1, pages: 1, draft: null });
    for (let n = 1; n <= 30; n++)
      await createListing(db, seller.agentId, {
        address: `${n} Ladder Street`,
        title: n === 7 ? '100% charm_ing' : null,
        price_cents: (n % 10) * 1_000_00 + 100_000_00,
        created_at: ago(n),
        listed_at: ago(n),
        views: n * 3,
      });
    await createListing(db, seller.agentId, {
      address: '31 Waiting Street',
      status: 'pending',
      created_at: ago(31),
    });
    await createListing(db, seller.agentId, { address: '32 Gone Street', deleted_at: ago(0) });
    await createListing(db, other.agentId, { address: '1 Foreign Street' });

    const first = await ownListings(ctx);
    expect(first).toMatchObject({ total: 31, page: 1, pages: 2 });
    expect(first.rows.map(({ address }) => address).slice(0, 3)).toEqual([
      '1 Ladder Street',
      '2 Ladder Street',
      '3 Ladder Street',
    ]);
    expect(first.rows[4]).toMatchObject({
      town: 'Cedar Hollow, OR 97031',
      priceCents: 105_000_00,
      status: 'Active',
      days: 5,
      views: 15,
      type: 'Single Family',
    });
    const second = await ownListings(ctx, { page: 99 });
    expect(second.page).toBe(2);
    expect(second.rows.map(({ id }) => id).some((id) => first.rows.some((row) => row.id === id))).toBe(false);
    expect(first.rows.length + second.rows.length).toBe(31);

    const sorted = await ownListings(ctx, { sort: { by: 'price', descending: true } });
    const prices = sorted.rows.map(({ priceCents }) => priceCents);
    expect(prices).toEqual([...prices].sort((a, b) => b - a));
    const byDays = await ownListings(ctx, { sort: { by: 'days', descending: false } });
    expect(byDays.rows[0]).toMatchObject({ address: '31 Waiting Street', days: 0 });
    const byStatus = await ownListings(ctx, { sort: { by: 'status', descending: true } });
    expect(byStatus.rows[0]?.status).toBe('pending');

    const words = async (q: string) => (await ownListings(ctx, { q })).rows.map(({ address }) => address);
    expect(await words(' 17 LADDER ')).toEqual(['17 Ladder Street']);
    expect(await words('100% charm_')).toEqual(['7 Ladder Street']);
    expect(await words('%')).toEqual(['7 Ladder Street']);
    expect(await words('foreign')).toEqual([]);
    expect(await words('gone')).toEqual([]);
    expect(await recentListings(ctx)).toMatchObject({ active: 30 });
    expect((await recentListings(ctx)).rows.map(({ address }) => address)).toEqual(
      [1, 2, 3, 4, 5].map((n) => `${n} Ladder Street`),
    );
  });

  it('show the draft that was never submitted, on the first page alone', async () => {
    const seller = await createPerson(db, 'agent');
    const ctx = testContext(db, { actor: seller, now: clock.now });
    const house = await createListing(db, seller.agentId);
    const form = (values: object) => JSON.stringify(values);
    const draft = (property_id: string | null, values: object) =>
      db
        .q()
        .insertInto('property_drafts')
        .values({ agent_id: seller.agentId ?? '', property_id, form: form(values) })
        .execute();
    await draft(house, { title: 'An edit' });
    expect((await ownListings(ctx)).draft).toBeNull();
    await draft(null, { title: ' ', address: '9 Half Street' });
    expect((await ownListings(ctx)).draft).toMatchObject({ title: '9 Half Street' });
    expect((await ownListings(ctx, { q: 'larkspur' })).draft).toBeNull();
    const other = await createPerson(db, 'agent');
    expect((await ownListings(testContext(db, { actor: other }))).draft).toBeNull();
  });

  it('list the own sales with sums by what has become of the payout', async () => {
    const bench = await saleBench(db, { clock });
    const ctx = bench.as(bench.seller);
    const sold = async (address: string, price_cents: number) => {
      const saleId = await bench.inEscrow(await bench.house({ address, price_cents }));
      await bench.act(bench.buyer, saleId, 'confirm_closing');
      clock.advance(DAY);
      return saleId;
    };
    const [a, b, c, d] = [
      await sold('1 Paid Street', 100_000_00),
      await sold('2 Failed Street', 200_000_00),
      await sold('3 Running Street', 300_000_00),
      await sold('4 Pending Street', 400_000_33),
    ];
    const escrow = await bench.inEscrow(await bench.house({ address: '5 Escrow Street' }));
    clock.advance(DAY);
    const begun = await bench.begin(bench.other, await bench.house({ address: '6 Begun Street' }));
    const set = (
      id: string,
      payout_status: 'completed' | 'failed' | 'processing',
      payout_date: Date | null = null,
    ) =>
      db.q().updateTable('property_sales').set({ payout_status, payout_date }).where('id', '=', id).execute();
    await set(a, 'completed', clock.now());
    await set(b, 'failed');
    await set(c, 'processing');

    expect(await sellerTotals(ctx)).toEqual({
      completed: { cents: 80_000_00, count: 1 },
      failed: { cents: 160_000_00, count: 1 },
      processing: { cents: 240_000_00, count: 1 },
      pending: { cents: 320_000_26, count: 1 },
      total: { cents: 800_000_26, count: 4 },
    });
    const all = await sellerSales(ctx);
    expect(all).toMatchObject({ total: 6, page: 1, pages: 1 });
    expect(all.rows.map(({ id }) => id)).toEqual([begun.ok ? begun.saleId : '', escrow, d, c, b, a]);
    expect(all.rows.at(-1)).toMatchObject({
      property: { address: '1 Paid Street' },
      salePriceCents: 100_000_00,
      commissionCents: 80_000_00,
      sellerFeesCents: 100_00,
      state: { payout: 'completed' },
      payoutDate: clock.now().toISOString(),
    });
    const ids = async (by: SellerSaleSort, descending: boolean) =>
      (await sellerSales(ctx, { sort: { by, descending } })).rows.map(({ property }) =>
        property.address.slice(0, 1),
      );
    expect((await ids('price', false)).slice(0, 3)).toEqual(['1', '2', '3']);
    expect((await ids('property', true)).join('')).toBe('654321');
    expect((await ids('payout', true))[0]).toBe('1');
    expect((await ids('status', false)).slice(0, 4)).toEqual(['1', '2', '4', '3']);
    expect((await sellerSales(ctx, { q: 'RUNNING' })).rows.map(({ id }) => id)).toEqual([c]);

    const stranger = bench.as(await createPerson(db, 'agent'));
    expect(await sellerSales(stranger)).toMatchObject({ rows: [], total: 0 });
    expect((await sellerTotals(stranger)).total).toEqual({ cents: 0, count: 0 });
    expect(await linesOf(stranger)).toEqual([]);
    await expect(sellerSales(bench.as(bench.buyer))).rejects.toThrow('Not authorized');
    expect(() => sellerSalesFile(bench.as(bench.buyer))).toThrow('Not authorized');
  });

  it('are written as a file that holds all of them, in the order of the table and as plain text', async () => {
    const bench = await saleBench(db, { clock });
    const ctx = bench.as(bench.seller);
    const house = await bench.house({ address: '=HYPERLINK("http://x") Street' });
    const sale = await bench.inEscrow(house);
    await manySales(bench, 4_999, house);
    const lines = await linesOf(ctx);
    expect(lines).toHaveLength(5_000);
    expect(new Set(lines.map((line) => line.Sale)).size).toBe(5_000);
    const own = lines.find((line) => line.Sale === sale);
    expect(own).toMatchObject({
      Property: '\'=HYPERLINK("http://x") Street',
      Town: 'Cedar Hollow, OR 97031',
      'Sale Price (USD)': '742000.00',
      'Commission (USD)': '593600.00',
      'Seller Fees (USD)': '100.00',
      'Payout (USD)': '593500.00',
      Status: 'In escrow',
      'Payment Method': 'Card or bank transfer',
      'Payout Date (UTC)': '',
    });
    const dates = lines.map((line) => line['Date (UTC)'] ?? '');
    expect(dates).toEqual([...dates].sort().reverse());
    const page = await sellerSales(ctx);
    expect(lines.slice(0, 25).map((line) => line.Sale)).toEqual(page.rows.map(({ id }) => id));
    expect(page).toMatchObject({ total: 5_000, pages: 200 });
    expect(await linesOf(ctx, 'nowhere')).toEqual([]);
  });
});

async function linesOf(ctx: Ctx, q = ''): Promise<Record<string, string>[]> {
  let text = '';
  for await (const piece of sellerSalesFile(ctx, { q })) text += piece;
  return parse(text, { columns: true, bom: true });
}

/** Sales that were given up, copied from one that exists; several of them in the same moment. */
async function manySales({ db, seller, buyer }: SaleBench, count: number, propertyId: string): Promise<void> {
  await sql`insert into property_sales (property_id, buyer_id, agent_id, sale_price_cents, buyer_fees_cents,
      seller_fees_cents, admin_percentage, agent_commission_cents, payment_method, provider, stripe_payment_status,
      escrow_status, idempotency_key, created_at)
    select ${propertyId}, ${buyer.id}, ${seller.agentId}, 10000000, 0, 0, 20, 8000000, 'card', 'sandbox-card', 'failed', 'cancelled',
      'copy ' || n, timestamptz '2026-01-01' + (n / 7) * interval '1 hour' from generate_series(1, ${count}::integer) n`.execute(
    db.q(),
  );
}
