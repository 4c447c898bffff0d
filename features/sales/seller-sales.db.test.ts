import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { Forbidden } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { countOpenSalesOf, sellerSales, sellerSalesFile, sellerTotals } from './reads.ts';
import { propertiesMatching, type SellerSaleSort } from './seller-sales.ts';

await describeOnDatabase("a seller's sales", (open) => {
  let db: Database;
  const clock = testClock();
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
  });
  afterAll(() => db.close());

  it('are searched by the properties of these sales alone', async () => {
    const [mine, theirs] = [await createSaleScenario(db, { clock }), await createSaleScenario(db, { clock })];
    for (const scenario of [mine, theirs])
      await scenario.createPaidSale(await scenario.createListing({ address: '7 Quillfern Street' }));
    const found = await propertiesMatching(
      mine.contextFor(mine.seller),
      mine.seller.agentId ?? '',
      'quillfern',
    );
    expect(found).toHaveLength(1);
    const { rows } = await sellerSales(mine.contextFor(mine.seller), { q: 'quillfern' });
    expect(rows).toHaveLength(1);
  });

  it('are listed with totals by payout status', async () => {
    const scenario = await createSaleScenario(db, { clock });
    const ctx = scenario.contextFor(scenario.seller);
    const sold = async (address: string, price_cents: number) => {
      const saleId = await scenario.createPaidSale(await scenario.createListing({ address, price_cents }));
      await scenario.act(scenario.buyer, saleId, 'confirm_closing');
      clock.advance(DAY);
      return saleId;
    };
    const [a, b, c, d] = [
      await sold('1 Paid Street', 100_000_00),
      await sold('2 Failed Street', 200_000_00),
      await sold('3 Running Street', 300_000_00),
      await sold('4 Pending Street', 400_000_33),
    ];
    const escrow = await scenario.createPaidSale(
      await scenario.createListing({ address: '5 Escrow Street' }),
    );
    clock.advance(DAY);
    const begun = await scenario.begin(
      scenario.otherBuyer,
      await scenario.createListing({ address: '6 Begun Street' }),
    );
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
      // Prices of what has closed, less a fifth, less a fee of $100.00 for each sale.
      proceeds: {
        priceCents: 1_000_000_33,
        platformCents: 200_000_07,
        feesCents: 400_00,
        proceedsCents: 799_600_26,
      },
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

    const newcomer = await createUser(db, 'agent');
    const stranger = scenario.contextFor(newcomer);
    expect(await sellerSales(stranger)).toMatchObject({ rows: [], total: 0 });
    expect((await sellerTotals(stranger)).total).toEqual({ cents: 0, count: 0 });
    expect(await linesOf(stranger)).toEqual([]);
    // What is closed is open until it is paid out: all but the first.
    const openOf = (actor: UserActor) =>
      countOpenSalesOf(scenario.contextFor(scenario.admin), actor.agentId ?? '');
    expect([await openOf(scenario.seller), await openOf(newcomer)]).toEqual([5, 0]);
    for (const buyer of [scenario.buyer, { ...scenario.seller, role: 'buyer' as const }]) {
      const outside = scenario.contextFor(buyer);
      await expect(sellerSales(outside)).rejects.toThrow(Forbidden);
      await expect(sellerTotals(outside)).rejects.toThrow(Forbidden);
      expect(() => sellerSalesFile(outside)).toThrow(Forbidden);
    }
    // A text that no database can hold is found nowhere, in the file as in the list.
    expect(await linesOf(scenario.contextFor(scenario.seller), 'a\0b')).toEqual([]);
  });

  it('are exported as CSV, in table order and without formula injection', async () => {
    const scenario = await createSaleScenario(db, { clock });
    const ctx = scenario.contextFor(scenario.seller);
    const listingId = await scenario.createListing({ address: '=HYPERLINK("http://x") Street' });
    const sale = await scenario.createPaidSale(listingId);
    await manySales(scenario, 4_999, listingId);
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
      Status: 'In Escrow',
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

/** Inserts cancelled sales of a listing, several of them with the same timestamp. */
async function manySales(
  { db, seller, buyer }: SaleScenario,
  count: number,
  propertyId: string,
): Promise<void> {
  await sql`insert into property_sales (property_id, buyer_id, agent_id, sale_price_cents, buyer_fees_cents,
      seller_fees_cents, admin_percentage, agent_commission_cents, payment_method, provider, stripe_payment_status,
      escrow_status, idempotency_key, created_at)
    select ${propertyId}, ${buyer.id}, ${seller.agentId}, 10000000, 0, 0, 20, 8000000, 'card', 'sandbox-card', 'failed', 'cancelled',
      'copy ' || n, timestamptz '2026-01-01' + (n / 7) * interval '1 hour' from generate_series(1, ${count}::integer) n`.execute(
    db.q(),
  );
}
