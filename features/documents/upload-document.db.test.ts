import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createFolderStore } from '#gateways/files/folder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Database } from '#platform/db/database.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { type UploadForm, uploadDocument } from './commands/upload-document.ts';
import { latestDocument } from './reads.ts';
import { uploadRefusals } from './rules.ts';

const fileOf = (text: string) => Buffer.concat([pdfFile, Buffer.from(text)]);

await describeOnDatabase('a document that an administrator uploads', (open, kind) => {
  let db: Database;
  let propertyId: string;
  let ctx: CtxWith<'files' | 'malware'>;
  const folder = mkdtempSync(join(tmpdir(), 'acre-upload-document-'));
  const files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    propertyId = await createListing(db, (await createUser(db, 'agent')).agentId);
    ctx = { ...testContext(db, { actor: await createUser(db, 'admin') }), files, malware: noScanner };
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const form = (changes: Partial<UploadForm> = {}): UploadForm => ({
    propertyId,
    type: 'Deed',
    name: '',
    visibility: 'private',
    confirmedPublic: false,
    file: { name: 'Recorded deed.pdf', bytes: fileOf('1') },
    ...changes,
  });

  // The embedded database has one connection, so that nothing there waits for another transaction.
  it.skipIf(kind === 'embedded')('is added once when the same form is sent twice at once', async () => {
    const first = holdStatement(db, /insert into "document_registry"/);
    const added = uploadDocument({ ...ctx, db: first.db }, form());
    await first.reached;
    const again = uploadDocument(ctx, form());
    await untilItWaits(db, again);
    first.letGo();
    expect(await added).toMatchObject({ ok: true, version: 1 });
    expect(await again).toEqual({
      ok: false,
      errors: { file: uploadRefusals.known('Recorded deed.pdf') },
    });
  });

  it('goes back to an earlier survey when that is uploaded again under its name', async () => {
    const upload = (name: string, text: string) =>
      uploadDocument(ctx, form({ type: 'Survey', file: { name, bytes: fileOf(text) } }));
    await upload('Plat.pdf', '1');
    await upload('Replat.pdf', '2');
    expect(await upload('Replat.pdf', '2')).toMatchObject({ ok: false });
    expect(await upload('Plat.pdf', '1')).toMatchObject({ ok: true, version: 3 });
    expect(await latestDocument(ctx, { propertyId, type: 'Survey' })).toMatchObject({ name: 'Plat.pdf' });
  });
});
