import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MAX_ADDED_DOCUMENTS, MAX_SALE_FILES } from '#features/documents/model.ts';
import { documentLink, documentsOfSale } from '#features/documents/reads.ts';
import { documentRefusals, saleFileRefusals } from '#features/documents/rules.ts';
import type { SaleUpload } from '#features/documents/sale-files.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { EICAR } from '#gateways/malware/contract.ts';
import { noScanner } from '#gateways/malware/open.ts';
import { MalwareScanError, type MalwareScanner } from '#gateways/malware/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Actor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { pdfFile, zipFile } from '#tests/support/fixtures/documents.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { actOnSale } from './commands/act-on-sale.ts';
import { addSaleDocuments } from './commands/add-sale-documents.ts';
import { deliverDocuments } from './commands/deliver-documents.ts';

const deed: SaleUpload = { field: 'deed', name: 'Deed.pdf', bytes: pdfFile };
const contract: SaleUpload = { field: 'contract', name: 'Contract.docx', bytes: zipFile() };
/** A PDF unlike any other. */
const paper = (text: string): SaleUpload => ({
  field: 'other',
  name: `${text}.pdf`,
  bytes: Buffer.concat([pdfFile, Buffer.from(text)]),
});

await describeOnDatabase('the documents of a sale', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let files: FileStore;
  let saleId: string;
  const folder = mkdtempSync(join(tmpdir(), 'acre-sale-documents-'));
  beforeAll(async () => {
    db = await open();
    files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
    scenario = await createSaleScenario(db);
  });
  beforeEach(async () => {
    saleId = await scenario.createPaidSale();
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const as = (actor: Actor, malware: MalwareScanner = noScanner): CtxWith<'files' | 'malware'> => ({
    ...scenario.contextFor(actor),
    files,
    malware,
  });
  const deliver = (uploads: readonly SaleUpload[], ctx = as(scenario.seller)) =>
    deliverDocuments(ctx, { saleId, files: uploads });
  const add = (actor: Actor, ...uploads: SaleUpload[]) =>
    addSaleDocuments(as(actor), { saleId, files: uploads });
  const stored = async () => (await files.list('documents/')).keys;
  const namesFor = async (actor: Actor) =>
    (await documentsOfSale(as(actor), saleId)).map(({ name, type, by }) => [name, type, by]);
  const delivered = async () => (await scenario.sale(saleId)).documents_delivered_at !== null;

  it('are delivered with the sale’s move, and downloaded by buyer, seller and administrators alone', async () => {
    expect(await deliver([deed, contract])).toEqual({ ok: true });
    expect(await delivered()).toBe(true);
    for (const actor of [scenario.buyer, scenario.seller, scenario.admin])
      expect(await namesFor(actor)).toEqual([
        ['Contract.docx', 'Contract', 'seller'],
        ['Deed.pdf', 'Deed', 'seller'],
      ]);
    const [{ id = '' } = {}] = await documentsOfSale(as(scenario.buyer), saleId);
    const link = new URL(await documentLink(as(scenario.buyer), id), 'http://localhost');
    expect(link.searchParams.get('name')).toBe('Contract.docx');
    expect(link.searchParams.get('sig')).toBeTruthy();
    for (const stranger of [scenario.otherBuyer, await createUser(db, 'agent')]) {
      await expect(documentLink(as(stranger), id)).rejects.toMatchObject({ status: 404 });
      await expect(documentsOfSale(as(stranger), saleId)).rejects.toMatchObject({ status: 404 });
    }
    const row = await db
      .q()
      .selectFrom('document_registry')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      property_sale_id: saleId,
      visibility: 'private',
      shown_to: 'parties',
      origin: 'uploaded',
      uploaded_by: scenario.seller.id,
    });
    expect(row.salt).toMatch(/^[0-9a-f]{64}$/);
  });

  it('are demanded: without an acceptable file nothing moves, and nothing is kept', async () => {
    const before = await stored();
    const refused = (field: string, text: string) => ({
      ok: false,
      reason: 'files',
      errors: { [field]: text },
    });
    expect(await deliver([])).toEqual(refused('deed', saleFileRefusals.none));
    const plain: SaleUpload = { field: 'contract', name: 'plan.txt', bytes: Buffer.from('plain') };
    expect(await deliver([deed, plain])).toEqual(
      refused('contract', `‘plan.txt’: ${documentRefusals.format}`),
    );
    const many = Array.from({ length: 11 }, (_, n) => paper(`${n}`));
    expect(await deliver(many)).toEqual(refused('other', saleFileRefusals.too_many));
    const infected = { ...deed, bytes: Buffer.concat([pdfFile, EICAR]) };
    const scanner: MalwareScanner = {
      ...noScanner,
      scan: async () => ({ verdict: 'infected', threat: 'x' }),
    };
    expect(await deliver([infected], as(scenario.seller, scanner))).toEqual(
      refused('deed', `‘Deed.pdf’: ${documentRefusals.infected}`),
    );
    expect([await delivered(), await stored()]).toEqual([false, before]);
  });

  it('count while they wait for the scanner, are named, and cannot be downloaded yet', async () => {
    const silent: MalwareScanner = {
      ...noScanner,
      scan: () => Promise.reject(new MalwareScanError('It does not answer')),
    };
    expect(await deliver([deed], as(scenario.seller, silent))).toEqual({ ok: true });
    expect(await delivered()).toBe(true);
    const [document] = await documentsOfSale(as(scenario.buyer), saleId);
    expect(document?.scan).toBe('held');
    await expect(documentLink(as(scenario.buyer), document?.id ?? '')).rejects.toThrow(
      'This document is waiting for the virus scanner.',
    );
  });

  it('of two clicks and two tabs are those of one', async () => {
    const before = await stored();
    const results = await Promise.all([deliver([deed]), deliver([deed]), deliver([paper('another tab')])]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.filter((result) => !result.ok && result.reason === 'already_delivered')).toHaveLength(2);
    expect(await documentsOfSale(as(scenario.buyer), saleId)).toHaveLength(1);
    expect(await stored()).toHaveLength(before.length + 1);
  });

  it('are deleted again when the sale has changed meanwhile', async () => {
    const before = await stored();
    const slow: MalwareScanner = {
      ...noScanner,
      async scan() {
        await scenario.act(scenario.buyer, saleId, 'report_problem', 'The roof leaks.');
        return { verdict: 'clean' };
      },
    };
    expect(await deliver([deed], as(scenario.seller, slow))).toEqual({ ok: false, reason: 'problem_open' });
    expect([await delivered(), await stored()]).toEqual([false, before]);
  });

  it('are neither stored nor scanned when it is clear that nothing comes of them', async () => {
    const never: MalwareScanner = { ...noScanner, scan: () => Promise.reject(new Error('scanned')) };
    const suspended = as({ ...scenario.seller, suspended: true }, never);
    const notYours = { ok: false, reason: 'not_yours' };
    await expect(deliver([deed], suspended)).resolves.toEqual(notYours);
    await expect(addSaleDocuments(suspended, { saleId, files: [deed] })).resolves.toEqual(notYours);
    await scenario.act(scenario.buyer, saleId, 'report_problem', 'The roof leaks.');
    await expect(deliver([deed], as(scenario.seller, never))).resolves.toEqual({
      ok: false,
      reason: 'problem_open',
    });
    await scenario.act(scenario.admin, saleId, 'cancel_sale');
    const late = addSaleDocuments(as(scenario.buyer, never), { saleId, files: [deed] });
    await expect(late).resolves.toEqual({ ok: false, reason: 'not_now' });
  });

  it('are what a sale moves for, not the word of the seller alone', async () => {
    const empty = actOnSale(as(scenario.seller), { saleId, event: 'deliver_documents' });
    await expect(empty).resolves.toEqual({ ok: false, reason: 'no_documents' });
    expect(await delivered()).toBe(false);
  });

  it('are deleted again when saving fails', async () => {
    const before = await stored();
    const ctx = as(scenario.seller);
    const now = () => {
      if (broken) throw new Error('The power is gone');
      return scenario.clock.now();
    };
    let broken = false;
    const scanner: MalwareScanner = {
      ...noScanner,
      async scan() {
        broken = true;
        return { verdict: 'clean' };
      },
    };
    await expect(deliver([deed], { ...ctx, now, malware: scanner })).rejects.toThrow('The power is gone');
    expect([await delivered(), await stored()]).toEqual([false, before]);
  });

  it('are added by both sides while the money is in escrow, each file once', async () => {
    expect(await add(scenario.buyer, paper('power of attorney'))).toEqual({ ok: true });
    const kept = await stored();
    expect(await add(scenario.buyer, paper('power of attorney'))).toEqual({ ok: true });
    expect(await stored()).toEqual(kept);
    expect(await add(scenario.seller, paper('keys'))).toEqual({ ok: true });
    // The other side's copy is a document of its own.
    expect(await add(scenario.seller, paper('power of attorney'))).toEqual({ ok: true });
    expect(await delivered()).toBe(false);
    const added = [
      ['keys.pdf', 'Other', 'seller'],
      ['power of attorney.pdf', 'Other', 'buyer'],
      ['power of attorney.pdf', 'Other', 'seller'],
    ];
    expect((await namesFor(scenario.seller)).sort()).toEqual(added);
    expect(await add(scenario.buyer)).toMatchObject({ errors: { deed: saleFileRefusals.none } });
    const many = Array.from({ length: MAX_SALE_FILES + 1 }, (_, n) => paper(`${n}`));
    expect(await add(scenario.buyer, ...many)).toMatchObject({
      errors: { other: saleFileRefusals.too_many },
    });
    await expect(add(scenario.otherBuyer, deed)).rejects.toMatchObject({ status: 404 });
    const unknown = addSaleDocuments(as(scenario.buyer), { saleId: randomUUID(), files: [deed] });
    await expect(unknown).rejects.toMatchObject({ status: 404 });
    expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
    expect(await add(scenario.buyer, deed)).toEqual({ ok: false, reason: 'not_now' });
    expect((await namesFor(scenario.buyer)).sort()).toEqual(added);
  });

  it('are limited for each person, so that no side can keep the other from adding', async () => {
    for (let batch = 0; batch < MAX_ADDED_DOCUMENTS / 10; batch += 1)
      expect(
        await add(scenario.buyer, ...Array.from({ length: 10 }, (_, n) => paper(`${batch} ${n}`))),
      ).toEqual({
        ok: true,
      });
    const kept = await stored();
    expect(await add(scenario.buyer, paper('one more'))).toEqual({
      ok: false,
      reason: 'files',
      errors: { other: saleFileRefusals.too_many_added },
    });
    expect(await stored()).toEqual(kept);
    expect(await add(scenario.seller, paper('keys'))).toEqual({ ok: true });
    expect(await deliver([deed])).toEqual({ ok: true });
  });

  it('are added within the limit of twenty actions a minute', async () => {
    // Somebody who has stored no file before, which is limited as well.
    const ctx = as(await createUser(db, 'admin'));
    for (let n = 0; n < 20; n += 1)
      expect(await actOnSale(ctx, { saleId, event: 'withdraw_problem' })).toMatchObject({ ok: false });
    const limited = { ...ctx, config: { ...ctx.config, relaxedLimits: false } };
    const more = addSaleDocuments(limited, { saleId, files: [deed] });
    await expect(more).rejects.toThrow(TooManyRequests);
  });
});
