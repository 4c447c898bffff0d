import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postEntry } from '#features/ledger/commands/post-entry.ts';
import type { EntryKind, Posting } from '#features/ledger/model.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { mulberry32 } from '#illustrator/random.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { readPdf } from '#tests/support/files/read-pdf.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { closeMonths } from './commands/close-months.ts';
import { statementFile, statementOverview } from './reads.ts';

await describeOnDatabase('statements of sellers', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  const clock = testClock('2026-03-02T09:00:00Z');
  let posted = 0;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db, { clock });
    await chargeFees(db);
  });
  afterAll(() => db.close());

  const folder = mkdtempSync(join(tmpdir(), 'acre-statements-'));
  const files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const ctx = (actor: UserActor = scenario.seller) => ({ ...scenario.contextFor(actor), files });
  const sellerId = () => scenario.seller.agentId ?? '';
  const statement = async (month: string) => (await statementOverview(ctx(), { month })).statement;
  const post = (saleId: string, kind: EntryKind, ...postings: Posting[]) =>
    db.tx(() => {
      posted += 1;
      return postEntry(scenario.system, { key: `test:${posted}`, kind, saleId, memo: 'Test', postings });
    });
  /** What the ledger says that the seller is owed, less what the seller owes; in cents. */
  const ledgerBalance = async (until = new Date(clock.now().getTime() + 1)) => {
    const { rows } = await sql<{ cents: number }>`select coalesce(-sum(p.amount_cents), 0)::bigint as cents
      from ledger_postings p join ledger_entries e on e.id = p.entry_id join property_sales s on s.id = e.sale_id
      where s.agent_id = ${sellerId()} and p.account in ('seller_payable', 'seller_receivable')
        and e.created_at < ${until}`.execute(db.q());
    return rows[0]?.cents ?? 0;
  };
  const closedSale = async () => {
    const saleId = await scenario.createPaidSale();
    expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
    return saleId;
  };
  const move = (from: Posting['account'], to: Posting['account'], cents: number): Posting[] => [
    { account: from, cents },
    { account: to, cents: -cents },
  ];
  const startOf = (month: string) => new Date(`${month}-01T00:00:00Z`);
  const travelTo = (at: Date) => clock.advance(at.getTime() - clock.now().getTime());

  /** A month with a sale, closed as all months are until June. */
  async function closeMarch(): Promise<void> {
    if (clock.now() >= startOf('2026-06')) return;
    await closedSale();
    travelTo(new Date(startOf('2026-06').getTime() + 3 * HOUR));
    await closeMonths(scenario.system);
  }

  it('list every sale, fee, claw-back and payout, with a balance that is the ledger’s', async () => {
    const saleId = await closedSale();
    const share = await ledgerBalance();
    await post(saleId, 'L3', ...move('seller_payable', 'payout_in_transit', share));
    const { lines, closingCents, closed } = await statement('2026-03');
    expect(lines.map(({ kind }) => kind)).toEqual(['share', 'fee', 'payout']);
    expect(lines.map(({ cents }) => cents)).toEqual([share + 100_00, -100_00, -share]);
    expect(lines.map(({ text }) => text)).toEqual(['Your share', 'Listing', 'Payout']);
    expect([closingCents, closed]).toEqual([0, false]);
    // What goes back after the payout, the seller owes; the next payout is less by it.
    const refunded = { saleId, baseCents: 1_000_00, feesCents: 0, reason: 'The roof leaks.' };
    await post(saleId, 'L3', ...move('payout_in_transit', 'bank', share));
    const asked = await refundSale(ctx(scenario.admin), { ...refunded, idempotencyKey: 'one click' });
    expect(asked.ok).toBe(true);
    await scenario.settle();
    clock.advance(11 * DAY);
    await scenario.settle();
    const after = await statement('2026-03');
    const owed = after.lines.at(-1);
    expect(owed).toMatchObject({ kind: 'claw_back', balanceCents: await ledgerBalance() });
    expect(owed?.cents).toBeLessThan(0);
    const next = await closedSale();
    const debt = -(owed?.cents ?? 0);
    await post(next, 'L7', ...move('seller_payable', 'write_offs', debt));
    await post(saleId, 'L7', ...move('write_offs', 'seller_receivable', debt));
    const month = await statement('2026-03');
    expect(month.lines.slice(-2).map(({ kind, cents }) => [kind, cents])).toEqual([
      ['offset', -debt],
      ['settled', debt],
    ]);
    expect(month.closingCents).toBe(await ledgerBalance());
  });

  it('are closed after the month, and do not change anymore', async () => {
    await closedSale();
    travelTo(new Date(startOf('2026-04').getTime() + HOUR));
    await closeMonths(scenario.system);
    expect((await statement('2026-03')).closed).toBe(false);
    clock.advance(2 * HOUR);
    await closeMonths(scenario.system);
    const march = await statement('2026-03');
    expect(march).toMatchObject({ closed: true, openingCents: 0 });
    expect(march.closingCents).toBe(await ledgerBalance(startOf('2026-04')));
    const files = async () => [
      await statementFile(ctx(), { sellerId: sellerId(), month: '2026-03', format: 'pdf' }),
      await statementFile(ctx(scenario.admin), { sellerId: sellerId(), month: '2026-03', format: 'csv' }),
    ];
    const before = await files();
    // An entry whose transaction ended late, a new name of the seller, a new address, further months.
    const late = { ...scenario.system, now: () => new Date('2026-03-31T23:59:59Z') };
    const postings = move('platform_revenue', 'seller_payable', 7);
    await db.tx(() =>
      postEntry(late, {
        key: 'late',
        kind: 'L9',
        saleId: march.lines[0]?.saleId ?? '',
        memo: 'Late',
        postings,
      }),
    );
    await db.q().updateTable('agents').set({ name: 'A New Name' }).where('id', '=', sellerId()).execute();
    await db.q().updateTable('properties').set({ address: '1 New Road' }).execute();
    await closedSale();
    travelTo(new Date(startOf('2026-06').getTime() + 3 * HOUR));
    await Promise.all([closeMonths(scenario.system), closeMonths(scenario.system)]);
    expect(await files()).toEqual(before);
    expect(await statement('2026-03')).toEqual(march);
    const april = await statement('2026-04');
    expect(april).toMatchObject({ closed: true, openingCents: march.closingCents, sellerName: 'A New Name' });
    expect(april.lines.map(({ kind }) => kind)).toEqual(['correction', 'share', 'fee']);
    // Nothing happened in May: the balance stays.
    expect(await statement('2026-05')).toMatchObject({
      closed: true,
      lines: [],
      openingCents: april.closingCents,
      closingCents: april.closingCents,
    });
    await expect(statement('2026-07')).rejects.toThrow('This month has not started.');
    await expect(statement('0000-07')).rejects.toThrow('This is no month.');
    await expect(statement('2026-13')).rejects.toThrow('This is no month.');
    for (const change of [
      sql`update seller_statements set closing_cents = 0`,
      sql`delete from seller_statements`,
      sql`delete from seller_statement_entries`,
      sql`truncate seller_statement_entries`,
    ])
      await expect(change.execute(db.q())).rejects.toThrow();
  });

  it('say the same as a document and as a file', async () => {
    await closeMarch();
    const { lines, closingCents, sellerName } = await statement('2026-03');
    const pdf = await statementFile(ctx(), { sellerId: sellerId(), month: '2026-03', format: 'pdf' });
    expect(pdf).toMatchObject({ name: 'statement-2026-03.pdf', type: 'application/pdf' });
    const { pages, structure, marked, info } = await readPdf(pdf.body as Uint8Array<ArrayBuffer>);
    expect(marked).toBe(true);
    expect(info).toMatchObject({ Title: 'Statement March 2026', Author: 'Acre Trading Post' });
    expect(structure.join('')).toContain('TH');
    const text = pages.join(' ').replaceAll(/\s+/g, '');
    for (const words of [
      'March 2026',
      sellerName,
      ...lines.flatMap((line) => [
        line.text,
        dollarsAndCents(line.cents),
        dollarsAndCents(line.balanceCents),
      ]),
      `Closing balance${dollarsAndCents(closingCents)}`,
    ])
      expect(text).toContain(words.replaceAll(/\s+/g, ''));
    // That of an open month has no number yet.
    const open = await statementFile(ctx(), { sellerId: sellerId(), month: '2026-06', format: 'pdf' });
    const { links, pages: openPages } = await readPdf(open.body as Uint8Array<ArrayBuffer>);
    expect([links, openPages.join(' ')]).toEqual([[], expect.not.stringContaining('Number')]);
    const csv = await statementFile(ctx(), { sellerId: sellerId(), month: '2026-03', format: 'csv' });
    const rows = String(csv.body).trim().split('\r\n');
    expect(rows).toHaveLength(lines.length + 3);
    expect(rows.at(-1)).toBe(`2026-03,Closing balance,,,,,,,,${(closingCents / 100).toFixed(2)}`);
  });

  it('of an address that is a formula are harmless in a spreadsheet', async () => {
    await closeMarch();
    const propertyId = await scenario.createListing({ address: '=HYPERLINK("http://evil.test")' });
    const saleId = await scenario.createPaidSale(propertyId);
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    const csv = await statementFile(ctx(), { sellerId: sellerId(), month: '2026-06', format: 'csv' });
    expect(csv.body).toContain(`"'=HYPERLINK(""http://evil.test"")"`);
  });

  it('equal the ledger on random books, each entry on one statement', async () => {
    const random = mulberry32(4711);
    const below = (limit: number) => Math.floor(random() * limit);
    const sales: string[] = [];
    for (let n = 0; n < 3; n += 1) sales.push(await closedSale());
    for (let step = 0; step < 60; step += 1) {
      const saleId = sales[below(sales.length)] ?? '';
      const cents = 1 + below(5_000_00);
      const moves = [
        ['L3', 'seller_payable', 'payout_in_transit'],
        ['L3', 'payout_in_transit', 'seller_payable'],
        ['L3', 'bank', 'seller_receivable'],
        ['L4', 'seller_receivable', 'chargeback_loss'],
        ['L4', 'seller_payable', 'platform_revenue'],
        ['L5', 'seller_receivable', 'chargeback_loss'],
        ['L7', 'seller_payable', 'seller_receivable'],
        ['L9', 'platform_revenue', 'seller_payable'],
      ] as const;
      const [kind, from, to] = moves[below(moves.length)] ?? moves[0];
      await post(saleId, kind, ...move(from, to, cents));
      if (below(3) === 0) clock.advance(below(20) * DAY);
      if (below(8) === 0) await closeMonths(scenario.system);
    }
    const { months } = await statementOverview(ctx(), {});
    let balance = 0;
    let entries = 0;
    for (const { month, closed } of months.toReversed()) {
      const { openingCents, closingCents, lines, closed: isClosed } = await statement(month);
      expect(openingCents, month).toBe(balance);
      expect(isClosed).toBe(closed);
      expect(lines.at(-1)?.balanceCents ?? openingCents).toBe(closingCents);
      balance = closingCents;
      entries += lines.length;
    }
    expect(balance).toBe(await ledgerBalance());
    expect(entries).toBeGreaterThan(60);
    const { rows } = await sql<{ wrong: number }>`select count(*)::integer as wrong from seller_statements t
      where closing_cents <> opening_cents + (select coalesce(-sum(p.amount_cents), 0) from seller_statement_entries x
        join ledger_postings p on p.entry_id = x.entry_id and p.account in ('seller_payable', 'seller_receivable')
        where x.statement_id = t.id)`.execute(db.q());
    expect(rows).toEqual([{ wrong: 0 }]);
  });

  it('of a month in which nothing happened go on from the last one of the same seller', async () => {
    const [seller, other] = [await createUser(db, 'agent'), await createUser(db, 'agent')];
    const sell = async ({ agentId }: UserActor, price_cents: number, month: string) => {
      travelTo(startOf(month));
      const saleId = await scenario.createPaidSale(
        await scenario.createListing({ agent_id: agentId ?? '', price_cents }),
      );
      expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
    };
    await sell(seller, 300_000_00, '2040-01');
    await sell(other, 500_000_00, '2040-02');
    await sell(seller, 100_000_00, '2040-04');
    travelTo(new Date(startOf('2040-05').getTime() + 3 * HOUR));
    await closeMonths(scenario.system);
    const of = async (month: string) => (await statementOverview(ctx(seller), { month })).statement;
    const { closingCents, sellerName } = await of('2040-01');
    expect(sellerName).toBe(seller.name);
    const unchanged = { closed: true, sellerName, openingCents: closingCents, lines: [] };
    expect(await of('2040-02')).toMatchObject(unchanged);
    expect(await of('2040-03')).toMatchObject(unchanged);
    expect(await of('2040-04')).toMatchObject({ closed: true, openingCents: closingCents });
    const { months } = await statementOverview(ctx(seller), {});
    expect(months.map(({ month }) => month)).toEqual(['2040-05', '2040-04', '2040-01']);
  });

  it('are read by the seller and by administrators, and by nobody else', async () => {
    const [seller, other] = [await createUser(db, 'agent'), await createUser(db, 'agent')];
    const sellerId = seller.agentId ?? '';
    const readBy = (actor: UserActor) => statementOverview(ctx(actor), { sellerId });
    for (const actor of [seller, scenario.admin])
      expect((await readBy(actor)).statement).toMatchObject({ sellerId, sellerName: seller.name });
    await expect(readBy(other)).rejects.toMatchObject({ status: 404 });
    await expect(readBy(scenario.buyer)).rejects.toMatchObject({ status: 403 });
    await expect(statementOverview(ctx(scenario.admin), {})).rejects.toMatchObject({ status: 404 });
  });

  it('are given as files 120 times an hour', async () => {
    const seller = await createUser(db, 'agent');
    const { config } = ctx();
    const limited = { ...ctx(seller), config: { ...config, relaxedLimits: false } };
    const month = clock.now().toISOString().slice(0, 7);
    const ask = () => statementFile(limited, { sellerId: seller.agentId ?? '', month, format: 'csv' });
    for (let times = 0; times < 120; times++) await ask();
    await expect(ask()).rejects.toMatchObject({ status: 429 });
  });
});
