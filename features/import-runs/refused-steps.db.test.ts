import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { UploadTooLarge } from '#gateways/files/uploads.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { importScene, listingsCsv, uploadFile, worker } from '#tests/support/fixtures/imports.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { checkImport } from './commands/check-import.ts';
import { startImport } from './commands/start-import.ts';
import { uploadImport } from './commands/upload-import.ts';
import { workImport } from './commands/work-import.ts';
import { importDetails } from './reads.ts';
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
      .select('action')
      .where('entity_id', '=', importId)
      .orderBy('id')
      .execute();
    expect(audited.at(-1)).toEqual({ action: 'import.done' });
  });

  it('is refused in words when there is no file, or one that is too large', async () => {
    const send = (receive: () => Promise<null>) => uploadImport(scene.as(seller), { area: 'agent', receive });
    await expect(send(async () => null)).resolves.toEqual({ ok: false, text: importMessages.noFile });
    const tooLarge = send(async () => {
      throw new UploadTooLarge('Too large');
    });
    await expect(tooLarge).resolves.toEqual({ ok: false, text: importMessages.tooLarge });
  });
});
