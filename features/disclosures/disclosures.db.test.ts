import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { uploadDocument } from '#features/documents/commands/upload-document.ts';
import { documentLink, documentsOfSale, propertyDocuments } from '#features/documents/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { uploadDisclosure } from './commands/upload-disclosure.ts';
import { disclosureLimits } from './limits.ts';
import { ownDisclosures } from './reads.ts';
import { disclosureMessages } from './rules.ts';

await describeOnEachDatabase('disclosures', (open) => {
  let db: Database;
  let files: FileStore;
  let sales: SaleScenario;
  let propertyId: string;
  const folder = mkdtempSync(join(tmpdir(), 'acre-disclosures-'));
  beforeAll(async () => {
    db = await open();
    files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
    sales = await createSaleScenario(db);
  });
  beforeEach(async () => {
    propertyId = await sales.createListing();
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const as = (actor: UserActor) => ({ ...sales.contextFor(actor), files, malware: noScanner });
  const pdf = (text: string) => Buffer.concat([pdfFile, Buffer.from(`%${text}\n`)]);
  const upload = (text: string, { name = '', file = 'Lead paint.pdf', by = sales.seller } = {}) => {
    sales.clock.advance(MINUTE);
    return uploadDisclosure(as(by), { propertyId, name, file: { name: file, bytes: pdf(text) } });
  };
  const giveTo = ({ agentId }: UserActor) =>
    db
      .q()
      .updateTable('properties')
      .set({ agent_id: String(agentId) })
      .where('id', '=', propertyId)
      .execute();
  const own = async () =>
    (await ownDisclosures(as(sales.seller), { propertyId })).documents.map(({ name, version }) => [
      name,
      version,
    ]);
  const ofSale = async (actor: UserActor, saleId: string) =>
    (await documentsOfSale(as(actor), saleId)).map(({ name, type, by }) => [name, type, by]);
  const idOf = async () => {
    const [newest] = (await ownDisclosures(as(sales.seller), { propertyId })).documents;
    if (!newest) throw new Error('Nothing was uploaded');
    return newest.id;
  };
  const events = () =>
    db
      .q()
      .selectFrom('live_events')
      .select('audience')
      .where('type', '=', 'sale.moved')
      .orderBy('id')
      .execute()
      .then((rows) => rows.map(({ audience }) => audience));

  it('are listed in versions by their name, the newest first, once however often the form is sent', async () => {
    expect(await upload('one')).toEqual({ ok: true, name: 'Lead paint.pdf', version: 1, held: false });
    expect(await upload('one')).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { document: disclosureMessages.known('Lead paint.pdf') },
    });
    expect(await upload('two')).toMatchObject({ ok: true, version: 2 });
    expect(await upload('three', { name: '  Roof,\n2024 ' })).toMatchObject({
      ok: true,
      name: 'Roof, 2024.pdf',
    });
    expect(await own()).toEqual([
      ['Roof, 2024.pdf', 1],
      ['Lead paint.pdf', 2],
      ['Lead paint.pdf', 1],
    ]);
    const shown = (await propertyDocuments(as(sales.admin), { propertyId })).documents;
    expect(shown.map(({ name, version, type }) => [name, version, type])).toEqual([
      ['Roof, 2024.pdf', 1, 'Disclosure'],
      ['Lead paint.pdf', 2, 'Disclosure'],
    ]);
  });

  it('are refused in words, and nothing is stored then', async () => {
    const before = readdirSync(folder, { recursive: true }).length;
    expect(
      await uploadDisclosure(as(sales.seller), { propertyId, name: 'x'.repeat(121), file: null }),
    ).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { document: disclosureMessages.noFile, name: disclosureMessages.longName },
    });
    expect(await upload('named', { name: 'x'.repeat(121) })).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { name: disclosureMessages.longName },
    });
    const text = { propertyId, name: '', file: { name: 'Letter.pdf', bytes: Buffer.from('Dear buyer') } };
    expect(await uploadDisclosure(as(sales.seller), text)).toMatchObject({
      errors: { document: 'This is no PDF or Word document. Accepted are .pdf, .doc and .docx.' },
    });
    await expect(upload('mine', { by: await createUser(db, 'agent') })).rejects.toThrow(NotFound);
    await db.q().updateTable('properties').set({ status: 'Sold' }).where('id', '=', propertyId).execute();
    expect(await upload('late')).toEqual({ ok: false, reason: 'sold', why: disclosureMessages.sold });
    expect(readdirSync(folder, { recursive: true })).toHaveLength(before);
    expect(await own()).toEqual([]);
  });

  it('are taken twenty times an hour from a seller', async () => {
    const seller = await createUser(db, 'agent');
    await giveTo(seller);
    const ctx = { ...as(seller), config: { ...as(seller).config, relaxedLimits: false } };
    for (let count = 0; count < 20; count += 1)
      await takeTokens(ctx, disclosureLimits.upload, String(seller.agentId));
    await expect(
      uploadDisclosure(ctx, { propertyId, name: '', file: { name: 'Roof.pdf', bytes: pdf('roof') } }),
    ).rejects.toMatchObject({ name: 'TooManyRequests' });
  });

  it('are not announced to the buyer of a seller who had the property before', async () => {
    await sales.createPaidSale(propertyId);
    const seller = await createUser(db, 'agent');
    await giveTo(seller);
    const told = (await events()).length;
    expect(await upload('of the roof', { by: seller })).toMatchObject({ ok: true });
    expect(await events()).toHaveLength(told);
  });

  it('are shown to a buyer from the payment on, to nobody else, and no longer once the sale is cancelled', async () => {
    await upload('before the sale');
    const { saleId, ref } = await sales.checkout(sales.buyer, propertyId);
    const id = await idOf();
    expect(await ofSale(sales.buyer, saleId)).toEqual([]);
    await expect(documentLink(as(sales.buyer), id)).rejects.toThrow(NotFound);

    await sales.actOnCheckoutPage(ref, 'pay');
    await sales.sync(saleId);
    const disclosed = [['Lead paint.pdf', 'Disclosure', 'seller']];
    expect(await ofSale(sales.buyer, saleId)).toEqual(disclosed);
    expect(await ofSale(sales.seller, saleId)).toEqual(disclosed);
    expect(await documentLink(as(sales.buyer), id)).toContain('/files/');
    for (const other of [sales.otherBuyer, await createUser(db, 'agent')])
      await expect(documentLink(as(other), id)).rejects.toThrow(NotFound);

    const told = (await events()).length;
    await upload('of the roof', { file: 'Roof.pdf' });
    expect((await events()).slice(told)).toEqual([
      `user:${sales.buyer.id}`,
      `user:${sales.seller.id}`,
      'role:admin',
    ]);
    expect(await ofSale(sales.buyer, saleId)).toHaveLength(2);

    expect(await sales.act(sales.admin, saleId, 'cancel_sale', 'Agreed by both.')).toEqual({ ok: true });
    expect(await ofSale(sales.buyer, saleId)).toEqual([]);
    await expect(documentLink(as(sales.buyer), id)).rejects.toThrow(NotFound);
    expect(await ofSale(sales.seller, saleId)).toHaveLength(2);
  });

  it('of an administrator are not shown to the seller or the buyer, whatever they are called', async () => {
    const saleId = await sales.createPaidSale(propertyId);
    await uploadDocument(as(sales.admin), {
      propertyId,
      type: 'Disclosure',
      name: '',
      visibility: 'private',
      confirmedPublic: false,
      file: { name: 'Lead paint.pdf', bytes: pdf('of the office') },
    });
    expect(await own()).toEqual([]);
    expect(await ofSale(sales.buyer, saleId)).toEqual([]);
    // The same file is no version of the seller's yet.
    expect(await upload('of the office')).toMatchObject({ ok: true });
    expect(await own()).toHaveLength(1);
  });
});
