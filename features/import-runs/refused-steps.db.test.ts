import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { UploadTooLarge } from '#gateways/files/uploads.ts';
import { type Actor, type UserActor, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { Forbidden, TooManyRequests, Unauthenticated } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import {
  createImport,
  importScene,
  listingsCsv,
  uploadFile,
  worker,
} from '#tests/support/fixtures/imports.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { checkImport } from './commands/check-import.ts';
import { startImport } from './commands/start-import.ts';
import { uploadImport } from './commands/upload-import.ts';
import { workImport } from './commands/work-import.ts';
import type { ImportStatus } from './model.ts';
import { importDetails, importHistory } from './reads.ts';
import { importMessages, refusalTexts } from './rules.ts';

await describeOnDatabase('a step of an import', (open) => {
  let db: Database;
  let seller: UserActor;
  let scene: ReturnType<typeof importScene>;
  beforeAll(async () => {
    db = await open();
    seller = await createUser(db, 'agent');
    scene = importScene(db);
  });
  afterAll(async () => {
    await db.close();
    rmSync(scene.folder, { recursive: true, force: true });
  });

  it('is not begun without its file, nor for a seller who may not sell, nor again once it is done', async () => {
    const uploaded = await uploadFile(scene.as(seller), 'homes.csv', listingsCsv([{}, {}]));
    if (!uploaded.ok) throw new Error(uploaded.text);
    const { importId } = uploaded;
    const { columns } = await importDetails(scene.as(seller), { importId });
    const check = () =>
      checkImport(scene.as(seller), {
        importId,
        agentId: null,
        firstStatus: 'Active',
        activateTypes: false,
        sameHome: 'ask',
        choices: Object.fromEntries(columns.map(({ field, choice }) => [field, choice || null])),
        types: {},
      });
    const work = () => workImport(scene.as(worker), { importId });
    expect(await check()).toEqual({ ok: true });
    await work();
    const admin = await createUser(db, 'admin');
    const start = () => startImport(scene.as(admin), { importId });
    const changeSeller = (change: { archived_at?: Date | null; status?: 'active' | 'suspended' }) =>
      db.q().updateTable('agents').set(change).where('id', '=', String(seller.agentId)).execute();
    const changeParts = (file_parts: number) =>
      db.q().updateTable('listing_imports').set({ file_parts }).where('id', '=', importId).execute();
    await changeParts(0);
    expect(await start()).toEqual({ ok: false, reason: 'state', text: importMessages.fileGone });
    await changeParts(1);
    await changeSeller({ archived_at: new Date() });
    expect(await start()).toEqual({ ok: false, reason: 'seller', text: importMessages.archivedSeller });
    await changeSeller({ archived_at: null, status: 'suspended' });
    expect(await start()).toEqual({ ok: false, reason: 'seller', text: importMessages.suspendedSeller });
    await changeSeller({ status: 'active' });
    expect(await start()).toEqual({ ok: true });
    await work();
    expect(await check()).toEqual({ ok: false, reason: 'state', text: refusalTexts.state });
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_id'])
      .where('entity_id', '=', importId)
      .orderBy('id')
      .execute();
    expect(audited).toEqual([
      { action: 'import.upload', actor_id: seller.id },
      { action: 'import.check', actor_id: seller.id },
      { action: 'import.checked', actor_id: null },
      { action: 'import.start', actor_id: admin.id },
      { action: 'import.done', actor_id: null },
    ]);
  });

  it('is refused in words when there is no file, or one that is too large', async () => {
    const send = (receive: () => Promise<null>) => uploadImport(scene.as(seller), { area: 'agent', receive });
    await expect(send(async () => null)).resolves.toEqual({ ok: false, text: importMessages.noFile });
    const tooLarge = send(async () => {
      throw new UploadTooLarge('Too large');
    });
    await expect(tooLarge).resolves.toEqual({ ok: false, text: importMessages.tooLarge });
  });

  const checkAs = (actor: Actor, importId: string) =>
    checkImport(scene.as(actor), {
      importId,
      agentId: null,
      firstStatus: 'pending',
      activateTypes: false,
      sameHome: 'ask',
      choices: { source_id: '#1', price: '#2', address: '#3', property_type: '#4' },
      types: {},
    });
  const importOf = ({ agentId, id }: UserActor, status: ImportStatus) =>
    createImport(db, { status, agentId, madeBy: id });

  it('is open to its seller, who sees it in the history', async () => {
    const [uploaded, checked] = [await importOf(seller, 'uploaded'), await importOf(seller, 'checked')];
    await expect(checkAs(seller, uploaded)).resolves.toEqual({ ok: true });
    await expect(startImport(scene.as(seller), { importId: checked })).resolves.toEqual({ ok: true });
    const history = importHistory(scene.as(seller), { page: 1 }).then(({ entries }) =>
      entries.map(({ id }) => id),
    );
    await expect(history).resolves.toEqual(expect.arrayContaining([uploaded, checked]));
  });

  it('is closed to visitors, buyers and suspended sellers, who import nothing of their own either', async () => {
    const suspended = { ...(await createUser(db, 'agent')), suspended: true };
    const [uploaded, checked] = [await importOf(suspended, 'uploaded'), await importOf(suspended, 'checked')];
    for (const [actor, refusal] of [
      [visitor, Unauthenticated],
      [await createUser(db, 'buyer'), Forbidden],
      [suspended, Forbidden],
    ] as const) {
      const sent = uploadFile(scene.as(actor), 'homes.csv', listingsCsv([{}]));
      await expect(sent).rejects.toBeInstanceOf(refusal);
      await expect(checkAs(actor, uploaded)).rejects.toBeInstanceOf(refusal);
      await expect(startImport(scene.as(actor), { importId: checked })).rejects.toBeInstanceOf(refusal);
    }
    const buyer = scene.as(await createUser(db, 'buyer'));
    await expect(importDetails(buyer, { importId: checked })).rejects.toBeInstanceOf(Forbidden);
  });

  it('is worked on by jobs alone, also for its own seller', async () => {
    const importId = await importOf(seller, 'checking');
    await expect(workImport(scene.as(seller), { importId })).rejects.toBeInstanceOf(Forbidden);
  });

  it('is begun twenty times an hour', async () => {
    const hasty = scene.as(await createUser(db, 'agent'), { config: testConfig });
    const send = () => uploadImport(hasty, { area: 'agent', receive: async () => null });
    for (let count = 0; count < 20; count += 1) await send();
    await expect(send()).rejects.toBeInstanceOf(TooManyRequests);
  });
});
