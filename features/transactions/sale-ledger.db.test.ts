import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { acceptMismatch, returnMismatch } from '#features/payments/commands/decide-mismatch.ts';
import { recognizeRefund } from '#features/payments/commands/recognize-refund.ts';
import { sendRefund } from '#features/payments/commands/send-refund.ts';
import { sweepSales } from '#features/payments/commands/sweep-sales.ts';
import { SaleComplete } from '#features/sales/components/sale-complete.tsx';
import { saleView } from '#features/sales/reads.ts';
import { processDue } from '#gateways/payments/sandbox/process-due.ts';
import { settleSandboxRefund } from '#gateways/payments/sandbox/settlement.ts';
import { sendTranche } from '#gateways/payments/sandbox/tranches.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type SaleAtProvider, saleAtProvider } from '#tests/support/fixtures/sale-at-provider.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { actionText } from './components/action-texts.ts';
import { fileRows } from './file-rows.ts';
import { transactionQueryFrom } from './filters.ts';
import { saleDetails } from './reads.ts';
import { ledgersOf } from './sale-ledger.ts';
import { withSeller } from './seller-filter.ts';

const PRICE = 300_000_00;
const PART = 999_999_99;
const PRICE_IN_PARTS = 2_400_000_00;

await describeOnDatabase('the money of a sale in two columns', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  const admin = () => scenario.contextFor(scenario.admin);
  const details = (saleId: string) => saleDetails({ ...admin(), payouts: payoutsOf([]) }, { saleId });
  const accept = async (sale: SaleAtProvider) =>
    expect(await acceptMismatch(admin(), { saleId: sale.saleId, note: 'Agreed.' })).toEqual({ ok: true });
  const sentBack = (sale: SaleAtProvider, number: number, amountCents: number) =>
    sale.refund('succeeded', {
      ref: `re_${number}_${sale.saleId}`,
      key: `refund:${sale.saleId}:${number}`,
      amountCents,
    });
  const early = (sale: SaleAtProvider) =>
    sale.refund('succeeded', { ref: `re_early_${sale.saleId}`, amountCents: 100_00 });

  /** A payment that is $25 short and accepted. */
  async function short(): Promise<SaleAtProvider> {
    const sale = await saleAtProvider(scenario, PRICE);
    await sale.providerSays({ amountCents: PRICE - 25_00 });
    await accept(sale);
    return sale;
  }
  /** A payment that is accepted after $100 of it were refunded at the provider. */
  async function refundedEarly(): Promise<SaleAtProvider> {
    const sale = await saleAtProvider(scenario, PRICE);
    await sale.providerSays({ amountCents: PRICE + 5 });
    await sale.providerSays({ refunds: [early(sale)] });
    await accept(sale);
    return sale;
  }
  async function lost(sale: SaleAtProvider, amountCents: number) {
    await sale.providerSays({ disputes: [sale.dispute('open', { amountCents })] });
    await sale.providerSays({ disputes: [sale.dispute('lost', { amountCents })] });
  }
  async function inParts(...amounts: number[]) {
    const propertyId = await scenario.createListing({ price_cents: PRICE_IN_PARTS });
    const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId);
    for (const cents of amounts) await sendTranche(db, ref, cents, scenario.clock.now());
    await scenario.sync(saleId);
    return saleId;
  }
  async function endHold() {
    scenario.clock.advance(7 * DAY + 10 * MINUTE);
    await processDue(db, scenario.clock.now());
    await sweepSales(scenario.system);
  }
  async function settleParts(saleId: string) {
    for (const { id } of await scenario.refunds(saleId)) await sendRefund(scenario.system, { refundId: id });
    const parts = await db
      .q()
      .selectFrom('sandbox_refunds as r')
      .innerJoin('sandbox_checkouts as c', 'c.ref', 'r.checkout_ref')
      .select('r.ref')
      .where('c.sale_id', '=', saleId)
      .execute();
    for (const { ref } of parts) await settleSandboxRefund(db, ref, 'succeeded', scenario.clock.now());
    await scenario.sync(saleId);
  }

  /** What the ledger says was written off for a payment, whether or not that has been reversed since, and what has left our account. */
  async function booked(saleId: string): Promise<{ written: number; gone: number }> {
    const { rows } = await db.pool.query(
      `select coalesce(sum(p.amount_cents) filter (where p.account = 'write_offs'), 0)::int as written,
        coalesce(-sum(p.amount_cents) filter (where p.account = 'clearing' and e.kind in ('L4', 'L5')), 0)::int as gone
      from ledger_postings p join ledger_entries e on e.id = p.entry_id
      where e.sale_id = $1 and e.idempotency_key not like 'shortfall-ended:%'`,
      [saleId],
    );
    return rows[0];
  }
  async function inFile(saleId: string): Promise<number | undefined> {
    const { page: _, sort, ...query } = transactionQueryFrom(new URLSearchParams({ q: saleId }));
    const { filter } = await withSeller(admin(), query);
    for await (const rows of fileRows(admin(), { filter, sort, few: false })) return rows[0]?.returned;
  }

  it.each<{
    what: string;
    happens: () => Promise<string>;
    buyer: [label: string, cents: number];
    written?: number;
    refunded?: number;
    reversed?: number;
    /** what went back besides: it was no part of the price */
    apart?: number;
    left: [label: string, cents: number];
  }>([
    {
      what: 'paid in parts',
      happens: () => inParts(PART, PART, PRICE_IN_PARTS - 2 * PART),
      buyer: ['Paid by buyer', PRICE_IN_PARTS],
      left: ['Held in escrow', PRICE_IN_PARTS],
    },
    {
      what: 'in parts that were not complete in time and go back',
      async happens() {
        const saleId = await inParts(PART);
        await endHold();
        return saleId;
      },
      buyer: ['Asked of the buyer', PRICE_IN_PARTS],
      left: ['To be refunded', PART],
    },
    {
      what: 'in parts that were not complete in time and have gone back',
      async happens() {
        const saleId = await inParts(PART);
        await endHold();
        await settleParts(saleId);
        return saleId;
      },
      buyer: ['Asked of the buyer', PRICE_IN_PARTS],
      refunded: PART,
      left: ['Left', 0],
    },
    {
      what: 'too small and returned',
      async happens() {
        const sale = await saleAtProvider(scenario, PRICE);
        await sale.providerSays({ amountCents: PRICE - 5_00 });
        await returnMismatch(admin(), { saleId: sale.saleId, note: '' });
        await sale.providerSays({ refunds: [sentBack(sale, 0, PRICE - 5_00)] });
        return sale.saleId;
      },
      buyer: ['Asked of the buyer', PRICE],
      refunded: PRICE - 5_00,
      left: ['Left', 0],
    },
    {
      what: 'of another amount and not decided on, of which something has gone back',
      async happens() {
        const sale = await saleAtProvider(scenario, PRICE);
        await sale.providerSays({ amountCents: PRICE - 5_00 });
        await sale.providerSays({ refunds: [early(sale)] });
        return sale.saleId;
      },
      buyer: ['Asked of the buyer', PRICE],
      apart: 100_00,
      left: ['As agreed', PRICE],
    },
    {
      what: 'too small, accepted, and refunded',
      async happens() {
        const sale = await short();
        await scenario.act(scenario.admin, sale.saleId, 'cancel_sale', 'Not possible.');
        await sale.providerSays({ refunds: [sentBack(sale, 0, PRICE - 25_00)] });
        return sale.saleId;
      },
      buyer: ['Paid by buyer', PRICE - 25_00],
      written: 25_00,
      refunded: PRICE - 25_00,
      reversed: 25_00,
      left: ['Left', 0],
    },
    {
      what: 'refunded in part before it was accepted',
      happens: async () => (await refundedEarly()).saleId,
      buyer: ['Paid by buyer', PRICE - 99_95],
      written: 99_95,
      apart: 100_00,
      left: ['Held in escrow', PRICE],
    },
    {
      what: 'refunded in part before it was accepted, and then the rest',
      async happens() {
        const sale = await refundedEarly();
        await recognizeRefund(admin(), { saleId: sale.saleId, note: '' });
        await scenario.act(scenario.admin, sale.saleId, 'cancel_sale', 'Not possible.');
        await sale.providerSays({ refunds: [early(sale), sentBack(sale, 0, PRICE - 99_95)] });
        return sale.saleId;
      },
      buyer: ['Paid by buyer', PRICE - 99_95],
      written: 99_95,
      refunded: PRICE - 99_95,
      reversed: 99_95,
      apart: 100_00,
      left: ['Left', 0],
    },
    {
      what: 'too small and accepted, whose missing part came late',
      async happens() {
        const sale = await short();
        await sale.providerSays({ amountCents: PRICE });
        return sale.saleId;
      },
      buyer: ['Paid by buyer', PRICE - 25_00],
      written: 25_00,
      left: ['Held in escrow', PRICE],
    },
    {
      what: 'too small and accepted, whose missing part came late, and that went back with it',
      async happens() {
        const sale = await short();
        await sale.providerSays({ amountCents: PRICE });
        await scenario.act(scenario.admin, sale.saleId, 'cancel_sale', 'Not possible.');
        await sale.providerSays({ refunds: [sentBack(sale, 0, PRICE)] });
        return sale.saleId;
      },
      buyer: ['Paid by buyer', PRICE - 25_00],
      written: 25_00,
      refunded: PRICE - 25_00,
      reversed: 25_00,
      apart: 25_00,
      left: ['Left', 0],
    },
    {
      what: 'too large and accepted, whose surplus went back',
      async happens() {
        const sale = await saleAtProvider(scenario, PRICE);
        await sale.providerSays({ amountCents: PRICE + 50_00 });
        await accept(sale);
        await sale.providerSays({ refunds: [sentBack(sale, 0, 50_00)] });
        return sale.saleId;
      },
      buyer: ['Paid by buyer', PRICE],
      apart: 50_00,
      left: ['Held in escrow', PRICE],
    },
    {
      what: 'taken back by a bank',
      async happens() {
        const sale = await short();
        await lost(sale, PRICE - 25_00);
        return sale.saleId;
      },
      buyer: ['Paid by buyer', PRICE - 25_00],
      written: 25_00,
      refunded: PRICE - 25_00,
      reversed: 25_00,
      left: ['Left', 0],
    },
    {
      what: 'taken back in part by a bank, and regained',
      async happens() {
        const sale = await saleAtProvider(scenario, PRICE);
        await sale.providerSays();
        await lost(sale, 25_00);
        await sale.providerSays({
          disputes: [sale.dispute('won', { amountCents: 25_00, returnedCents: 25_00 })],
        });
        return sale.saleId;
      },
      buyer: ['Paid by buyer', PRICE],
      left: ['Held in escrow', PRICE],
    },
  ])('agrees with the books and with the file for a payment $what', async (row) => {
    const { happens, buyer: paid, written = 0, refunded = 0, reversed = 0, apart = 0, left } = row;
    const saleId = await happens();
    const sale = await details(saleId);
    const { buyer, parties } = ledgersOf(sale);
    if (sale.isAccepted) expect(buyer.total.cents + written).toBe(parties.total.cents + refunded + reversed);
    for (const { rows, total } of [buyer, parties])
      expect(rows.reduce((sum, { cents }) => sum + cents, 0)).toBe(total.cents);
    const line = (label: string) =>
      0 - ([...buyer.rows, ...parties.rows].find((one) => one.label === label)?.cents ?? 0);
    expect({
      paid: [buyer.total.label, buyer.total.cents],
      written: line('Shortfall written off'),
      refunded: line('Refunded'),
      reversed: line('Write-off reversed'),
      left: [parties.total.label, parties.total.cents],
    }).toEqual({ paid, written, refunded, reversed, left });
    expect(await booked(saleId)).toEqual({ written, gone: refunded + apart });
    expect(await inFile(saleId)).toBe(refunded);
    expect(await checkLedger(scenario.system)).toEqual([]);
  });

  it('is named as it was received where a refund that nobody ordered is recorded', async () => {
    const sale = await saleAtProvider(scenario, PRICE);
    const text = async () => actionText('recognise_refund', await details(sale.saleId)).text;
    await sale.providerSays({ amountCents: PRICE + 5 });
    await sale.providerSays({ refunds: [early(sale)] });
    expect(await text()).toContain('$100.00 of $300,000.05 has gone back');
    await accept(sale);
    expect(await text()).toContain('$100.00 of $300,000.05 has gone back');
  });

  it.each([
    { what: 'some of it had gone back before', pays: refundedEarly, paid: '$299,900.05' },
    {
      what: 'the missing part came late',
      async pays() {
        const sale = await short();
        await sale.providerSays({ amountCents: PRICE });
        return sale;
      },
      paid: '$299,975.00',
    },
  ])('tells the buyer of an accepted payment without what was written off: $what', async ({ pays, paid }) => {
    const { saleId } = await pays();
    const view = await saleView(scenario.contextFor(scenario.buyer), saleId);
    const page = createElement(SaleComplete, { sale: view });
    const router = createMemoryRouter([{ path: '*', element: page }]);
    const text = renderToStaticMarkup(createElement(RouterProvider, { router })).replace(/<[^>]+>/g, ' ');
    expect(view).toMatchObject({ refundedCents: 0 });
    expect(text).toContain(paid);
  });
});
