import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { insertDocument } from '#features/documents/insert-document.ts';
import { fileCid } from '#gateways/content/cid.ts';
import { createLocalStore } from '#gateways/content/local.ts';
import { type ContentStore, ContentStoreError } from '#gateways/content/port.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { failingStore } from '#tests/support/content/failing-store.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { localChain } from '#tests/support/fixtures/chain.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { addTestDocument } from './commands/add-test-document.ts';
import { checkTestDocument } from './commands/check-test-document.ts';
import { removeTestDocument } from './commands/remove-test-document.ts';
import { testRoundTrip } from './commands/test-round-trip.ts';
import { MAX_TEST_BYTES } from './model.ts';
import { storageStatus, testDocuments } from './reads.ts';
import { contentMessages, pinReasons } from './rules.ts';

const LOCAL = { ...testConfig, content: { ...testConfig.content, store: 'local' as const } };

await describeOnDatabase('the store of public documents', (open) => {
  let db: Database;
  let admin: UserActor;
  let store: ContentStore;
  const root = mkdtempSync(join(tmpdir(), 'acre-tried-store-'));
  const files = createFolderStore({
    folder: join(root, 'files'),
    secret: 'a secret that is long enough for tests',
  });
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
  });
  beforeEach(() => {
    store = createLocalStore({ folder: join(root, randomUUID()), profile: 'unixfs-v1-2025' });
  });
  afterAll(async () => {
    await db.close();
    rmSync(root, { recursive: true });
  });

  type ContentCtx = CtxWith<'files' | 'malware' | 'content'>;
  const as = (actor: UserActor, content: ContentStore | null = store): ContentCtx => ({
    ...testContext(db, { actor, config: LOCAL }),
    files,
    malware: noScanner,
    content,
  });
  const silent = () => new ContentStoreError('unavailable', 'down');

  it('can be tried with a document of its own: added, fetched back, and removed', async () => {
    const bytes = Buffer.concat([pdfFile, Buffer.from('a trial')]);
    const added = await addTestDocument(as(admin), { name: 'sample.pdf', bytes });
    if (!added.ok) throw new Error(added.text);
    const { id, cid, link } = added.document;
    expect({ cid, link }).toEqual({
      cid: fileCid(bytes),
      link: `http://localhost:3000/content/${fileCid(bytes)}`,
    });
    expect(await testDocuments(as(admin))).toContainEqual(added.document);
    expect(await checkTestDocument(as(admin), id)).toMatchObject({ ok: true, bytes: bytes.length });
    await expect(checkTestDocument(as(admin, null), id)).resolves.toEqual({
      ok: false,
      reason: 'not_configured',
      text: contentMessages.notConfigured,
    });
    await store.remove(cid);
    expect(await checkTestDocument(as(admin), id)).toMatchObject({ ok: false, reason: 'failed' });
    expect(await removeTestDocument(as(admin), id)).toEqual({ status: 'unpinned' });
    await expect(removeTestDocument(as(admin), id)).rejects.toThrow('Document not found');
    const removals = db.q().selectFrom('audit_log').select(['entity', 'before', 'after']);
    expect(
      await removals.where('action', '=', 'document.remove').where('entity_id', '=', id).execute(),
    ).toEqual([
      {
        entity: 'document',
        before: { document: id, documentName: 'sample.pdf', test: true },
        after: null,
      },
    ]);
    const real = await insertDocument(as(admin), {
      propertyId: await createListing(db, (await createUser(db, 'agent')).agentId),
      type: 'Disclosure',
      visibility: 'public',
      uploadedBy: admin.id,
      document: {
        key: `documents/${randomUUID()}.pdf`,
        name: 'real.pdf',
        contentType: 'application/pdf',
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        scan: 'clean',
        cid,
      },
    });
    await expect(removeTestDocument(as(admin), real.id)).rejects.toThrow('Document not found');
    for (const none of [id, real.id])
      await expect(checkTestDocument(as(admin), none)).rejects.toThrow('Document not found');
    expect((await testDocuments(as(admin))).map((test) => test.id)).not.toContain(id);
  });

  it('takes a test document only when it is small, of a known kind, and where that is allowed', async () => {
    const large = Buffer.concat([pdfFile, Buffer.alloc(MAX_TEST_BYTES)]);
    const add = (bytes: Buffer, ctx = as(admin)) => addTestDocument(ctx, { name: 'x.pdf', bytes });
    expect(await add(large)).toMatchObject({ ok: false, reason: 'too_large' });
    expect(await add(Buffer.from('plain'))).toMatchObject({ ok: false, reason: 'format' });
    expect(await add(pdfFile, as(admin, null))).toMatchObject({ ok: false, reason: 'not_configured' });
  });

  it.each([
    ['a main network', 8_453, true, 'Test documents are published next to test networks only'],
    ['a chain that is not known', 10, null, 'This server writes to Chain 10.'],
    ['a test network', 84_532, null, null],
    ['a test network, switched off', 84_532, false, 'Test documents are switched off'],
    ['the chain of this machine', 31_337, null, null],
    ['no chain, in production', null, null, 'Test documents are switched off'],
    ['no chain, switched on', null, true, null],
  ])('takes test documents next to %s or says why not', async (_, chainId, testDocuments, why) => {
    const chain = chainId === null ? undefined : { ...localChain, chainId };
    const ctx = { ...as(admin), config: { ...LOCAL, chain, content: { ...LOCAL.content, testDocuments } } };
    const bytes = Buffer.concat([pdfFile, Buffer.from(randomUUID())]);
    const refused = why === null ? null : expect.stringContaining(why);
    expect(await addTestDocument(ctx, { name: 'x.pdf', bytes })).toMatchObject(
      why === null ? { ok: true } : { ok: false, reason: 'not_allowed', text: refused },
    );
    expect((await storageStatus(ctx)).testsRefused).toEqual(refused);
  });

  it('can be tried by a round trip, which leaves nothing behind', async () => {
    const passed = await testRoundTrip(as(admin));
    expect(passed).toMatchObject({ ok: true, bytes: 1024 });
    expect(passed.ok && (await store.has(passed.cid))).toBe(false);
    expect(await testRoundTrip(as(admin, failingStore(store, silent)))).toEqual({
      ok: false,
      reason: 'failed',
      text: 'down',
    });
    const forgetful = { ...store, get: async () => null };
    expect(await testRoundTrip(as(admin, forgetful))).toMatchObject({
      ok: false,
      text: 'The store does not have what was just added.',
    });
    const altering = { ...store, get: async () => Buffer.from('other') };
    expect(await testRoundTrip(as(admin, altering))).toMatchObject({
      text: 'The store gave back other bytes.',
    });
    const chunked = createLocalStore({ folder: join(root, randomUUID()), profile: 'unixfs-v0-2015' });
    expect(await testRoundTrip(as(admin, chunked))).toMatchObject({
      text: pinReasons.mismatchOf('unixfs-v0-2015'),
    });
  });
});
