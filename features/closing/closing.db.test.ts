import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { documentLink, documentsOfSale } from '#features/documents/reads.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { receiptLink, receiptRecord } from '#features/sales/reads.ts';
import { closeMonths } from '#features/statements/commands/close-months.ts';
import { statementFile } from '#features/statements/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Actor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { databaseWithInterceptor } from '#tests/support/database/query-interception.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { readPdf } from '#tests/support/files/read-pdf.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { askMissingDocuments } from './commands/ask-missing-documents.ts';
import { makeClosingDocuments } from './commands/make-closing-documents.ts';
import { makeSellerStatement } from './commands/make-seller-statement.ts';

await describeOnDatabase('the documents of a closing', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let files: FileStore;
  const clock = testClock('2026-03-02T09:00:00Z');
  const folder = mkdtempSync(join(tmpdir(), 'acre-closing-'));
  beforeAll(async () => {
    db = await open();
    files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
    scenario = await createSaleScenario(db, { clock });
    await chargeFees(db);
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const as = (actor: Actor): CtxWith<'files'> => ({ ...scenario.contextFor(actor), files });
  const system = () => as({ kind: 'system', name: 'jobs' });
  const closedSale = async () => {
    const saleId = await scenario.createPaidSale();
    expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
    return saleId;
  };
  const documentsOf = (saleId: string) =>
    db
      .q()
      .selectFrom('document_registry')
      .selectAll()
      .where('property_sale_id', '=', saleId)
      .orderBy('document_type')
      .execute();
  const bytesOf = async (key: string) => {
    const file = await files.get(key);
    return Buffer.from(await new Response(file?.body).arrayBuffer());
  };
  const jobsFor = async (name: string) => {
    const { rows } = await sql<{ key: string }>`select singleton_key as key from pgboss.job
      where name = ${name} and state = 'created'`.execute(db.q());
    return rows.map(({ key }) => key);
  };

  it('are asked for by the move, made once, numbered, hashed, and asked to be anchored', async () => {
    const saleId = await closedSale();
    expect(await jobsFor('closing.sale-documents')).toContain(saleId);
    await Promise.all([
      makeClosingDocuments(system(), { saleId }),
      makeClosingDocuments(system(), { saleId }),
    ]);
    await makeClosingDocuments(system(), { saleId });
    const [receipt, settlement, ...more] = await documentsOf(saleId);
    expect(more).toEqual([]);
    const { receipt_number } = await scenario.sale(saleId);
    const number = `ATP-${String(receipt_number).padStart(6, '0')}`;
    expect(receipt).toMatchObject({ document_type: 'Receipt', origin: 'made', shown_to: 'buyer', number });
    expect(settlement).toMatchObject({
      document_type: 'Settlement statement',
      document_name: `Settlement statement ${number}-S.pdf`,
      shown_to: 'parties',
      number: `${number}-S`,
      visibility: 'private',
      uploaded_by: null,
    });
    expect(
      (await documentsOfSale(as(scenario.buyer), saleId)).map(({ type, by }) => [type, by]).sort(),
    ).toEqual([
      ['Receipt', 'system'],
      ['Settlement statement', 'system'],
    ]);
    expect((await documentsOfSale(as(scenario.seller), saleId)).map(({ type }) => type)).toEqual([
      'Settlement statement',
    ]);
    await expect(documentLink(as(scenario.seller), receipt?.id ?? '')).rejects.toMatchObject({ status: 404 });
    const q = db.q();
    const ids = [receipt?.id ?? '', settlement?.id ?? ''];
    const anchors = await q
      .selectFrom('document_anchors')
      .select(['document_id', 'anchor_hash'])
      .where('document_id', 'in', ids)
      .execute();
    expect(new Map(anchors.map((row) => [row.document_id, row.anchor_hash]))).toEqual(
      new Map([
        [ids[0], receipt?.anchor_hash],
        [ids[1], settlement?.anchor_hash],
      ]),
    );
    const tokens = await q
      .selectFrom('completion_nfts')
      .select(['kind', 'document_id'])
      .where('property_sale_id', '=', saleId)
      .execute();
    expect(tokens).toEqual([{ kind: 'completion', document_id: ids[0] }]);
  });

  it('are made for an address of which the name of the token ends inside a character', async () => {
    const saleId = await closedSale();
    const address = `${'1'.repeat(67)}🏡 Lane`;
    await sql`update properties set address = ${address}
      where id = (select property_id from property_sales where id = ${saleId})`.execute(db.q());
    await makeClosingDocuments(system(), { saleId });
    expect(await documentsOf(saleId)).toHaveLength(2);
    const { metadata } = await db
      .q()
      .selectFrom('completion_nfts')
      .select('metadata')
      .where('property_sale_id', '=', saleId)
      .executeTakeFirstOrThrow();
    expect(metadata).toMatchObject({ name: `Completion, ${'1'.repeat(67)}` });
  });

  it('are what the parties download as their receipt, whatever they are called later, until something is refunded', async () => {
    const saleId = await closedSale();
    const keyOf = async (actor: Actor) =>
      new URL(await receiptLink(as(actor), saleId), 'https://example.test').pathname;
    const printed = await keyOf(scenario.buyer);
    await makeClosingDocuments(system(), { saleId });
    const [registered] = await documentsOf(saleId);
    await sql`update users set name = 'Somebody Else' where id = ${scenario.buyer.id}`.execute(db.q());
    const download = await keyOf(scenario.buyer);
    expect(download).toContain(registered?.file_key);
    expect(await keyOf(scenario.seller)).toBe(download);
    const refund = { saleId, baseCents: 1_000_00, feesCents: 0, reason: 'The roof leaks.' };
    clock.advance(MINUTE);
    expect(
      await refundSale(as(scenario.admin) as never, { ...refund, idempotencyKey: 'says' }),
    ).toMatchObject({
      ok: true,
    });
    await scenario.settle();
    clock.advance(11 * DAY);
    await scenario.settle();
    expect(await keyOf(scenario.buyer)).toBe(printed);
  });

  it('are the same bytes for the same sale, whenever they are made and whatever is refunded later', async () => {
    const saleId = await closedSale();
    await makeClosingDocuments(system(), { saleId });
    const before = await documentsOf(saleId);
    // As long as nothing is refunded, the receipt that the parties download is that document.
    const download = Buffer.from((await receiptRecord(scenario.system, saleId)) ?? []);
    expect(download.equals(await bytesOf(before[0]?.file_key ?? ''))).toBe(true);
    const refund = { saleId, baseCents: 1_000_00, feesCents: 0, reason: 'The roof leaks.' };
    expect(
      await refundSale(as(scenario.admin) as never, { ...refund, idempotencyKey: 'later' }),
    ).toMatchObject({
      ok: true,
    });
    await scenario.settle();
    clock.advance(11 * DAY);
    await scenario.settle();
    expect(await scenario.state(saleId)).toContain('completed');
    // Made anew from nothing, a year later: as after a restored backup.
    clock.advance(30 * DAY);
    await db
      .q()
      .updateTable('closing_documents')
      .set({ document_id: null })
      .where('sale_id', '=', saleId)
      .execute();
    await db.q().updateTable('document_registry').set({ number: null }).execute();
    await makeClosingDocuments(system(), { saleId });
    const after = (await documentsOf(saleId)).filter(({ number }) => number !== null);
    expect(after.map(({ sha256, file_key }) => [sha256, file_key])).toEqual(
      before.map(({ sha256, file_key }) => [sha256, file_key]),
    );
    const shown = await receiptRecord(scenario.system, saleId);
    expect(download.equals(Buffer.from(shown ?? []))).toBe(false);
  });

  it('say who paid and who got what, to the cent of the ledger, also after a refund', async () => {
    const saleId = await scenario.createPaidSale();
    const refund = { saleId, baseCents: 1_234_56, feesCents: 0, reason: 'The roof leaks.' };
    expect(
      await refundSale(as(scenario.admin) as never, { ...refund, idempotencyKey: 'before' }),
    ).toMatchObject({
      ok: true,
    });
    await scenario.settle();
    clock.advance(11 * DAY);
    await scenario.settle();
    expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
    await makeClosingDocuments(system(), { saleId });
    const settlement = (await documentsOf(saleId)).find(({ document_type }) => document_type !== 'Receipt');
    const { pages, marked, info, links } = await readPdf(await bytesOf(settlement?.file_key ?? ''));
    expect(marked).toBe(true);
    expect(info).toMatchObject({ Title: `Settlement statement ${settlement?.number}` });
    expect(links).toContain(`${scenario.system.config.publicUrl}/verify?q=${settlement?.number}`);
    const { rows } = await sql<{ account: string; cents: number }>`
      select p.account, p.amount_cents as cents from ledger_postings p join ledger_entries e on e.id = p.entry_id
      where e.sale_id = ${saleId} and e.kind = 'L2'`.execute(db.q());
    const cents = Object.fromEntries(rows.map((row) => [row.account, Math.abs(Number(row.cents))]));
    const sale = await scenario.sale(saleId);
    const text = pages.join(' ').replaceAll(/\s+/g, '');
    for (const part of [
      dollarsAndCents(sale.total_cents),
      `Gonebacktothebuyerbeforetheclosing${dollarsAndCents(-1_234_56)}`,
      `Releasedfromescrow${dollarsAndCents((cents.escrow_held ?? 0) + (cents.fees_held ?? 0))}`,
      `Seller'sproceeds${dollarsAndCents(cents.seller_payable ?? 0)}`,
      `Commissionandfees${dollarsAndCents((cents.platform_revenue ?? 0) + (cents.fee_revenue ?? 0))}`,
      'Sandbox–norealmoney',
      'Check this statement',
      `/verify?q=${settlement?.number}`,
    ])
      expect(text).toContain(part.replaceAll(' ', ''));
  });

  it('of a run that fails are made by the next one, and no other file is left', async () => {
    const saleId = await closedSale();
    const before = (await files.list('documents/')).keys;
    const ctx = system();
    let puts = 0;
    const failing: FileStore = {
      ...files,
      put: (file) => {
        puts += 1;
        return puts === 2 ? Promise.reject(new Error('The disk is full')) : files.put(file);
      },
    };
    await expect(makeClosingDocuments({ ...ctx, files: failing }, { saleId })).rejects.toMatchObject({
      errors: [new Error('The disk is full')],
    });
    expect(await documentsOf(saleId)).toHaveLength(1);
    await makeClosingDocuments(ctx, { saleId });
    const keys = (await documentsOf(saleId)).map(({ file_key }) => file_key);
    expect(keys).toHaveLength(2);
    expect((await files.list('documents/')).keys).toEqual([...before, ...keys].sort());
  });

  it('one that cannot be made keeps the other one from nobody', async () => {
    const saleId = await closedSale();
    // Of the two only the settlement statement reads the fees of the seller.
    const unreadable = databaseWithInterceptor(db, (run) => async (text, values) => {
      if (text.includes('"transaction_fees"') && values?.includes('seller')) throw new Error('No fees');
      return run(text, values);
    });
    const types = async () => (await documentsOf(saleId)).map(({ document_type }) => document_type);
    await expect(makeClosingDocuments({ ...system(), db: unreadable }, { saleId })).rejects.toMatchObject({
      errors: [new Error('No fees')],
    });
    expect(await types()).toEqual(['Receipt']);
    await makeClosingDocuments(system(), { saleId });
    expect(await types()).toEqual(['Receipt', 'Settlement statement']);
  });

  it('of sales and months that were closed before are asked for, those that failed last', async () => {
    const [lost, early] = [await closedSale(), await closedSale()];
    // A fresh one has its own job.
    await sql`delete from pgboss.job`.execute(db.q());
    await askMissingDocuments(system());
    expect(await jobsFor('closing.sale-documents')).toEqual([]);
    await db
      .q()
      .updateTable('closing_documents')
      .set({ asked_at: new Date(0), attempts: 3 })
      .where('sale_id', '=', early)
      .execute();
    clock.advance(11 * MINUTE);
    await askMissingDocuments(system());
    expect((await jobsFor('closing.sale-documents')).sort()).toEqual([lost, early].sort());
    // Not again before the jobs had their time.
    await sql`delete from pgboss.job`.execute(db.q());
    await askMissingDocuments(system());
    expect(await jobsFor('closing.sale-documents')).toEqual([]);
  });

  it('of a seller’s month are its statement, for that seller alone', async () => {
    await closedSale();
    const travelTo = (at: string) => clock.advance(new Date(at).getTime() - clock.now().getTime());
    travelTo('2026-07-01T03:00:00Z');
    await closeMonths(scenario.system);
    await askMissingDocuments(system());
    const [statementId = ''] = await jobsFor('closing.statement-document');
    await makeSellerStatement(system(), { statementId });
    await makeSellerStatement(system(), { statementId });
    const rows = await db
      .q()
      .selectFrom('document_registry')
      .selectAll()
      .where('document_type', '=', 'Seller statement')
      .execute();
    expect(rows).toHaveLength(1);
    const [row] = rows;
    expect(row).toMatchObject({ property_id: null, agent_id: scenario.seller.agentId, shown_to: 'seller' });
    expect(row?.number).toMatch(/^ST-\d{6}$/);
    const month = /Statement (.+)\.pdf/.exec(row?.document_name ?? '')?.[1] ?? '';
    const sellerId = scenario.seller.agentId ?? '';
    const file = await statementFile(as(scenario.seller), { sellerId, month, format: 'pdf' });
    expect(Buffer.from(file.body as Uint8Array).equals(await bytesOf(row?.file_key ?? ''))).toBe(true);
    const elsewhere = as(scenario.seller);
    const moved = { ...elsewhere, config: { ...elsewhere.config, publicUrl: 'https://moved.test' } };
    const later = await statementFile(moved, { sellerId, month, format: 'pdf' });
    expect(Buffer.from(later.body as Uint8Array).equals(await bytesOf(row?.file_key ?? ''))).toBe(true);
    const stranger = await createUser(db, 'agent');
    const ofStranger = { sellerId: stranger.agentId ?? '', month, format: 'pdf' } as const;
    const { body } = await statementFile(as(stranger), ofStranger);
    expect(Buffer.from(body as Uint8Array).equals(await bytesOf(row?.file_key ?? ''))).toBe(false);
    // Whoever holds it can check it by its number, typed or scanned.
    const { pages, links } = await readPdf(file.body as Uint8Array);
    expect(pages.join(' ')).toContain(`${row?.number}`);
    expect(links).toContain(`${scenario.system.config.publicUrl}/verify?q=${row?.number}`);
    expect(await documentLink(as(scenario.seller), row?.id ?? '')).toContain('/files/documents/');
    for (const other of [scenario.buyer, await createUser(db, 'agent')])
      await expect(documentLink(as(other), row?.id ?? '')).rejects.toMatchObject({ status: 404 });
  });
});
