import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { fileCid } from '#gateways/content/cid.ts';
import { createLocalStore } from '#gateways/content/local.ts';
import { type ContentStore, ContentStoreError } from '#gateways/content/port.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { Actor, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { failingStore } from '#tests/support/content/failing-store.ts';
import { holdStatement } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { publishContent } from './commands/publish-content.ts';
import { publishedContent, storageStatus } from './reads.ts';
import { pinReasons } from './rules.ts';

const LOCAL = { ...testConfig, content: { ...testConfig.content, store: 'local' as const } };

await describeOnDatabase('metadata of tokens', (open, kind) => {
  let db: Database;
  let admin: UserActor;
  let propertyId: string;
  let store: ContentStore;
  const root = mkdtempSync(join(tmpdir(), 'acre-metadata-'));
  const files = createFolderStore({ folder: join(root, 'files'), secret: 'a secret that is long enough' });
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
    propertyId = await createListing(db, (await createUser(db, 'agent')).agentId);
  });
  beforeEach(async () => {
    store = createLocalStore({ folder: join(root, randomUUID()), profile: 'unixfs-v1-2025' });
    await sql`delete from completion_nfts`.execute(db.q());
    await sql`delete from content_pins`.execute(db.q());
  });
  afterAll(async () => {
    await db.close();
    rmSync(root, { recursive: true });
  });

  const as = (actor: Actor, content = store) => ({
    ...testContext(db, { actor, config: LOCAL }),
    files,
    malware: noScanner,
    content,
  });
  const publish = (content = store) => publishContent(as({ kind: 'system', name: 'jobs' }, content));
  const read = (cid: string) => publishedContent(as({ kind: 'visitor' }), cid);
  const pinOf = (cid: string) =>
    db.q().selectFrom('content_pins').selectAll().where('cid', '=', cid).executeTakeFirst();
  async function token(text: string) {
    const { id } = await db
      .q()
      .insertInto('completion_nfts')
      .values({ kind: 'property', property_id: propertyId, recipient_address: '' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const cid = fileCid(Buffer.from(text));
    await db
      .q()
      .updateTable('completion_nfts')
      .set({ token_metadata: text, metadata_cid: cid })
      .where('id', '=', id)
      .execute();
    return { id, cid };
  }
  const audited = (cid: string) =>
    db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'entity', 'before', 'after'])
      .where('entity_id', '=', cid)
      .orderBy('id')
      .execute();
  const entry = (action: string, after: object) => ({ action, entity: 'content', before: null, after });
  const remove = (id: string) => db.q().deleteFrom('completion_nfts').where('id', '=', id).execute();

  it('is published once a token names it, and given out as JSON to everyone', async () => {
    const text = JSON.stringify({ name: 'Recorded deed', description: 'Größe, 12 ½ acres' });
    const { cid } = await token(text);
    await expect(read(cid)).rejects.toThrow();
    expect(await publish()).toBe(1);
    expect(await pinOf(cid)).toMatchObject({
      status: 'pinned',
      documents: 0,
      tokens: 1,
      is_test: false,
      byte_size: Buffer.byteLength(text),
    });
    const { name, contentType, bytes } = await read(cid);
    expect({ name, contentType, text: Buffer.from(bytes).toString() }).toEqual({
      name: 'metadata.json',
      contentType: 'application/json',
      text,
    });
    // It counts as no document.
    expect((await storageStatus(as(admin))).pinned).toEqual({ count: 0, bytes: 0 });
  });

  it('stays published while one of two tokens names it', async () => {
    const first = await token('{"name":"The same"}');
    const second = await token('{"name":"The same"}');
    await publish();
    await remove(first.id);
    await publish();
    expect(await pinOf(first.cid)).toMatchObject({ status: 'pinned', tokens: 1 });
    expect(await store.has(first.cid)).toBe(true);
    await remove(second.id);
    await publish();
    expect(await pinOf(first.cid)).toMatchObject({ status: 'unpinned', tokens: 0 });
    expect(await store.has(first.cid)).toBe(false);
    expect(await audited(first.cid)).toEqual([
      entry('content.pin', { status: 'pinned' }),
      entry('content.unpin', { status: 'unpinned' }),
    ]);
  });

  it('stays published when a public document with the same bytes becomes private', async () => {
    const text = '{"name":"Also a document"}';
    const { cid } = await token(text);
    const key = `documents/${randomUUID()}.pdf`;
    const sha256 = createHash('sha256').update(text).digest('hex');
    await files.put({ key, body: Buffer.from(text), contentType: 'application/pdf', sha256 });
    await db
      .q()
      .insertInto('document_registry')
      .values({
        property_id: propertyId,
        document_name: 'x.pdf',
        document_type: 'Other',
        visibility: 'public',
        file_key: key,
        content_type: 'application/pdf',
        byte_size: text.length,
        sha256,
        cid,
        scan: 'clean',
      })
      .execute();
    await publish();
    expect(await pinOf(cid)).toMatchObject({ documents: 1, tokens: 1, status: 'pinned' });
    await sql`update document_registry set visibility = 'private' where cid = ${cid}`.execute(db.q());
    await publish();
    expect(await pinOf(cid)).toMatchObject({ documents: 0, tokens: 1, status: 'pinned' });
    expect((await read(cid)).contentType).toBe('application/json');
  });

  it('that could not be published, or be removed, is named in the list of what failed and in the audit log', async () => {
    const { id, cid } = await token('{"name":"Refused"}');
    const refusing = failingStore(store, () => new ContentStoreError('auth', 'Pinata: 401 Unauthorized'));
    const reason = 'The store refused: Pinata: 401 Unauthorized';
    const notPinned = entry('content.pin_failed', { status: 'failed', reason });
    await publish(refusing);
    const status = await storageStatus(as(admin));
    expect(status.failed).toMatchObject([{ cid, kind: 'pin', document: null, isMetadata: true }]);
    expect(status.pinned.count).toBe(0);
    expect(await audited(cid)).toEqual([notPinned]);
    await remove(id);
    await publish(refusing);
    expect((await storageStatus(as(admin))).failed).toMatchObject([{ cid, kind: 'unpin' }]);
    expect(await audited(cid)).toEqual([
      notPinned,
      entry('content.unpin_failed', { status: 'unpin_failed', reason }),
    ]);
  });

  // The embedded database has one connection, which a statement that is held back would keep.
  it.skipIf(kind === 'embedded')(
    'that was gone only while it was looked for is published with the next attempt',
    async () => {
      const text = '{"name":"Gone for a moment"}';
      const { id, cid } = await token(text);
      const looking = holdStatement(db, /select "token_metadata" from "completion_nfts"/);
      const writing = holdStatement(looking.db, /select "status", .* from "content_pins"/);
      const published = publishContent({ ...as({ kind: 'system', name: 'jobs' }), db: writing.db });
      await looking.reached;
      await remove(id);
      looking.letGo();
      await writing.reached;
      await token(text);
      writing.letGo();
      expect(await published).toBe(1);
      expect(await pinOf(cid)).toMatchObject({ status: 'waiting', reason: pinReasons.gone });
      await sql`update content_pins set due_at = now() where cid = ${cid}`.execute(db.q());
      await publish();
      expect(await pinOf(cid)).toMatchObject({ status: 'pinned', reason: null });
    },
  );
});
