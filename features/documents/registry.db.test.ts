import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { noScanner } from '#gateways/malware/open.ts';
import { MalwareScanError } from '#gateways/malware/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { SECOND } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { registerOnChain } from './commands/register-on-chain.ts';
import { type UploadForm, uploadDocument } from './commands/upload-document.ts';
import { insertDocument } from './insert-document.ts';
import type { DocumentType } from './model.ts';
import {
  documentLink,
  documentList,
  documentTotals,
  latestDocument,
  propertyChoices,
  propertyDocuments,
  tokenList,
  tokensOfProperty,
  usedDocumentTypes,
} from './reads.ts';
import { uploadRefusals } from './rules.ts';

const fileOf = (text: string) => Buffer.concat([pdfFile, Buffer.from(text)]);

await describeOnDatabase('the registry of documents', (open) => {
  let db: Database;
  let admin: UserActor;
  let agentId: string | null;
  let propertyId: string;
  let files: FileStore;
  let ctx: CtxWith<'files' | 'malware'>;
  const folder = mkdtempSync(join(tmpdir(), 'acre-registry-'));
  beforeAll(async () => {
    db = await open();
    files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
  });
  beforeEach(async () => {
    await db.pool.query(
      'delete from document_anchors; delete from completion_nfts; delete from document_registry',
    );
    admin = await createUser(db, 'admin');
    ({ agentId } = await createUser(db, 'agent'));
    propertyId = await createListing(db, agentId, { address: '12 Quarry Rise' });
    ctx = { ...testContext(db, { actor: admin }), files, malware: noScanner };
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  /** A registered document without a file. */
  async function register(name: string, type: DocumentType = 'Deed', of: string | null = propertyId) {
    const { id } = await insertDocument(ctx, {
      propertyId: of,
      agentId,
      type,
      uploadedBy: admin.id,
      document: {
        key: `documents/${randomUUID()}.pdf`,
        name,
        contentType: 'application/pdf',
        bytes: 1,
        sha256: createHash('sha256').update(name).digest('hex'),
        scan: 'clean',
      },
    });
    return id;
  }
  async function token(
    documentId: string,
    values: { kind?: 'property' | 'completion'; metadata?: object; number?: number } = {},
  ) {
    const { kind = 'completion', metadata = { name: 'Harvest token' }, number = 0 } = values;
    await db
      .q()
      .insertInto('completion_nfts')
      .values({
        kind,
        property_id: propertyId,
        document_id: documentId,
        token_id: number,
        recipient_address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
        metadata: JSON.stringify(metadata),
      })
      .execute();
  }
  const found = async (q: string, type: string | null = null) =>
    (await documentList(ctx, { q, type })).rows.map(({ name }) => name).sort();
  const form = (changes: Partial<UploadForm> = {}): UploadForm => ({
    propertyId,
    type: 'Deed',
    name: '',
    visibility: 'private',
    confirmedPublic: false,
    file: { name: 'Recorded deed.pdf', bytes: fileOf('1') },
    ...changes,
  });

  it('finds documents by name, type and address, whatever the case, also by short words and after a move', async () => {
    await register('Recorded deed.pdf');
    await register('Well log.pdf', 'Disclosure');
    await register('License.pdf', 'Other', null);
    expect(await found('RECORDED')).toEqual(['Recorded deed.pdf']);
    expect(await found('disclos')).toEqual(['Well log.pdf']);
    expect(await found('quarry rise')).toEqual(['Recorded deed.pdf', 'Well log.pdf']);
    expect(await found('12 well')).toEqual(['Well log.pdf']);
    expect(await found('li')).toEqual(['License.pdf']);
    expect(await found('100%')).toEqual([]);
    expect(await found('!')).toEqual([]);
    expect(await found('', 'Disclosure')).toEqual(['Well log.pdf']);
    await db
      .q()
      .updateTable('properties')
      .set({ address: '7 Salt Meadow' })
      .where('id', '=', propertyId)
      .execute();
    expect(await found('quarry')).toEqual([]);
    expect(await found('salt meadow')).toEqual(['Recorded deed.pdf', 'Well log.pdf']);
    await sql`update document_registry set document_name = 'Ledger.pdf' where document_name = 'Well log.pdf'`.execute(
      db.q(),
    );
    expect(await found('ledger')).toEqual(['Ledger.pdf']);
  });

  it('sorts by each column, and pages past the end end at the last one', async () => {
    for (const [name, type] of [
      ['B.pdf', 'Survey'],
      ['a.pdf', 'Deed'],
      ['C.pdf', 'Contract'],
    ] as const)
      await register(name, type);
    const by = async (sort: 'name' | 'type' | 'date' | 'status', descending = false) =>
      (await documentList(ctx, { sort: { by: sort, descending }, page: 99 })).rows.map(({ name }) => name);
    expect(await by('name')).toEqual(['a.pdf', 'B.pdf', 'C.pdf']);
    expect(await by('name', true)).toEqual(['C.pdf', 'B.pdf', 'a.pdf']);
    expect(await by('type')).toEqual(['C.pdf', 'a.pdf', 'B.pdf']);
    expect(await by('date')).toEqual((await by('date', true)).toReversed());
    expect(await by('status')).toHaveLength(3);
  });

  it('counts in the database, without test documents, and names the types that there are', async () => {
    await token(await register('One.pdf'));
    await register('Two.pdf', 'Survey');
    await register('Three.pdf', 'Other', null);
    await token(await register('Four.pdf'), { kind: 'property' });
    await sql`update document_registry set is_test = true where document_name = 'Two.pdf'`.execute(db.q());
    expect(await documentTotals(ctx)).toEqual({
      documents: { count: 3, more: false },
      properties: { count: 1, more: false },
      completionTokens: { count: 1, more: false },
    });
    expect(await found('')).toEqual(['Four.pdf', 'One.pdf', 'Three.pdf']);
    expect(await usedDocumentTypes(ctx)).toEqual(['Deed', 'Other']);
    const without = (await documentList(ctx, { q: 'three' })).rows[0];
    expect(without?.property).toBeNull();
  });

  it('finds tokens by name, address and number; a pending one has no number', async () => {
    await token(await register('One.pdf'), { number: 1042 });
    await token(await register('Two.pdf'), { metadata: { name: 7 } });
    const tokens = async (q: string) =>
      (await tokenList(ctx, { kind: 'completion', q })).rows.map(({ name, tokenId }) => [name, tokenId]);
    expect(await tokens('harvest')).toEqual([['Harvest token', '1042']]);
    expect(await tokens('1042')).toEqual([['Harvest token', '1042']]);
    expect(await tokens('quarry')).toHaveLength(2);
    expect(await tokens('0')).toEqual([]);
    expect((await tokensOfProperty(ctx, { propertyId })).find(({ name }) => name === '')).toMatchObject({
      tokenId: null,
      transactionHash: null,
      status: 'pending',
    });
    expect(await tokensOfProperty(ctx, { propertyId, kind: 'property' })).toEqual([]);
    const first = await tokenList(ctx, { kind: 'completion', sort: { by: 'token', descending: true } });
    expect(first.rows[0]?.tokenId).toBe('1042');
  });

  it('uploads the versions of a document, private unless said otherwise, and refuses the same file again', async () => {
    const { keys: before } = await files.list('documents/');
    expect(await uploadDocument(ctx, form())).toMatchObject({
      ok: true,
      name: 'Recorded deed.pdf',
      version: 1,
    });
    expect(await uploadDocument(ctx, form())).toEqual({
      ok: false,
      errors: { file: uploadRefusals.known('Recorded deed.pdf') },
    });
    const second = await uploadDocument(
      ctx,
      form({ name: 'Recorded deed', file: { name: 'scan.pdf', bytes: fileOf('2') } }),
    );
    expect(second).toMatchObject({ ok: true, name: 'Recorded deed.pdf', version: 2 });
    await uploadDocument(ctx, form({ name: 'Deed v1.2', visibility: 'public', confirmedPublic: true }));
    const { documents, total, types } = await propertyDocuments(ctx, { propertyId });
    expect(total).toBe(2);
    expect(types).toEqual(['Deed']);
    expect(
      documents
        .map(({ name, visibility, earlier }) => [name, visibility, earlier.map(({ version }) => version)])
        .sort(),
    ).toEqual([
      ['Deed v1.2.pdf', 'public', []],
      ['Recorded deed.pdf', 'private', [1]],
    ]);
    expect((await files.list('documents/')).keys).toHaveLength(before.length + 3);
  });

  it('counts versions within what is one document: not across sellers, sales, sides and types', async () => {
    const add = async (input: Partial<Parameters<typeof insertDocument>[1]>) => {
      const { version } = await insertDocument(ctx, {
        propertyId,
        type: 'Deed',
        uploadedBy: admin.id,
        document: {
          key: `documents/${randomUUID()}.pdf`,
          name: 'Deed.pdf',
          contentType: 'application/pdf',
          bytes: 1,
          sha256: createHash('sha256').update(randomUUID()).digest('hex'),
          scan: 'clean',
        },
        ...input,
      });
      return version;
    };
    const scenario = await createSaleScenario(db);
    const [sale, nextSale] = [await scenario.createPaidSale(), await scenario.createPaidSale()];
    const ofSale = (saleId: string, by: UserActor) =>
      ({ saleId, shownTo: 'parties', uploadedBy: by.id }) as const;
    const groups = [
      {},
      { type: 'Contract' },
      { agentId, shownTo: 'seller' },
      { agentId, shownTo: 'parties' },
      { agentId: scenario.seller.agentId, shownTo: 'parties' },
      ofSale(sale, scenario.seller),
      ofSale(sale, scenario.buyer),
      ofSale(nextSale, scenario.seller),
    ] as const;
    for (const group of groups) expect([group, await add(group)]).toEqual([group, 1]);
    for (const group of groups) expect([group, await add(group)]).toEqual([group, 2]);
    // Another administrator adds the next version of the office's document.
    expect(await add({ uploadedBy: (await createUser(db, 'admin')).id })).toBe(3);
    const { documents } = await propertyDocuments(ctx, { propertyId });
    expect(documents.map(({ earlier }) => earlier.length).sort()).toEqual([1, 1, 1, 1, 1, 1, 1, 2]);
  });

  it('makes an uploaded survey the survey of the property, whatever its name', async () => {
    for (const name of ['Survey A.pdf', 'Survey B.pdf'])
      await uploadDocument(ctx, form({ type: 'Survey', file: { name, bytes: fileOf(name) } }));
    expect(await latestDocument(ctx, { propertyId, type: 'Survey' })).toMatchObject({
      name: 'Survey B.pdf',
      version: 2,
    });
    const { documents } = await propertyDocuments(ctx, { propertyId });
    expect(documents.map(({ name, earlier }) => [name, earlier.map((one) => one.name)])).toEqual([
      ['Survey B.pdf', ['Survey A.pdf']],
    ]);
    const { rows } = await sql<{ same: boolean }>`
      select p.survey_document_path = d.file_key as same from properties p join document_registry d on d.property_id = p.id
      where p.id = ${propertyId} and d.version = 2`.execute(db.q());
    expect(rows).toEqual([{ same: true }]);
  });

  it('refuses what is missing, no document, and a public one that was not confirmed, and stores nothing', async () => {
    const before = await files.list('documents/');
    expect(await uploadDocument(ctx, form({ type: 'Castle', file: null, visibility: 'public' }))).toEqual({
      ok: false,
      errors: {
        file: uploadRefusals.noFile,
        type: uploadRefusals.noType,
        confirm: uploadRefusals.notConfirmed,
      },
    });
    for (const [sent, errors] of [
      [{ file: null }, { file: uploadRefusals.noFile }],
      [{ type: 'Castle' }, { type: uploadRefusals.noType }],
      [{ visibility: 'public' }, { confirm: uploadRefusals.notConfirmed }],
    ] as const)
      await expect(uploadDocument(ctx, form(sent))).resolves.toEqual({ ok: false, errors });
    const plain = { name: 'deed.pdf', bytes: Buffer.from('plain') };
    expect(await uploadDocument(ctx, form({ file: plain }))).toMatchObject({ ok: false });
    const deleted = await createListing(db, agentId, { deleted_at: new Date() });
    for (const none of [randomUUID(), deleted])
      await expect(uploadDocument(ctx, form({ propertyId: none }))).rejects.toThrow('Property not found');
    expect(await files.list('documents/')).toEqual(before);
    expect((await documentTotals(ctx)).documents.count).toBe(0);
  });

  it('neither gives out nor registers a document that is held for the scanner', async () => {
    const down = {
      scan: () => Promise.reject(new MalwareScanError('down')),
    } as unknown as typeof noScanner;
    const held = await uploadDocument({ ...ctx, malware: down }, form());
    if (!held.ok) throw new Error('It was not stored');
    expect(held.scan).toBe('held');
    await expect(documentLink(ctx, held.id)).rejects.toThrow('waiting for the virus scanner');
    expect(await registerOnChain(ctx, { propertyId, documentId: held.id })).toEqual({
      ok: false,
      reason: 'held',
      text: 'This document waits for the virus scanner.',
    });
  });

  it('says of a document whose file was deleted that it was, and does not register it', async () => {
    const id = await register('Old proof.pdf');
    const kept = await register('Kept.pdf');
    await db
      .q()
      .updateTable('document_registry')
      .set({ erased_at: new Date() })
      .where('id', '=', id)
      .execute();
    const { documents } = await propertyDocuments(ctx, { propertyId });
    expect(documents.map((one) => [one.id, one.erased])).toEqual(
      expect.arrayContaining([
        [id, true],
        [kept, false],
      ]),
    );
    await expect(documentLink(ctx, id)).rejects.toThrow('was deleted');
    expect(await registerOnChain(ctx, { propertyId, documentId: id })).toEqual({
      ok: false,
      reason: 'erased',
      text: 'The file of this document was deleted, so it is not registered.',
    });
    const anchors = db.q().selectFrom('document_anchors').select('id').where('document_id', '=', id);
    expect(await anchors.execute()).toEqual([]);
  });

  it('registers no test document', async () => {
    const id = await register('Trial.pdf');
    await db.q().updateTable('document_registry').set({ is_test: true }).where('id', '=', id).execute();
    await expect(registerOnChain(ctx, { propertyId, documentId: id })).resolves.toEqual({
      ok: false,
      reason: 'test',
      text: 'A test document is not registered on the chain.',
    });
    const anchors = db.q().selectFrom('document_anchors').select('id').where('document_id', '=', id);
    expect(await anchors.execute()).toEqual([]);
  });

  it('asks once for a registration, which waits without a chain', async () => {
    const id = await register('Recorded deed.pdf');
    for (let time = 0; time < 2; time += 1)
      expect(await registerOnChain(ctx, { propertyId, documentId: id })).toEqual({
        ok: true,
        name: 'Recorded deed.pdf',
        configured: false,
      });
    const { documents } = await propertyDocuments(ctx, { propertyId });
    expect(documents[0]).toMatchObject({
      status: 'pending',
      reason: 'Chain not configured',
      requested: true,
    });
    const other = await createListing(db, agentId);
    await expect(registerOnChain(ctx, { propertyId: other, documentId: id })).rejects.toThrow(
      'Document not found',
    );
  });

  it('suggests properties by words of the address', async () => {
    const named = async (q: string) => (await propertyChoices(ctx, q)).map(({ address }) => address);
    expect(await named('rise quarry')).toContain('12 Quarry Rise');
    expect(await named('no such place')).toEqual([]);
    expect(await named('')).not.toHaveLength(0);
  });

  it('suggests no deleted property, whether it is among the newest, the best matches or all of them', async () => {
    const named = async (q: string) => (await propertyChoices(ctx, q)).map(({ address }) => address);
    const addresses = Array.from({ length: 9 }, (_, n) => `${n + 1} Withy Holm`);
    // One after another, so that the last one is the newest.
    for (const [n, address] of addresses.entries())
      await createListing(db, agentId, { address, created_at: new Date(Date.now() + n * SECOND) });
    const newest = addresses.toReversed().slice(0, 8);
    for (const q of ['', 'withy holm']) expect(await named(q)).toEqual(newest);
    const remove = (some: readonly string[]) =>
      db.q().updateTable('properties').set({ deleted_at: new Date() }).where('address', 'in', some).execute();
    await remove(newest.slice(0, 1));
    for (const q of ['', 'withy holm']) expect(await named(q)).toEqual(addresses.toReversed().slice(1));
    await remove(newest.slice(1, 4));
    expect(await named('withy holm')).toEqual(addresses.toReversed().slice(4));
  });
});
