import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { createSealedStore } from '#gateways/files/sealed-store.ts';
import { clamAvScanner } from '#gateways/malware/clamav.ts';
import { EICAR } from '#gateways/malware/contract.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { MalwareScanner } from '#gateways/malware/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Actor, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type FakeClamd, startFakeClamd } from '#tests/support/files/fake-clamd.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { registerDocument } from './commands/register-document.ts';
import { scanHeldDocuments } from './commands/scan-held-documents.ts';
import { storeDocument } from './commands/store-document.ts';
import { documentJobs } from './jobs.ts';
import { documentLimits } from './limits.ts';
import { documentLink, latestDocument } from './reads.ts';
import { documentRefusals } from './rules.ts';

const infectedPdf = Buffer.concat([pdfFile, EICAR]);

await describeOnDatabase('documents', (open) => {
  let db: Database;
  let clamd: FakeClamd;
  let admin: UserActor;
  let propertyId: string;
  let files: FileStore;
  const folder = mkdtempSync(join(tmpdir(), 'acre-documents-'));
  beforeAll(async () => {
    db = await open();
    clamd = await startFakeClamd();
    files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
  });
  beforeEach(async () => {
    clamd.behave('scanning');
    admin = await createUser(db, 'admin');
    propertyId = await createListing(db, (await createUser(db, 'agent')).agentId);
  });
  afterAll(async () => {
    await clamd.close();
    await db.close();
    rmSync(folder, { recursive: true });
  });

  type DocumentCtx = CtxWith<'files' | 'malware'>;
  const as = (actor: Actor, malware = clamAvScanner(clamd.url)): DocumentCtx => ({
    ...testContext(db, { actor }),
    files,
    malware,
  });
  const noSale = { removed: async () => {}, released: async () => {} };
  const system = () => as({ kind: 'system', name: 'jobs' });
  /** Runs what waits to be done with a file. */
  async function runJobs(key: string) {
    const { rows } = await sql<{ name: string; data: object }>`
      select name, data from pgboss.job where data->>'key' = ${key}`.execute(db.q());
    const attempt = { number: 1, last: false, signal: new AbortController().signal };
    for (const { name, data } of rows)
      await documentJobs(noSale)
        .find(({ job }) => job.name === name)
        ?.run(system(), data, attempt);
  }
  async function upload(bytes: Buffer, name = 'Boundary survey.pdf', ctx = as(admin)) {
    const stored = await storeDocument(ctx, { bytes, name });
    if (!stored.ok) throw new Error(stored.text);
    await ctx.db.tx(async () => {
      await registerDocument(ctx, { propertyId, type: 'Survey', document: stored.document });
      await db
        .q()
        .updateTable('properties')
        .set({ survey_document_path: stored.document.key })
        .where('id', '=', propertyId)
        .execute();
    });
    const latest = await latestDocument(ctx, { propertyId, type: 'Survey' });
    if (!latest) throw new Error('Nothing was registered');
    return { ...latest, key: stored.document.key };
  }

  it('are kept privately, and opened by an address that is signed', async () => {
    const { id, key, name, scan } = await upload(pdfFile, 'C:\\Boundary survey.PDF');
    expect({ name, scan }).toEqual({ name: 'Boundary survey.pdf', scan: 'clean' });
    const link = new URL(await documentLink(as(admin), id), 'http://localhost');
    expect(link.pathname).toBe(`/files/${key}`);
    expect(link.searchParams.get('name')).toBe('Boundary survey.pdf');
    expect(link.searchParams.get('sig')).toBeTruthy();
    const row = await db
      .q()
      .selectFrom('document_registry')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      property_id: propertyId,
      document_type: 'Survey',
      visibility: 'private',
      content_type: 'application/pdf',
      byte_size: pdfFile.length,
      uploaded_by: admin.id,
    });
  });

  it('are opened sixty times a minute by one user', async () => {
    const { id } = await upload(pdfFile);
    for (let count = 1; count < 60; count += 1) await takeTokens(as(admin), documentLimits.link, admin.id);
    await expect(documentLink(as(admin), id)).resolves.toContain('/files/documents/');
    await expect(documentLink(as(admin), id)).rejects.toThrow(TooManyRequests);
    const colleague = as(await createUser(db, 'admin'));
    await expect(documentLink(colleague, id)).resolves.toContain('/files/documents/');
  });

  it('get the next version of their type', async () => {
    expect((await upload(pdfFile)).version).toBe(1);
    expect((await upload(pdfFile)).version).toBe(2);
    expect((await upload(pdfFile, 'another.pdf')).version).toBe(3);
  });

  it('are refused when they are none, empty, or infected, and nothing is stored then', async () => {
    const before = await files.list('documents/');
    const ctx = as(admin);
    const refusal = async (bytes: Buffer) => storeDocument(ctx, { bytes, name: 'survey.pdf' });
    expect(await refusal(Buffer.alloc(0))).toMatchObject({ text: documentRefusals.empty });
    expect(await refusal(Buffer.from('plain'))).toMatchObject({ text: documentRefusals.format });
    expect(await refusal(Buffer.alloc(25 * 1024 * 1024 + 1, 'a'))).toMatchObject({
      text: 'This file is too large: a document can have at most 25 MB.',
    });
    expect(await refusal(infectedPdf)).toMatchObject({ reason: 'infected', text: documentRefusals.infected });
    expect(await files.list('documents/')).toEqual(before);
  });

  it('are accepted without a scanner, as unchecked', async () => {
    expect((await upload(pdfFile, 'survey.pdf', as(admin, noScanner))).scan).toBe('unchecked');
  });

  it('are held while the scanner does not answer, and released once it does', async () => {
    clamd.behave('closing');
    const { id, scan } = await upload(pdfFile);
    expect(scan).toBe('held');
    await expect(documentLink(as(admin), id)).rejects.toThrow(
      'This document is waiting for the virus scanner.',
    );
    expect(await scanHeldDocuments(system(), noSale)).toBe(1);
    await expect(documentLink(as(admin), id)).rejects.toThrow();
    clamd.behave('scanning');
    expect(await scanHeldDocuments(system(), noSale)).toBe(0);
    await expect(documentLink(as(admin), id)).resolves.toContain('/files/documents/');
    expect((await latestDocument(as(admin), { propertyId, type: 'Survey' }))?.scan).toBe('clean');
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'document.release')
      .where('entity_id', '=', propertyId)
      .execute();
    expect(audited).toEqual([
      { before: { document: id, scan: 'held' }, after: { document: id, scan: 'clean' } },
    ]);
  });

  it('are scanned although the file of one before them is missing', async () => {
    clamd.behave('closing');
    const lost = await upload(pdfFile, 'Lost.pdf');
    const kept = await upload(pdfFile, 'Kept.pdf');
    await files.delete(lost.key);
    clamd.behave('scanning');
    expect(await scanHeldDocuments(system(), noSale)).toBe(1);
    const rows = await db
      .q()
      .selectFrom('document_registry')
      .select(['id', 'scan', 'scan_attempts'])
      .where('id', 'in', [lost.id, kept.id])
      .orderBy('document_name')
      .execute();
    expect(rows).toEqual([
      { id: kept.id, scan: 'clean', scan_attempts: 0 },
      { id: lost.id, scan: 'held', scan_attempts: 1 },
    ]);
    await db.q().deleteFrom('document_registry').where('id', '=', lost.id).execute();
  });

  it('are scanned although the file of one before them cannot be opened', async () => {
    const sealedBy = (id: string) =>
      createSealedStore({
        store: files,
        keys: [{ id, bytes: Buffer.alloc(32, id) }],
        secret: 'a secret that is long enough for tests',
      });
    clamd.behave('closing');
    const unreadable = await upload(pdfFile, 'Sealed.pdf', { ...as(admin), files: sealedBy('0000000a') });
    const kept = await upload(pdfFile, 'Kept.pdf');
    clamd.behave('scanning');
    const afterKeyChange = { ...system(), files: sealedBy('0000000b') };
    expect(await scanHeldDocuments(afterKeyChange, noSale)).toBe(1);
    const rows = await db
      .q()
      .selectFrom('document_registry')
      .select(['id', 'scan', 'scan_attempts'])
      .where('id', 'in', [unreadable.id, kept.id])
      .orderBy('document_name')
      .execute();
    expect(rows).toEqual([
      { id: kept.id, scan: 'clean', scan_attempts: 0 },
      { id: unreadable.id, scan: 'held', scan_attempts: 1 },
    ]);
    await db.q().deleteFrom('document_registry').where('id', '=', unreadable.id).execute();
  });

  it('stay when another process has released them while the scanner was asked', async () => {
    clamd.behave('closing');
    const { id, key } = await upload(infectedPdf);
    const malware: MalwareScanner = {
      ...noScanner,
      async scan() {
        await scanHeldDocuments({ ...system(), malware: noScanner }, noSale);
        return { verdict: 'infected', threat: 'Found by newer signatures' };
      },
    };
    await scanHeldDocuments({ ...system(), malware }, noSale);
    expect(await latestDocument(as(admin), { propertyId, type: 'Survey' })).toMatchObject({ id });
    expect(await files.head(key)).not.toBeNull();
  });

  it('are deleted when the scanner finds malware after they were held, and whoever uploaded them is told', async () => {
    clamd.behave('closing');
    const { key } = await upload(infectedPdf);
    clamd.behave('scanning');
    expect(await scanHeldDocuments(system(), noSale)).toBe(0);
    expect(await latestDocument(as(admin), { propertyId, type: 'Survey' })).toBeNull();
    await runJobs(key);
    expect(await files.head(key)).toBeNull();
    const property = await db
      .q()
      .selectFrom('properties')
      .select('survey_document_path')
      .where('id', '=', propertyId)
      .executeTakeFirstOrThrow();
    expect(property.survey_document_path).toBeNull();
    const mails = await db
      .q()
      .selectFrom('mail_outbox')
      .select('subject')
      .where('to_address', '=', admin.email)
      .execute();
    expect(mails).toEqual([{ subject: 'A document was removed: it contains malware' }]);
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select('action')
      .where('entity_id', '=', propertyId)
      .orderBy('id')
      .execute();
    expect(audited.map(({ action }) => action)).toEqual(['document.register', 'document.remove']);
  });

  it('are deleted with their files also when the process ends in between', async () => {
    clamd.behave('closing');
    const { id, key } = await upload(infectedPdf);
    clamd.behave('scanning');
    const ending = { ...files, delete: () => Promise.reject(new Error('The process has ended')) };
    await scanHeldDocuments({ ...system(), files: ending }, noSale).catch(() => {});
    const row = db.q().selectFrom('document_registry').select('id').where('id', '=', id);
    expect(await row.executeTakeFirst()).toBeUndefined();
    await scanHeldDocuments(system(), noSale);
    await runJobs(key);
    expect(await files.head(key)).toBeNull();
  });
});
