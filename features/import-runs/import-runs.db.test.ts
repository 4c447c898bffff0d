import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import {
  crashingDatabase,
  createCrashInjector,
  SimulatedCrash,
} from '#tests/support/database/crash-injection.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { importScene, listingsCsv, uploadFile, worker } from '#tests/support/fixtures/imports.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { checkImport, type ImportChoices } from './commands/check-import.ts';
import { discardImport } from './commands/discard-import.ts';
import { startImport } from './commands/start-import.ts';
import { stopImport } from './commands/stop-import.ts';
import { sweepImports } from './commands/sweep-imports.ts';
import { undoImport } from './commands/undo-import.ts';
import { watchImports } from './commands/watch-imports.ts';
import { workImport } from './commands/work-import.ts';
import { leaseImport, releaseImport } from './lease.ts';
import { importDetails, importHistory, refusedRows, sparedRows } from './reads.ts';
import { importMessages, refusalTexts, sparedBecause } from './rules.ts';

await describeOnDatabase('imports in the browser', (open) => {
  let db: Database;
  let seller: UserActor;
  let admin: UserActor;
  let clock: ReturnType<typeof testClock>;
  let scene: ReturnType<typeof importScene>;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
    admin = await createUser(db, 'admin');
    clock = testClock();
    scene = importScene(db, clock.now);
  });
  afterAll(async () => {
    await db.close();
    rmSync(scene.folder, { recursive: true, force: true });
  });

  const own = (): ImportChoices => ({
    importId: '',
    agentId: null,
    firstStatus: 'Active',
    activateTypes: false,
    sameHome: 'ask',
    choices: {},
    types: {},
  });
  /** An upload, as it was recognized. */
  async function upload(content: string, actor = seller) {
    const result = await uploadFile(scene.as(actor), 'homes.csv', content);
    if (!result.ok) throw new Error(result.text);
    return result.importId;
  }
  async function choicesOf(importId: string, actor = seller) {
    const { columns } = await importDetails(scene.as(actor), { importId });
    return Object.fromEntries(columns.map(({ field, choice }) => [field, choice || null]));
  }
  async function check(importId: string, more: Partial<ImportChoices> = {}, actor = seller) {
    const choices = await choicesOf(importId, actor);
    const result = await checkImport(scene.as(actor), { ...own(), importId, choices, ...more });
    if (!result.ok) return result;
    await work(importId);
    return details(importId, actor);
  }
  const work = (importId: string) => workImport(scene.as(worker), { importId });
  const details = (importId: string, actor = seller) => importDetails(scene.as(actor), { importId });
  /** Checks and runs a file. */
  async function imported(content: string, more: Partial<ImportChoices> = {}, actor = seller) {
    const importId = await upload(content, actor);
    await check(importId, more, actor);
    clock.advance(MINUTE);
    expect(await startImport(scene.as(actor), { importId })).toEqual({ ok: true });
    await work(importId);
    clock.advance(MINUTE);
    return importId;
  }
  async function undone(importId: string, actor = seller) {
    expect(await undoImport(scene.as(actor), { importId })).toEqual({ ok: true });
    await work(importId);
    return details(importId, actor);
  }
  const audited = (importId: string, action: string) =>
    db
      .q()
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('entity_id', '=', importId)
      .where('action', '=', action)
      .execute();
  const listings = (agentId = seller.agentId) =>
    db.q().selectFrom('properties').selectAll().where('agent_id', '=', agentId).orderBy('address').execute();
  const rows = (count: number) => listingsCsv(Array.from({ length: count }, () => ({})));

  it('an upload is read, checked without writing, imported, and undone', async () => {
    const importId = await upload(`${listingsCsv([{}, { price: 'call us' }, {}])}`);
    expect(await details(importId)).toMatchObject({
      status: 'uploaded',
      fileName: 'homes.csv',
      rowsTotal: 3,
      firstStatus: 'pending',
      byAdmin: false,
      file: { format: 'csv', encoding: 'utf-8' },
    });
    expect(await check(importId)).toMatchObject({
      status: 'checked',
      check: { added: 2, changed: 0, unchanged: 0, refused: 1 },
      refusals: [{ column: 'price', count: 1, line: 3, detail: 'call us' }],
    });
    expect(await listings()).toEqual([]);
    expect(await startImport(scene.as(seller), { importId })).toEqual({ ok: true });
    await work(importId);
    const done = await details(importId);
    expect(done).toMatchObject({
      status: 'done',
      rowsDone: 3,
      counts: { added: 2, changed: 0, unchanged: 0, refused: 1 },
      places: { waiting: 0, done: 2, failed: 0 },
    });
    expect(await listings()).toMatchObject([
      { address: '1 Hill Road', status: 'pending', location_precision: 'zip' },
      { address: '3 Hill Road', status: 'pending' },
    ]);
    const refused = [];
    for await (const batch of (await refusedRows(scene.as(seller), { importId })).rows)
      refused.push(...batch);
    expect(refused).toMatchObject([{ line: 3, column: 'price', detail: 'call us' }]);
    clock.advance(HOUR);
    expect(await undone(importId)).toMatchObject({ status: 'undone', removed: 2, restored: 0, spared: 0 });
    expect((await listings()).every(({ deleted_at }) => deleted_at !== null)).toBe(true);
    expect((await importHistory(scene.as(seller), { page: 1 })).entries).toMatchObject([
      { id: importId, status: 'undone' },
    ]);
  });

  it('what cannot be read is refused in words, and nothing is kept', async () => {
    for (const [content, why] of [
      ['', /empty/],
      ['a,b\n', /no rows/],
      ['PK\u0003\u0004 a workbook', /./],
    ] as const) {
      const result = await uploadFile(scene.as(seller), 'homes.csv', content);
      expect(result).toMatchObject({ ok: false, text: expect.stringMatching(why) });
    }
    expect((await importHistory(scene.as(seller), { page: 1 })).entries).toEqual([]);
  });

  it('a missing column is said beside its field, and nothing is started', async () => {
    const importId = await upload('street,what\n1 Hill Road,House\n');
    const refused = await checkImport(scene.as(seller), {
      ...own(),
      importId,
      choices: { address: '#1', property_type: '#2' },
    });
    expect(refused).toMatchObject({
      ok: false,
      reason: 'invalid',
      errors: { 'map.price': 'Choose the column with the price.' },
    });
    expect((await details(importId)).status).toBe('uploaded');
  });

  it('a seller’s listings wait for approval whatever the form says; an administrator chooses seller and status', async () => {
    await imported(rows(1), { firstStatus: 'Active', agentId: admin.id });
    expect(await listings()).toMatchObject([{ status: 'pending' }]);
    const other = await createUser(db, 'agent');
    const importId = await upload(rows(1), admin);
    expect(await check(importId, {}, admin)).toMatchObject({ errors: { seller: importMessages.noSeller } });
    await check(importId, { agentId: other.agentId, firstStatus: 'Active' }, admin);
    await startImport(scene.as(admin), { importId });
    await work(importId);
    expect(await listings(other.agentId)).toMatchObject([{ status: 'Active' }]);
    const suspended = await createUser(db, 'agent');
    await db
      .q()
      .updateTable('agents')
      .set({ status: 'suspended' })
      .where('id', '=', suspended.agentId)
      .execute();
    expect(await check(await upload(rows(1), admin), { agentId: suspended.agentId }, admin)).toMatchObject({
      errors: { seller: importMessages.suspendedSeller },
    });
  });

  it('pressed twice it is started once, and each step only when its time has come', async () => {
    const importId = await upload(rows(3));
    expect(await startImport(scene.as(seller), { importId })).toMatchObject({ text: refusalTexts.state });
    expect(await undoImport(scene.as(seller), { importId })).toMatchObject({ text: refusalTexts.state });
    await check(importId);
    const start = () => startImport(scene.as(seller), { importId });
    expect(await Promise.all([start(), start()])).toEqual([{ ok: true }, { ok: true }]);
    await Promise.all([work(importId), work(importId)]);
    expect(await start()).toMatchObject({ ok: false, text: refusalTexts.state });
    expect(await listings()).toHaveLength(3);
    expect(await details(importId)).toMatchObject({ status: 'done', counts: { added: 3 } });
    expect(await discardImport(scene.as(seller), { importId })).toMatchObject({ ok: false });
    expect(await audited(importId, 'import.start')).toHaveLength(1);
    expect(await stopImport(scene.as(seller), { importId })).toMatchObject({ text: refusalTexts.state });
    expect(await details(importId)).toMatchObject({ status: 'done', problem: null });
    expect(await audited(importId, 'import.stop')).toEqual([]);
  });

  it('continues where a process died, without doing anything twice', async () => {
    const importId = await upload(rows(900));
    await check(importId);
    await startImport(scene.as(seller), { importId });
    const injector = createCrashInjector(null);
    // The process dies after its second batch was written.
    let batches = 0;
    const dying = crashingDatabase(db, {
      ...injector,
      step(what) {
        if (batches >= 2) throw new SimulatedCrash(what);
        if (/after commit/i.test(what)) batches += 1;
      },
      crashed: () => batches >= 2,
    });
    await workImport({ ...scene.as(worker), db: dying }, { importId }).catch(() => undefined);
    const left = await details(importId);
    expect(left.status).toBe('running');
    expect(left.rowsDone).toBeGreaterThan(0);
    expect(left.rowsDone).toBeLessThan(900);
    expect(await listings()).toHaveLength(left.rowsDone);
    await expectLeased(importId);
    clock.advance(2 * MINUTE);
    expect(await watchImports(scene.as(worker))).toBeGreaterThan(0);
    await work(importId);
    expect(await details(importId)).toMatchObject({
      status: 'done',
      rowsDone: 900,
      counts: { added: 900, changed: 0, unchanged: 0, refused: 0 },
    });
    expect(await listings()).toHaveLength(900);
  });

  /** Until the lease of the dead process is over, no other one works on the import. */
  async function expectLeased(importId: string) {
    const { rowsDone } = await details(importId);
    await work(importId);
    expect((await details(importId)).rowsDone).toBe(rowsDone);
  }

  it('works on one import of a seller at a time', async () => {
    const first = await upload(rows(2));
    const second = await upload(listingsCsv([{ source_id: 'x', address: '77 Lake Road' }]));
    await check(first);
    await check(second);
    await startImport(scene.as(seller), { importId: first });
    await startImport(scene.as(seller), { importId: second });
    const leased = await leaseImport(scene.as(worker), first);
    if (!leased) throw new Error('The first import is not free');
    await work(second);
    expect(await details(second)).toMatchObject({ status: 'running', rowsDone: 0, waits: true });
    await releaseImport(scene.as(worker), leased);
    await work(second);
    expect(await details(second)).toMatchObject({ status: 'done', waits: false });
    await work(first);
    expect(await details(first)).toMatchObject({ status: 'done', counts: { added: 2 } });
  });

  it('is stopped between two batches and continued', async () => {
    const importId = await upload(rows(300));
    await check(importId);
    await startImport(scene.as(seller), { importId });
    const leased = await leaseImport(scene.as(worker), importId);
    expect(await stopImport(scene.as(seller), { importId })).toEqual({ ok: true });
    if (leased) await releaseImport(scene.as(worker), leased);
    await work(importId);
    expect(await details(importId)).toMatchObject({ status: 'stopped', problem: importMessages.stopped });
    expect(await listings()).toEqual([]);
    expect(await startImport(scene.as(seller), { importId })).toEqual({ ok: true });
    await work(importId);
    expect(await details(importId)).toMatchObject({ status: 'done', counts: { added: 300 } });
  });

  it('undoing restores what was changed, and spares and names what someone has touched since', async () => {
    await imported(rows(6));
    const before = await listings();
    const second = await imported(
      listingsCsv([
        { price: '500000' },
        { price: '500001' },
        { price: '500002' },
        { price: '500003' },
        {},
        {},
        {},
        {},
        {},
      ]),
    );
    expect((await details(second)).counts).toEqual({ added: 3, changed: 4, unchanged: 2, refused: 0 });
    const byAddress = new Map((await listings()).map((row) => [row.address, row.id]));
    const id = (address: string) => byAddress.get(address) ?? '';
    clock.advance(HOUR);
    await db
      .q()
      .updateTable('properties')
      .set({ title: 'By hand' })
      .where('id', '=', id('1 Hill Road'))
      .execute();
    await db
      .q()
      .updateTable('properties')
      .set({ status: 'Active' })
      .where('id', '=', id('7 Hill Road'))
      .execute();
    const buyer = await createUser(db, 'buyer');
    await db
      .q()
      .insertInto('property_inquiries')
      .values({
        property_id: id('8 Hill Road'),
        user_id: buyer.id,
        message: 'Is it still there?',
        created_at: clock.now(),
        last_message_at: clock.now(),
      })
      .execute();
    const { sparedListings, ...after } = await undone(second);
    expect(after).toMatchObject({ status: 'undone', removed: 1, restored: 3, spared: 3 });
    expect(sparedListings.map(({ address, because }) => [address, because])).toEqual([
      ['1 Hill Road', sparedBecause.edited],
      ['7 Hill Road', sparedBecause.edited],
      ['8 Hill Road', sparedBecause.inquiry],
    ]);
    expect((await sparedRows(scene.as(seller), { importId: second })).rows).toEqual(sparedListings);
    const left = new Map((await listings()).map((row) => [row.address, row]));
    for (const row of before.slice(1))
      expect({ ...left.get(row.address), updated_at: null }).toEqual({ ...row, updated_at: null });
    expect(left.get('1 Hill Road')).toMatchObject({ title: 'By hand', price_cents: 500_000_00 });
    expect(left.get('9 Hill Road')?.deleted_at).not.toBeNull();
    expect(left.get('8 Hill Road')?.deleted_at).toBeNull();
  });

  it('an administrator sees every import, a seller only their own', async () => {
    const importId = await imported(rows(1));
    const other = await createUser(db, 'agent');
    await expect(details(importId, other)).rejects.toThrow('Import not found');
    await expect(undoImport(scene.as(other), { importId })).rejects.toThrow('Import not found');
    expect((await importHistory(scene.as(other), { page: 1 })).entries).toEqual([]);
    expect((await details(importId, admin)).counts.added).toBe(1);
    const byAdmin = await upload(rows(1), admin);
    await check(byAdmin, { agentId: seller.agentId }, admin);
    await expect(details(byAdmin)).rejects.toThrow('Import not found');
  });

  it('old files are swept, what was imported stays on record', async () => {
    const unused = await upload(rows(1));
    const importId = await imported(rows(1));
    await createListing(db, seller.agentId);
    clock.advance(31 * DAY);
    // The touch of the row is the database's own clock.
    await db.q().updateTable('listing_imports').set({ rows_done: 1 }).where('id', '=', importId).execute();
    const later = { ...scene.as(worker), now: () => new Date(Date.now() + 31 * DAY) };
    expect(await sweepImports(later)).toBeGreaterThanOrEqual(2);
    await expect(details(unused)).rejects.toThrow('Import not found');
    expect((await scene.files.list('imports/')).keys).toEqual([]);
    expect(await audited(unused, 'import.sweep')).toEqual([{ before: { status: 'uploaded' }, after: null }]);
    expect(await audited(importId, 'import.sweep')).toEqual([{ before: { status: 'done' }, after: null }]);
    expect((await details(importId)).counts.added).toBe(1);
    expect(await undone(importId)).toMatchObject({ removed: 1 });
  });

  it('one that is started while old ones are swept keeps its file', async () => {
    const importId = await upload(rows(1));
    await check(importId);
    let started: ReturnType<typeof startImport> | undefined;
    // Started when the sweep has read which ones are old, and before it comes to delete one.
    const tx: Database['tx'] = async (work) => {
      started ??= startImport(scene.as(seller), { importId });
      expect(await started).toEqual({ ok: true });
      return db.tx(work);
    };
    const later = { ...scene.as(worker), now: () => new Date(Date.now() + 8 * DAY), db: { ...db, tx } };
    await sweepImports(later);
    expect(await audited(importId, 'import.sweep')).toEqual([]);
    await work(importId);
    expect((await details(importId)).counts.added).toBe(1);
  });
});
