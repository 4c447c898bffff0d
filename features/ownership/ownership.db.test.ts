import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { scanHeldDocuments } from '#features/documents/commands/scan-held-documents.ts';
import { documentLink } from '#features/documents/reads.ts';
import { listingDetail, ownListings } from '#features/listings/reads.ts';
import { notificationList } from '#features/notifications/reads.ts';
import { exportOwnData } from '#features/personal-data/reads.ts';
import { followCauses } from '#features/tasks/commands/follow-causes.ts';
import { taskList } from '#features/tasks/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { clamAvScanner } from '#gateways/malware/clamav.ts';
import { EICAR } from '#gateways/malware/contract.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Actor, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { NotFound, TooManyRequests } from '#platform/errors.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { type FakeClamd, startFakeClamd } from '#tests/support/files/fake-clamd.ts';
import { type TestClock, testClock, testContext } from '#tests/support/fixtures/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { type DecideProofInput, decideProof } from './commands/decide-proof.ts';
import { eraseOldProofs } from './commands/erase-old-proofs.ts';
import { type UploadProofInput, uploadProof } from './commands/upload-proof.ts';
import { ownOwnership, proofList, proofSubject, waitingProofs } from './reads.ts';
import { ownershipMessages } from './rules.ts';

await describeOnEachDatabase('proofs of ownership', (open) => {
  let db: Database;
  let clamd: FakeClamd;
  let files: FileStore;
  let clock: TestClock;
  let [ruth, omar, seller] = [] as unknown as [UserActor, UserActor, UserActor];
  let propertyId: string;
  const folder = mkdtempSync(join(tmpdir(), 'acre-ownership-'));

  type ProofCtx = CtxWith<'files' | 'malware'>;
  const as = (actor: Actor): ProofCtx => ({
    ...testContext(db, { actor, now: clock.now }),
    files,
    malware: clamAvScanner(clamd.url),
  });
  const system = () => as({ kind: 'system', name: 'jobs' });

  beforeAll(async () => {
    db = await open();
    clamd = await startFakeClamd();
    files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
  });
  beforeEach(async () => {
    clock = testClock();
    clamd.behave('scanning');
    await db.q().deleteFrom('ownership_proofs').execute();
    [ruth, omar, seller] = [
      await createUser(db, 'admin'),
      await createUser(db, 'admin'),
      await createUser(db, 'agent'),
    ];
    await db.q().updateTable('users').set({ name: 'Ruth Amsel' }).where('id', '=', ruth.id).execute();
    propertyId = await createListing(db, seller.agentId);
  });
  afterAll(async () => {
    await clamd.close();
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const upload = (changes: Partial<UploadProofInput> = {}, actor = seller) =>
    uploadProof(as(actor), {
      propertyId,
      file: { name: 'Deed.pdf', bytes: pdfFile },
      ownerName: 'Ada Fenwick',
      parcelNumber: '02-114-0077',
      note: '',
      ...changes,
    });
  async function uploaded(changes: Partial<UploadProofInput> = {}): Promise<string> {
    const result = await upload(changes);
    if (!result.ok) throw new Error(JSON.stringify(result));
    return result.proofId;
  }
  const decide = async (proofId: string, changes: Partial<DecideProofInput> = {}, actor = ruth) =>
    decideProof(as(actor), {
      proofId,
      decision: 'verify',
      version: (await proofSubject(as(actor), { proofId })).version,
      ...changes,
    });
  const state = async () => (await ownOwnership(as(seller), { propertyId })).proof;
  const shownSince = async () => {
    const found = await listingDetail(testContext(db), propertyId);
    return found.ok ? found.listing.ownershipVerifiedAt : 'no page';
  };
  const change = (columns: { address?: string; city?: string; state?: string; zip?: string }) =>
    db.q().updateTable('properties').set(columns).where('id', '=', propertyId).execute();
  const actions = async () => {
    const rows = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'after'])
      .where('entity', '=', 'property')
      .where('entity_id', '=', propertyId)
      .where('action', 'like', 'ownership.%')
      .orderBy('id')
      .execute();
    return rows;
  };
  const storedFiles = async () => (await files.list('documents/')).keys.length;
  const mails = async () => {
    const rows = await db
      .q()
      .selectFrom('mail_outbox')
      .select(['subject', 'text_body'])
      .where('to_address', '=', seller.email)
      .execute();
    return rows;
  };

  it('are uploaded, compared and verified, and the public page says so', async () => {
    const proofId = await uploaded({ note: 'The name before my marriage.' });
    expect(await state()).toMatchObject({
      status: 'waiting',
      ownerName: 'Ada Fenwick',
      address: '48 Larkspur Lane, Cedar Hollow, OR 97031',
      document: { name: 'Deed.pdf', scan: 'clean' },
    });
    const document = await db
      .q()
      .selectFrom('document_registry')
      .select(['document_type', 'shown_to', 'agent_id', 'visibility', 'salt'])
      .where('property_id', '=', propertyId)
      .executeTakeFirstOrThrow();
    expect(document).toMatchObject({
      document_type: 'Proof of ownership',
      shown_to: 'seller',
      agent_id: seller.agentId,
      visibility: 'private',
      salt: expect.any(String),
    });
    const subject = await proofSubject(as(ruth), { propertyId });
    expect(subject).toMatchObject({
      proof: { id: proofId, ownerName: 'Ada Fenwick', parcelNumber: '02-114-0077' },
      listing: { address: '48 Larkspur Lane, Cedar Hollow, OR 97031', hasPublicPage: true },
      seller: { email: seller.email },
      outcome: null,
    });
    expect(await documentLink(as(ruth), subject.proof.document?.id ?? '')).toContain('/files/documents/');
    expect(await shownSince()).toBeNull();
    clock.advance(HOUR);
    expect(await decide(proofId)).toEqual({ ok: true });
    const at = clock.now().toISOString();
    expect(await shownSince()).toBe(at);
    expect((await ownListings(as(seller))).rows).toMatchObject([{ ownership: 'verified' }]);
    const message = 'The ownership of 48 Larkspur Lane is verified';
    expect(await mails()).toMatchObject([{ subject: message }]);
    expect((await notificationList(as(seller))).rows).toMatchObject([{ message, newValue: 'Verified', at }]);
    expect(await actions()).toMatchObject([
      { action: 'ownership.upload', actor_id: seller.id },
      { action: 'ownership.verify', actor_id: ruth.id },
    ]);
    expect(await upload()).toMatchObject({ ok: false, reason: 'verified' });
    let exported = '';
    for await (const part of exportOwnData(as(seller))) exported += part;
    expect(JSON.parse(exported).ownershipProofs).toMatchObject([
      { owner: 'Ada Fenwick', document: 'Deed.pdf' },
    ]);
  });

  it('are refused with a reason, and uploaded again', async () => {
    const proofId = await uploaded();
    expect(await decide(proofId, { decision: 'refuse', reason: '  ' })).toMatchObject({ reason: 'invalid' });
    const tooLong = { decision: 'refuse', reason: 'x'.repeat(1001) } as const;
    await expect(decide(proofId, tooLong)).resolves.toMatchObject({ reason: 'invalid' });
    const reason = 'The deed names another parcel.';
    expect(await decide(proofId, { decision: 'refuse', reason })).toEqual({ ok: true });
    expect(await state()).toMatchObject({ status: 'refused', reason });
    expect(await shownSince()).toBeNull();
    const [mail] = await mails();
    expect(mail?.subject).toBe('The proof of ownership for 48 Larkspur Lane was refused');
    expect(mail?.text_body).toContain(reason);
    expect((await notificationList(as(seller))).rows[0]?.message).toContain(reason);
    clock.advance(MINUTE);
    await uploaded();
    expect(await state()).toMatchObject({ status: 'waiting', reason: null });
    expect((await proofList(as(ruth), { tab: 'decided', page: 1 })).rows).toMatchObject([{ id: proofId }]);
  });

  it('are decided once: a second administrator learns who was faster', async () => {
    const proofId = await uploaded();
    const { version } = await proofSubject(as(omar), { proofId });
    const results = await Promise.all([
      decide(proofId, { version }),
      decide(proofId, { version, decision: 'refuse', reason: 'Too blurred to read.' }, omar),
    ]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const refusal = results.find(({ ok }) => !ok);
    expect(refusal).toMatchObject({ reason: 'not_waiting', why: expect.stringMatching(/has already/) });
    expect((await actions()).filter(({ action }) => action !== 'ownership.upload')).toHaveLength(1);
    expect(await mails()).toHaveLength(1);
    expect(await decide(proofId, { version })).toMatchObject({ reason: 'not_waiting' });
  });

  it('are not decided about an address that no one has compared', async () => {
    const proofId = await uploaded();
    const { version } = await proofSubject(as(ruth), { proofId });
    await change({ zip: '97032' });
    expect(await state()).toMatchObject({ status: 'waiting' });
    expect(await decide(proofId, { version })).toEqual({
      ok: false,
      reason: 'changed',
      why: ownershipMessages.changed,
    });
    expect(await decide(proofId)).toEqual({ ok: true });
    expect(await state()).toMatchObject({ address: '48 Larkspur Lane, Cedar Hollow, OR 97032' });
  });

  it.each([
    ['address', { address: '50 Larkspur Lane' }],
    ['city', { city: 'Hood River' }],
    ['state', { state: 'WA' }],
    ['zip', { zip: '97058' }],
  ])('a verified one is withdrawn when the %s changes, whoever writes it', async (_, columns) => {
    await decide(await uploaded());
    expect(await shownSince()).not.toBeNull();
    await change(columns);
    expect(await shownSince()).toBeNull();
    expect(await state()).toMatchObject({ status: 'withdrawn', withdrawnFor: 'address' });
    expect((await actions()).at(-1)).toMatchObject({ action: 'ownership.withdraw' });
    expect((await notificationList(as(seller))).rows).toContainEqual(
      expect.objectContaining({
        message: 'The ownership of 48 Larkspur Lane is no longer verified',
        newValue: 'Withdrawn',
      }),
    );
  });

  it('other changes leave it as it is, and a change that is undone leaves everything', async () => {
    await decide(await uploaded());
    const since = await shownSince();
    await db
      .q()
      .updateTable('properties')
      .set({ price_cents: 1_00, description: 'New words', address: '48 Larkspur Lane' })
      .where('id', '=', propertyId)
      .execute();
    await db
      .tx(async () => {
        await change({ city: 'Elsewhere' });
        throw new Error('undone');
      })
      .catch(() => undefined);
    expect(await shownSince()).toBe(since);
  });

  it.each(['waiting', 'verified'])('one that is %s ends with another seller', async (status) => {
    const proofId = await uploaded();
    if (status === 'verified') await decide(proofId);
    const other = await createUser(db, 'agent');
    await db
      .q()
      .updateTable('properties')
      .set({ agent_id: String(other.agentId) })
      .where('id', '=', propertyId)
      .execute();
    expect(await shownSince()).toBeNull();
    expect((await proofSubject(as(ruth), { proofId })).proof.withdrawnFor).toBe('seller');
    expect((await ownOwnership(as(other), { propertyId })).proof).toBeNull();
    expect((await ownListings(as(other))).rows).toMatchObject([{ ownership: null }]);
    expect(await waitingProofs(as(ruth))).toEqual({ count: 0, more: false });
  });

  describe('uploads', () => {
    it('are refused beside the field, and nothing is stored', async () => {
      const before = await storedFiles();
      expect(await upload({ file: null, ownerName: ' ', parcelNumber: '', note: 'x'.repeat(1001) })).toEqual({
        ok: false,
        reason: 'invalid',
        errors: {
          document: ownershipMessages.noDocument,
          ownerName: expect.any(String),
          parcelNumber: expect.any(String),
          note: expect.any(String),
        },
      });
      await expect(upload({ file: null })).resolves.toMatchObject({ ok: false, reason: 'invalid' });
      const plain = { name: 'Deed.pdf', bytes: Buffer.from('plain') };
      expect(await upload({ file: plain })).toMatchObject({ errors: { document: expect.any(String) } });
      expect(await storedFiles()).toBe(before);
      await db.q().updateTable('properties').set({ status: 'Sold' }).where('id', '=', propertyId).execute();
      expect(await upload()).toMatchObject({ reason: 'sold' });
      const stranger = await createUser(db, 'agent');
      await expect(upload({}, stranger)).rejects.toThrow(NotFound);
    });

    it('replace one that waits, and the same one again is the same proof', async () => {
      const other = await uploaded({ propertyId: await createListing(db, seller.agentId) });
      const first = await uploaded();
      const before = await storedFiles();
      expect(await uploaded()).toBe(first);
      expect(await storedFiles()).toBe(before);
      clock.advance(MINUTE);
      const second = await uploaded({ parcelNumber: '02-114-0078' });
      expect(second).not.toBe(first);
      expect(await decide(first)).toMatchObject({ reason: 'not_waiting' });
      expect((await proofList(as(ruth), { tab: 'waiting', page: 1 })).rows.map(({ id }) => id)).toEqual([
        other,
        second,
      ]);
      const twice = await Promise.all([upload({ ownerName: 'One' }), upload({ ownerName: 'Two' })]);
      expect(twice.every(({ ok }) => ok)).toBe(true);
      expect(await waitingProofs(as(ruth))).toEqual({ count: 2, more: false });
    });

    it('are limited to ten an hour', async () => {
      for (let at = 0; at < 10; at += 1) await uploaded({ ownerName: `Owner ${at}` });
      await expect(upload()).rejects.toThrow(TooManyRequests);
      clock.advance(HOUR);
      await uploaded();
    });
  });

  describe('a document that the virus scanner holds', () => {
    it('can be refused but not verified, until it is released', async () => {
      clamd.behave('closing');
      const proofId = await uploaded();
      expect((await proofList(as(ruth), { tab: 'waiting', page: 1 })).rows).toMatchObject([{ held: true }]);
      expect(await decide(proofId)).toEqual({ ok: false, reason: 'held', why: ownershipMessages.held });
      clamd.behave('scanning');
      await scanHeldDocuments(system(), { removed: async () => {}, released: async () => {} });
      expect(await decide(proofId)).toEqual({ ok: true });
    });

    it('ends the proof when it contains malware', async () => {
      clamd.behave('closing');
      const proofId = await uploaded({ file: { name: 'Deed.pdf', bytes: Buffer.concat([pdfFile, EICAR]) } });
      clamd.behave('scanning');
      await scanHeldDocuments(system(), { removed: async () => {}, released: async () => {} });
      expect(await state()).toMatchObject({ status: 'withdrawn', withdrawnFor: 'malware', document: null });
      expect(await decide(proofId)).toMatchObject({ reason: 'not_waiting' });
    });
  });

  it('open a task while they wait', async () => {
    await db.q().deleteFrom('admin_tasks').execute();
    const tasks = async () => {
      await followCauses(system());
      const { tasks } = await taskList(as(ruth), { state: 'open', page: 1, kind: 'ownership_waiting' });
      return tasks.map(({ subject, detail, subjectId }) => ({ subject, detail, subjectId }));
    };
    const proofId = await uploaded();
    expect(await tasks()).toEqual([
      { subject: '48 Larkspur Lane', detail: `Uploaded by ${seller.name}.`, subjectId: propertyId },
    ]);
    const found = await taskList(as(ruth), { state: 'open', page: 1, q: 'larkspur' });
    expect(found.tasks.map(({ kind }) => kind)).toContain('ownership_waiting');
    await decide(proofId);
    expect(await tasks()).toEqual([]);
  });

  describe('that are no longer needed', () => {
    it('are erased after 90 days, with their file', async () => {
      const proofId = await uploaded({ note: 'A secret of the family.' });
      const { proof } = await proofSubject(as(ruth), { proofId });
      const documentId = proof.document?.id ?? '';
      await decide(proofId, { decision: 'refuse', reason: 'Not a deed.' });
      const before = await storedFiles();
      clock.advance(89 * DAY);
      expect(await eraseOldProofs(system())).toBe(0);
      clock.advance(2 * DAY);
      expect(await eraseOldProofs(system())).toBe(1);
      expect(await eraseOldProofs(system())).toBe(0);
      expect(await storedFiles()).toBe(before - 1);
      expect(await state()).toMatchObject({ erased: true, ownerName: null, parcelNumber: null, note: '' });
      await expect(documentLink(as(ruth), documentId)).rejects.toThrow(NotFound);
      const row = await db
        .q()
        .selectFrom('document_registry')
        .select(['document_name', 'sha256'])
        .where('id', '=', documentId)
        .executeTakeFirstOrThrow();
      expect(row).toEqual({
        document_name: `Erased document ${documentId}`,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      expect((await actions()).at(-1)?.action).toBe('ownership.erase');
    });

    it('are not those that hold or wait', async () => {
      await decide(await uploaded());
      clock.advance(900 * DAY);
      expect(await eraseOldProofs(system())).toBe(0);
      expect(await state()).toMatchObject({ status: 'verified', erased: false });
    });
  });
});
