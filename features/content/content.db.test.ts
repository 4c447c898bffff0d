import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { insertDocument } from '#features/documents/insert-document.ts';
import { fileCid } from '#gateways/content/cid.ts';
import { createLocalStore } from '#gateways/content/local.ts';
import { type ContentStore, ContentStoreError } from '#gateways/content/port.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Actor, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { NotFound } from '#platform/errors.ts';
import { failingStore } from '#tests/support/content/failing-store.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { addTestDocument } from './commands/add-test-document.ts';
import { fillAddresses } from './commands/fill-addresses.ts';
import { publishContent } from './commands/publish-content.ts';
import { retryPin } from './commands/retry-pin.ts';
import { saveGateway } from './commands/save-gateway.ts';
import { testRoundTrip } from './commands/test-round-trip.ts';
import { MAX_ATTEMPTS } from './limits.ts';
import { contentLinks, publishedContent, storageStatus } from './reads.ts';
import { contentMessages, pinReasons } from './rules.ts';

const LOCAL = { ...testConfig, content: { ...testConfig.content, store: 'local' as const } };

await describeOnDatabase('published content', (open) => {
  let db: Database;
  let admin: UserActor;
  let propertyId: string;
  let files: FileStore;
  let store: ContentStore;
  const root = mkdtempSync(join(tmpdir(), 'acre-published-'));
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
    propertyId = await createListing(db, (await createUser(db, 'agent')).agentId);
    files = createFolderStore({
      folder: join(root, 'files'),
      secret: 'a secret that is long enough for tests',
    });
  });
  beforeEach(async () => {
    store = createLocalStore({ folder: join(root, randomUUID()), profile: 'unixfs-v1-2025' });
    await db.q().deleteFrom('content_pins').execute();
  });
  afterAll(async () => {
    await db.close();
    rmSync(root, { recursive: true });
  });

  type ContentCtx = CtxWith<'files' | 'malware' | 'content'>;
  const as = (actor: Actor, content: ContentStore | null = store): ContentCtx => ({
    ...testContext(db, { actor, config: LOCAL }),
    files,
    malware: noScanner,
    content,
  });
  const jobs = (content?: ContentStore | null) => as({ kind: 'system', name: 'jobs' }, content);

  /** A registered document; its bytes are its text. */
  async function document(
    visibility: 'public' | 'private',
    { text = `paper ${randomUUID()}`, scan = 'clean' as 'clean' | 'held', cid = true } = {},
  ) {
    const bytes = Buffer.concat([pdfFile, Buffer.from(text)]);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const key = `documents/${randomUUID()}.pdf`;
    await files.put({ key, body: bytes, contentType: 'application/pdf', sha256 });
    const { id } = await insertDocument(as(admin), {
      propertyId,
      type: 'Disclosure',
      visibility,
      uploadedBy: admin.id,
      document: {
        key,
        name: `${randomUUID()}.pdf`,
        contentType: 'application/pdf',
        bytes: bytes.length,
        sha256,
        scan,
        ...(cid && { cid: fileCid(bytes) }),
      },
    });
    return { id, key, cid: fileCid(bytes), bytes };
  }
  const change = (id: string, set: { visibility?: 'public' | 'private'; scan?: 'clean' }) =>
    db.q().updateTable('document_registry').set(set).where('id', '=', id).execute();
  const pinOf = (cid: string) =>
    db.q().selectFrom('content_pins').selectAll().where('cid', '=', cid).executeTakeFirst();
  const dueNow = (cid: string) =>
    db.q().updateTable('content_pins').set({ due_at: sql`now()` }).where('cid', '=', cid).execute();
  const silent = () => new ContentStoreError('unavailable', 'down');

  it('is that of public documents alone, and leads to our own address', async () => {
    const open = await document('public');
    const closed = await document('private');
    expect(await publishContent(jobs())).toBe(1);
    expect(await pinOf(open.cid)).toMatchObject({ status: 'pinned', documents: 1, is_test: false });
    expect(await pinOf(closed.cid)).toBeUndefined();
    expect(await store.has(closed.cid)).toBe(false);
    expect(await contentLinks(as({ kind: 'visitor' }), [open.cid, closed.cid])).toEqual({
      [open.cid]: `http://localhost:3000/content/${open.cid}`,
    });
    const published = await publishedContent(as({ kind: 'visitor' }), open.cid);
    expect(Buffer.compare(published.bytes, open.bytes)).toBe(0);
    await expect(publishedContent(as({ kind: 'visitor' }), closed.cid)).rejects.toThrow();
    const elsewhere: ContentStore = { ...store, provider: 'kubo' };
    await expect(publishedContent(as({ kind: 'visitor' }, elsewhere), open.cid)).rejects.toThrow(NotFound);
    expect(await publishContent(jobs())).toBe(0);
  });

  it('ends when a document becomes private again, and is not given out from that moment on', async () => {
    const { id, cid } = await document('public');
    await publishContent(jobs());
    await change(id, { visibility: 'private' });
    await expect(publishedContent(as({ kind: 'visitor' }), cid)).rejects.toThrow();
    expect(await contentLinks(as({ kind: 'visitor' }), [cid])).toEqual({});
    await publishContent(jobs());
    expect(await store.has(cid)).toBe(false);
    expect(await pinOf(cid)).toMatchObject({ status: 'unpinned' });
    await change(id, { visibility: 'public' });
    await publishContent(jobs());
    expect(await store.has(cid)).toBe(true);
  });

  it('is not found once the store has lost it', async () => {
    const { cid } = await document('public');
    await publishContent(jobs());
    await store.remove(cid);
    await expect(publishedContent(as({ kind: 'visitor' }), cid)).rejects.toThrow(NotFound);
  });

  it('stays while another public document has the same bytes', async () => {
    const first = await document('public', { text: 'the same' });
    const second = await document('public', { text: 'the same' });
    await publishContent(jobs());
    await change(first.id, { visibility: 'private' });
    await publishContent(jobs());
    expect(await pinOf(first.cid)).toMatchObject({ status: 'pinned', documents: 1 });
    expect(await store.has(first.cid)).toBe(true);
    await change(second.id, { visibility: 'private' });
    await publishContent(jobs());
    expect(await store.has(first.cid)).toBe(false);
  });

  it('counts both of two documents that change at the same time', async () => {
    const documents = await Promise.all(
      Array.from({ length: 6 }, () => document('public', { text: 'at once' })),
    );
    const cid = documents[0]?.cid ?? '';
    expect(await pinOf(cid)).toMatchObject({ documents: 6 });
    await Promise.all(documents.map(({ id }) => change(id, { visibility: 'private' })));
    expect(await pinOf(cid)).toMatchObject({ documents: 0, status: 'unpinned' });
  });

  it('waits for the virus scanner', async () => {
    const { id, cid } = await document('public', { scan: 'held' });
    expect(await pinOf(cid)).toBeUndefined();
    await change(id, { scan: 'clean' });
    expect(await pinOf(cid)).toMatchObject({ status: 'waiting' });
  });

  it('is tried again later while the store is down, then counts as failed until someone has it tried again', async () => {
    const { cid } = await document('public');
    const down = failingStore(store, silent);
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      expect(await publishContent(jobs(down))).toBe(1);
      expect(await pinOf(cid)).toMatchObject({
        status: 'waiting',
        attempts: attempt,
        reason: pinReasons.silent,
      });
      expect(await publishContent(jobs(down))).toBe(0);
      await dueNow(cid);
    }
    await publishContent(jobs(down));
    expect(await pinOf(cid)).toMatchObject({ status: 'failed', attempts: MAX_ATTEMPTS });
    const { failed, failedCount } = await storageStatus(as(admin));
    expect(failedCount).toBe(1);
    expect(failed[0]).toMatchObject({
      cid,
      kind: 'pin',
      reason: pinReasons.silent,
      document: { propertyId },
    });
    expect(await retryPin(as(admin), { cid })).toEqual({ ok: true, count: 1 });
    expect(await retryPin(as(admin), { cid })).toEqual({ ok: false, reason: 'nothing' });
    await publishContent(jobs());
    expect(await pinOf(cid)).toMatchObject({ status: 'pinned', reason: null });
    expect((await storageStatus(as(admin))).failedCount).toBe(0);
  });

  it('fails right away when the store refuses, and all that failed can be tried again together', async () => {
    const one = await document('public');
    const two = await document('public');
    const refusing = failingStore(store, () => new ContentStoreError('auth', 'Pinata: 401 Unauthorized'));
    await publishContent(jobs(refusing));
    expect(await pinOf(one.cid)).toMatchObject({
      status: 'failed',
      attempts: 1,
      reason: 'The store refused: Pinata: 401 Unauthorized',
    });
    expect(await retryPin(as(admin), { cid: null })).toEqual({ ok: true, count: 2 });
    await publishContent(jobs());
    expect(await pinOf(two.cid)).toMatchObject({ status: 'pinned' });
  });

  it('fails when the store gives it another address, which is taken back there', async () => {
    const { cid } = await document('public');
    const other = createLocalStore({ folder: join(root, randomUUID()), profile: 'unixfs-v0-2015' });
    await publishContent(jobs(other));
    expect(await pinOf(cid)).toMatchObject({
      status: 'failed',
      reason: pinReasons.mismatchOf('unixfs-v0-2015'),
    });
    const lying: ContentStore = {
      ...store,
      add: async () => ({ cid: fileCid(Buffer.from('something else')) }),
    };
    await retryPin(as(admin), { cid });
    await publishContent(jobs(lying));
    expect((await pinOf(cid))?.reason).toMatch(/^The store gave the file another address: bafkrei/);
    expect(await store.has(cid)).toBe(false);
  });

  it('fails when the store gives it the address of the same bytes, whose copy there stays as long as they are published', async () => {
    const first = await document('public', { text: 'one profile after the other' });
    await publishContent(jobs());
    const second = await document('public', { text: 'one profile after the other', cid: false });
    const wrong = { ...LOCAL, content: { ...LOCAL.content, profile: 'unixfs-v0-2015' as const } };
    await fillAddresses({ ...jobs(), config: wrong });
    await publishContent({ ...jobs(), config: wrong });
    const ofSecond = await pinOf(fileCid(second.bytes, 'unixfs-v0-2015'));
    expect(ofSecond).toMatchObject({ status: 'failed', reason: pinReasons.mismatchOf('unixfs-v1-2025') });
    expect(await pinOf(first.cid)).toMatchObject({ status: 'pinned' });
    expect(await store.has(first.cid)).toBe(true);
    await change(first.id, { visibility: 'private' });
    await publishContent(jobs());
    expect(await store.has(first.cid)).toBe(false);
  });

  it('fails when the file is missing, or is not the one that was registered', async () => {
    const gone = await document('public');
    await files.delete(gone.key);
    const changed = await document('public');
    const body = Buffer.from('another');
    const sha256 = createHash('sha256').update(body).digest('hex');
    await files.put({ key: changed.key, body, contentType: 'application/pdf', sha256 });
    // The address fits its bytes, but not the hash that was registered.
    const other = await document('public');
    await sql`update document_registry set sha256 = ${sha256} where id = ${other.id}`.execute(db.q());
    await publishContent(jobs());
    expect(await pinOf(gone.cid)).toMatchObject({ status: 'failed', reason: pinReasons.missing });
    for (const { cid } of [changed, other]) {
      expect(await pinOf(cid)).toMatchObject({ status: 'failed', reason: pinReasons.changed });
      expect(await store.has(cid)).toBe(false);
    }
  });

  it('is removed although it became private while it was being added, whatever happened in between', async () => {
    const { id, cid } = await document('public');
    const slow: ContentStore = {
      ...store,
      async add(bytes, name) {
        const added = await store.add(bytes, name);
        await change(id, { visibility: 'private' });
        return added;
      },
    };
    expect(await publishContent(jobs(slow))).toBe(2);
    expect(await store.has(cid)).toBe(false);
    expect(await pinOf(cid)).toMatchObject({ status: 'unpinned' });
    // Public and private again before anyone looked: what was added has to go all the same.
    await change(id, { visibility: 'public' });
    const crashing: ContentStore = {
      ...store,
      async add(bytes, name) {
        await store.add(bytes, name);
        throw new Error('the process dies');
      },
    };
    await expect(publishContent(jobs(crashing))).rejects.toThrow('the process dies');
    await change(id, { visibility: 'private' });
    await change(id, { visibility: 'public' });
    await change(id, { visibility: 'private' });
    await publishContent(jobs());
    expect(await store.has(cid)).toBe(false);
  });

  it('is added again when it became public while it was being removed', async () => {
    const { id, cid } = await document('public');
    await publishContent(jobs());
    await change(id, { visibility: 'private' });
    const slow: ContentStore = {
      ...store,
      async remove(address) {
        await change(id, { visibility: 'public' });
        await store.remove(address);
      },
    };
    expect(await publishContent(jobs(slow))).toBe(2);
    expect(await store.has(cid)).toBe(true);
    expect(await pinOf(cid)).toMatchObject({ status: 'pinned' });
  });

  it('is worked on by one process at a time', async () => {
    const documents = await Promise.all(Array.from({ length: 10 }, () => document('public')));
    const added: string[] = [];
    const counting: ContentStore = {
      ...store,
      async add(bytes, name) {
        added.push(fileCid(bytes));
        return store.add(bytes, name);
      },
    };
    await Promise.all(Array.from({ length: 4 }, () => publishContent(jobs(counting))));
    expect(added.sort()).toEqual(documents.map(({ cid }) => cid).sort());
  });

  it('waits while no store is configured', async () => {
    const { cid } = await document('public');
    expect(await publishContent(jobs(null))).toBe(0);
    expect(await pinOf(cid)).toMatchObject({ status: 'waiting', attempts: 0 });
    const text = contentMessages.notConfigured;
    expect(await testRoundTrip(as(admin, null))).toEqual({ ok: false, reason: 'not_configured', text });
    const status = await storageStatus({ ...as(admin, null), config: testConfig });
    expect(status).toMatchObject({ provider: null, waiting: 1, gateway: 'https://ipfs.io/ipfs/{cid}' });
  });

  it('gets its address later when it was registered without one, unless the file differs', async () => {
    const without = await document('public', { cid: false });
    const gone = await document('private', { cid: false });
    await files.delete(gone.key);
    expect(await pinOf(without.cid)).toBeUndefined();
    const { filled, left } = await fillAddresses(jobs());
    expect({ filled, left: left >= 1 }).toEqual({ filled: 1, left: true });
    expect(await pinOf(without.cid)).toMatchObject({ status: 'waiting' });
    // Nothing is left of one that was erased.
    await sql`update document_registry set erased_at = now() where id = ${gone.id}`.execute(db.q());
    expect(await fillAddresses(jobs())).toEqual({ filled: 0, left: left - 1 });
  });

  it('has a status: what is published, how much, and since when', async () => {
    const { bytes } = await document('public');
    await publishContent(jobs());
    const before = await storageStatus(as(admin));
    expect(before).toMatchObject({
      provider: 'local',
      gateway: 'http://localhost:3000/content/{cid}',
      pinned: { count: 1, bytes: bytes.length },
      failedCount: 0,
      waiting: 0,
      testsRefused: null,
    });
    expect(before.lastPinAt).not.toBeNull();
    const added = await addTestDocument(as(admin), {
      name: 'sample.pdf',
      bytes: Buffer.concat([pdfFile, Buffer.from('t')]),
    });
    expect(added).toMatchObject({ ok: true, document: { status: 'pinned', name: 'sample.pdf' } });
    expect(await storageStatus(as(admin))).toEqual(before);
  });

  it('has a gateway that is saved once by a form that is sent again because its answer was lost', async () => {
    const [gateway, other] = ['https://{cid}.ipfs.dweb.link', 'https://ipfs.io/ipfs/{cid}'];
    for (let sent = 0; sent < 2; sent += 1)
      expect(await saveGateway(as(admin), { gateway, base: null })).toEqual({ ok: true });
    expect(await saveGateway(as(admin), { gateway: other, base: null })).toMatchObject({ reason: 'newer' });
    expect(await saveGateway(as(admin), { gateway: '', base: gateway })).toEqual({ ok: true });
  });
});
