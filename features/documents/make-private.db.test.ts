import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { queueAnchor } from '#features/chain/queue-anchor.ts';
import { queueMint } from '#features/chain/queue-mint.ts';
import { holdDocumentsAndTokens } from '#features/chain/transaction.ts';
import { publishContent } from '#features/content/commands/publish-content.ts';
import { publishedContent } from '#features/content/reads.ts';
import { createLocalStore } from '#gateways/content/local.ts';
import type { ContentStore } from '#gateways/content/port.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { Actor, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { makePrivate } from './commands/make-private.ts';
import { registerOnChain } from './commands/register-on-chain.ts';
import { uploadDocument } from './commands/upload-document.ts';
import { propertyDocuments } from './reads.ts';

const config = { ...testConfig, content: { ...testConfig.content, store: 'local' as const } };

await describeOnDatabase('a public document that becomes private', (open, kind) => {
  let db: Database;
  let admin: UserActor;
  let propertyId: string;
  let content: ContentStore;
  const folder = mkdtempSync(join(tmpdir(), 'acre-make-private-'));
  const files = createFolderStore({
    folder: join(folder, 'files'),
    secret: 'long enough for tests of links',
  });
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    content = createLocalStore({ folder: join(folder, randomUUID()), profile: 'unixfs-v1-2025' });
    admin = await createUser(db, 'admin');
    propertyId = await createListing(db, (await createUser(db, 'agent')).agentId);
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const as = (actor: Actor) => ({
    ...testContext(db, { actor, config }),
    files,
    malware: noScanner,
    content,
  });
  const publish = () => publishContent(as({ kind: 'system', name: 'jobs' }));
  async function upload(text: string, name = 'Plat') {
    const file = { name: 'plat.pdf', bytes: Buffer.concat([pdfFile, Buffer.from(text + randomUUID())]) };
    const form = { propertyId, type: 'Other', name, visibility: 'public', confirmedPublic: true, file };
    const result = await uploadDocument(as(admin), form);
    if (!result.ok) throw new Error('It was not stored');
    return result.id;
  }
  const row = (id: string) =>
    db
      .q()
      .selectFrom('document_registry')
      .select(['visibility', 'cid', 'salt', 'sha256', 'anchor_hash'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();

  it('does so with all its versions, which are published no longer, and leaves the others', async () => {
    const versions = [await upload('1'), await upload('2')];
    const other = await upload('3', 'Brochure');
    await publish();
    expect(await makePrivate(as(admin), { propertyId, documentId: versions[1] ?? '' })).toEqual({
      name: 'Plat.pdf',
      versions: 2,
    });
    await publish();
    for (const id of versions) {
      const { visibility, cid } = await row(id);
      expect(visibility).toBe('private');
      expect(await content.has(cid ?? '')).toBe(false);
      await expect(publishedContent(as({ kind: 'visitor' }), cid ?? '')).rejects.toThrow();
    }
    expect(await content.has((await row(other)).cid ?? '')).toBe(true);
    const { documents } = await propertyDocuments(as(admin), { propertyId });
    expect(documents.map(({ name, cid }) => [name, cid === null]).sort()).toEqual([
      ['Brochure.pdf', false],
      ['Plat.pdf', true],
    ]);
    // Once more, nothing changes.
    expect(await makePrivate(as(admin), { propertyId, documentId: versions[0] ?? '' })).toMatchObject({
      versions: 0,
    });
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'document.make-private')
      .where('entity_id', '=', propertyId)
      .execute();
    expect(audited).toEqual([
      {
        before: { visibility: 'public' },
        after: { visibility: 'private', documents: versions.toSorted() },
      },
    ]);
  });

  it.skipIf(kind === 'embedded')('waits for transactions of its versions to be signed', async () => {
    const versions = [await upload('1'), await upload('2')];
    await publish();
    // The last that it would hold first, as a batch may that goes by their ids.
    const held = await db
      .q()
      .selectFrom('document_registry')
      .select('id')
      .where('id', 'in', versions)
      .orderBy('cid', 'desc')
      .execute();
    const [last = '', first = ''] = held.map(({ id }) => id);
    const hold = (id: string) => holdDocumentsAndTokens({ db }, { documents: [id], tokens: [] });
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const signing = db.tx(async () => {
      await hold(last);
      begun.resolve();
      await goOn.promise;
      await hold(first);
    });
    await begun.promise;
    const made = makePrivate(as(admin), { propertyId, documentId: first });
    await untilItWaits(db, made);
    goOn.resolve();
    await signing;
    expect(await made).toMatchObject({ versions: 2 });
  });

  it('is salted unless its hash was asked to be anchored', async () => {
    const anchored = await upload('1', 'Anchored');
    await queueAnchor(as(admin), anchored);
    const plain = await upload('2');
    for (const documentId of [anchored, plain]) await makePrivate(as(admin), { propertyId, documentId });
    const before = await row(anchored);
    expect(before).toMatchObject({ salt: null, anchor_hash: before.sha256 });
    const { salt, sha256, anchor_hash } = await row(plain);
    expect(anchor_hash).toBe(
      createHash('sha256')
        .update(Buffer.from(salt + sha256, 'hex'))
        .digest('hex'),
    );
  });

  it('keeps the hash that the metadata of a token names, so that it is anchored with the same later', async () => {
    const [minted, waiting] = [await upload('1', 'Minted'), await upload('2', 'Waiting')];
    for (const documentId of [minted, waiting])
      await queueMint(as(admin), { documentId, kind: 'property', recipient: null });
    const { anchor_hash } = await row(minted);
    await db
      .q()
      .updateTable('completion_nfts')
      .set({ token_metadata: JSON.stringify({ document: { sha256: anchor_hash } }), metadata_cid: 'bafk' })
      .where('document_id', '=', minted)
      .execute();
    for (const documentId of [minted, waiting]) await makePrivate(as(admin), { propertyId, documentId });
    expect(await row(minted)).toMatchObject({ visibility: 'private', salt: null, anchor_hash });
    expect((await row(waiting)).salt).not.toBeNull();
  });

  // The embedded database has one connection, so that nothing there waits for another transaction.
  it.skipIf(kind === 'embedded')('keeps the hash that is being registered at the same moment', async () => {
    const documentId = await upload('1');
    const registering = holdStatement(db, /update "document_registry"/);
    const registered = registerOnChain({ ...as(admin), db: registering.db }, { propertyId, documentId });
    await registering.reached;
    const made = makePrivate(as(admin), { propertyId, documentId });
    await untilItWaits(db, made);
    registering.letGo();
    expect([await registered, await made]).toMatchObject([{ ok: true }, { versions: 1 }]);
    const { anchor_hash } = await db
      .q()
      .selectFrom('document_anchors')
      .select('anchor_hash')
      .where('document_id', '=', documentId)
      .executeTakeFirstOrThrow();
    expect(await row(documentId)).toMatchObject({ visibility: 'private', anchor_hash });
  });

  it('is one of the property on whose page it was asked for', async () => {
    const documentId = await upload('1');
    const elsewhere = await createListing(db, (await createUser(db, 'agent')).agentId);
    await expect(makePrivate(as(admin), { propertyId: elsewhere, documentId })).rejects.toThrow(
      'Document not found',
    );
    expect((await row(documentId)).visibility).toBe('public');
  });
});
