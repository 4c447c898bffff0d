import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scanHeldDocuments } from '#features/documents/commands/scan-held-documents.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { type FileStore, FileStoreError } from '#gateways/files/port.ts';
import { clamAvScanner } from '#gateways/malware/clamav.ts';
import { EICAR } from '#gateways/malware/contract.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Actor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { type FakeClamd, startFakeClamd } from '#tests/support/files/fake-clamd.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { eraseOldProofs } from './commands/erase-old-proofs.ts';
import { uploadProof } from './commands/upload-proof.ts';

await describeOnEachDatabase('old proofs of ownership', (open) => {
  let db: Database;
  let clamd: FakeClamd;
  let files: FileStore;
  const clock = testClock();
  const folder = mkdtempSync(join(tmpdir(), 'acre-old-proofs-'));
  const as = (actor: Actor): CtxWith<'files' | 'malware'> => ({
    ...testContext(db, { actor, now: clock.now }),
    files,
    malware: clamAvScanner(clamd.url),
  });
  const system = () => as({ kind: 'system', name: 'jobs' });

  beforeAll(async () => {
    db = await open();
    clamd = await startFakeClamd();
    clamd.behave('scanning');
    files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
  });
  afterAll(async () => {
    await clamd.close();
    await db.close();
    rmSync(folder, { recursive: true });
  });

  /** A proof that was refused; returns the key of its file. */
  async function refused(): Promise<string> {
    const seller = await createUser(db, 'agent');
    const result = await uploadProof(as(seller), {
      propertyId: await createListing(db, seller.agentId),
      file: { name: 'Deed.pdf', bytes: pdfFile },
      ownerName: 'Ada Fenwick',
      parcelNumber: '02-114-0077',
      note: '',
    });
    if (!result.ok) throw new Error(JSON.stringify(result));
    const proof = await db
      .q()
      .updateTable('ownership_proofs')
      .set({ status: 'refused', decided_at: clock.now(), reason: 'Not a deed.' })
      .where('id', '=', result.proofId)
      .returning('document_id')
      .executeTakeFirstOrThrow();
    const { file_key } = await db
      .q()
      .selectFrom('document_registry')
      .select('file_key')
      .where('id', '=', proof.document_id ?? '')
      .executeTakeFirstOrThrow();
    clock.advance(1);
    return file_key;
  }

  it('are erased also when the store does not delete the file of an older one', async () => {
    const [stuck, other] = [await refused(), await refused()];
    clock.advance(91 * DAY);
    const broken: FileStore = {
      ...files,
      delete: (key) =>
        key === stuck
          ? Promise.reject(new FileStoreError('refused', 'It may not be deleted'))
          : files.delete(key),
    };
    await expect(eraseOldProofs({ ...system(), files: broken })).rejects.toThrow('1 old proof could');
    expect([await files.head(stuck), await files.head(other)]).toEqual([expect.anything(), null]);
    expect(await eraseOldProofs(system())).toBe(1);
    expect(await files.head(stuck)).toBeNull();
  });

  it('are nowhere in the audit log by the names of their files, also when one contains malware', async () => {
    const seller = await createUser(db, 'agent');
    clamd.behave('closing');
    const uploaded = await uploadProof(as(seller), {
      propertyId: await createListing(db, seller.agentId),
      file: { name: 'Ada Fenwick, divorce.pdf', bytes: Buffer.concat([pdfFile, EICAR]) },
      ownerName: 'Ada Fenwick',
      parcelNumber: '02-114-0077',
      note: '',
    });
    expect(uploaded).toMatchObject({ ok: true, held: true });
    clamd.behave('scanning');
    const none = async () => {};
    expect(await scanHeldDocuments(system(), { removed: none, released: none })).toBe(0);
    const audited = await db.q().selectFrom('audit_log').select(['action', 'before', 'after']).execute();
    expect(audited.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['document.register', 'ownership.upload', 'document.remove']),
    );
    expect(JSON.stringify(audited)).not.toMatch(/divorce|Deed\.pdf/);
  });
});
