import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invalidate } from '#platform/cache.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import {
  type ListingsFileRow,
  sampleListingsFile,
  writeListingsFile,
} from '#tests/support/fixtures/listings-file.ts';
import { type ImportOptions, runListingsImport } from '#tests/support/fixtures/listings-import.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { summaryLine } from '../report.ts';

await describeOnEachDatabase('import of listings', (open, kind) => {
  let db: Database;
  let folder: string;
  let seller: UserActor;
  beforeAll(async () => {
    db = await open();
    folder = mkdtempSync(join(tmpdir(), 'acre-import-'));
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  type Options = ImportOptions & { email?: string | null };
  const runImport = (path: string, { email = seller.email, ...options }: Options = {}) =>
    runListingsImport(db, path, { ...options, sellerEmail: email });
  async function imported(rows: readonly ListingsFileRow[], options: Options = {}) {
    const { result, refusals } = await runImport(
      writeListingsFile(join(folder, 'houses.csv'), rows),
      options,
    );
    if (!result.ok) throw new Error(result.reason);
    return { summary: summaryLine(result.report), refusals };
  }
  const listings = () =>
    db
      .q()
      .selectFrom('properties')
      .selectAll()
      .where('agent_id', '=', seller.agentId)
      .orderBy('source_id')
      .execute();
  const audits = () =>
    db
      .q()
      .selectFrom('audit_log')
      .selectAll()
      .where('entity_id', '=', seller.agentId)
      .orderBy('id')
      .execute();
  const change = (values: { status?: 'escrow' | 'Sold' | 'withdrawn'; title?: string; deleted_at?: Date }) =>
    db.q().updateTable('properties').set(values).where('agent_id', '=', seller.agentId).execute();

  it('publishes new listings and audits who imported them', async () => {
    const { summary, refusals } = await imported([
      {},
      { price: 'abc' },
      { address: '0 N MAIN ST', bathrooms: '' },
    ]);
    expect(summary).toBe('3 rows: 2 accepted, 0 updated, 0 unchanged, 1 refused');
    expect(refusals).toEqual(['line 3: price: Price is not a number. ("abc")']);
    const [listing, lot] = await listings();
    expect(listing).toMatchObject({
      source_id: 's:1',
      status: 'Active',
      is_public: true,
      price_cents: 46_190_000,
    });
    expect(listing).toMatchObject({
      address: '17 Faraway Ln',
      title: null,
      bathrooms: 2,
      half_baths: 1,
      zip: '03784',
    });
    expect(listing?.listed_at).toEqual(new Date('2026-11-20T12:00:00Z'));
    expect(lot).toMatchObject({ address: '0 N Main St', bathrooms: null, half_baths: 0 });
    expect(await audits()).toMatchObject([
      {
        actor_role: 'system:import',
        action: 'listings.import',
        after: { file: 'houses.csv', lines: [2, 4], accepted: 2, updated: 0 },
      },
    ]);
  });

  it('ends once the seller is suspended, with what was written before', async () => {
    const path = writeListingsFile(join(folder, 'many.csv'), Array<ListingsFileRow>(600).fill({}));
    const suspend = () =>
      db.q().updateTable('agents').set({ status: 'suspended' }).where('id', '=', seller.agentId).execute();
    const { result } = await runImport(path, {
      onProgress: async (done) => void (done === 250 && (await suspend())),
    });
    expect(result).toEqual({
      ok: false,
      reason: `The seller ${seller.email} is suspended: lift that before importing its listings.`,
    });
    expect(await listings()).toHaveLength(250);
  });

  it('importing the same file again changes nothing and leaves no trace', async () => {
    await imported([{}, {}]);
    const before = await listings();
    expect((await imported([{}, {}])).summary).toBe('2 rows: 0 accepted, 0 updated, 2 unchanged, 0 refused');
    expect(await listings()).toEqual(before);
    expect(await audits()).toHaveLength(1);
  });

  it('updates known listings, keeps their status and blank cells, and records the history', async () => {
    await imported([{}, {}]);
    await change({ status: 'withdrawn', title: 'The Long View' });
    const { summary } = await imported([{ price: '$450,000', zip: '' }, {}]);
    expect(summary).toBe('2 rows: 0 accepted, 1 updated, 1 unchanged, 0 refused');
    const [listing] = await listings();
    expect(listing).toMatchObject({ price_cents: 45_000_000, status: 'withdrawn', title: 'The Long View' });
    expect(listing?.zip).toBe('03784');
    const history = await db.q().selectFrom('property_changes').selectAll().execute();
    expect(history.filter((entry) => entry.property_id === listing?.id)).toMatchObject([
      {
        field: 'price_cents',
        previous_value: '46190000',
        new_value: '45000000',
        reason: 'import',
        changed_by: null,
      },
    ]);
  });

  it.each(['escrow', 'Sold'] as const)('does not change a listing that is %s', async (status) => {
    await imported([{}]);
    await change({ status });
    expect((await imported([{}])).summary).toContain('1 unchanged, 0 refused');
    const { summary, refusals } = await imported([{ price: '1' }]);
    expect(summary).toBe('1 row: 0 accepted, 0 updated, 0 unchanged, 1 refused');
    expect(refusals[0]).toMatch(/^line 2: The listing is (in escrow|sold) and was not changed\. \("s:1"\)$/);
    expect(await listings()).toMatchObject([{ price_cents: 46_190_000 }]);
  });

  it('does not restore a deleted listing', async () => {
    await imported([{}]);
    await change({ deleted_at: new Date() });
    expect((await imported([{}])).refusals).toEqual([
      'line 2: The listing was deleted; an import does not bring it back. ("s:1")',
    ]);
  });

  it('accepts a source_id once per file, across batches', async () => {
    const rows: ListingsFileRow[] = Array.from({ length: 600 }, () => ({}));
    const { summary, refusals } = await imported([...rows, { source_id: 's:1', price: '5' }]);
    expect(summary).toBe('601 rows: 600 accepted, 0 updated, 0 unchanged, 1 refused');
    expect(refusals).toEqual(['line 602: source_id: Appears earlier in the file. ("s:1, line 2")']);
    expect(await audits()).toHaveLength(3);
  });

  it('concurrent imports create no duplicates, and a source_id is unique per seller', async () => {
    const rows: ListingsFileRow[] = Array.from({ length: 300 }, () => ({}));
    const path = writeListingsFile(join(folder, 'both.csv'), rows);
    const both = await Promise.all([runImport(path), runImport(path)]);
    expect(both.map(({ result }) => result.ok)).toEqual([true, true]);
    expect(await listings()).toHaveLength(300);
    seller = await createUser(db, 'agent');
    expect((await imported(rows)).summary).toContain('300 accepted');
  });

  it('a dry run reports what would happen and writes nothing', async () => {
    await imported([{}, {}]);
    const before = [await listings(), await audits()];
    const rows = [{ price: '5' }, {}, {}, { price: '' }];
    const expected = '4 rows: 1 accepted, 1 updated, 1 unchanged, 1 refused';
    expect((await imported(rows, { dryRun: true })).summary).toBe(expected);
    expect([await listings(), await audits()]).toEqual(before);
    expect((await imported(rows)).summary).toBe(expected);
  });

  it('accepts only active property types', async () => {
    const named = db.q().updateTable('property_types').where('slug', '=', 'commercial');
    await named.set({ is_active: false }).execute();
    invalidate(db);
    expect((await imported([{ property_type: 'Commercial' }])).refusals).toEqual([
      'line 2: property_type: The property type Commercial is off; --activate-types switches it on. Allowed: Vacant Lot, Single Family, Multi-Family. ("Commercial")',
    ]);
    await named.set({ is_active: true }).execute();
    invalidate(db);
  });

  describe('the seller', () => {
    const reasonFor = async (email: string | null) => {
      const { result } = await runImport(writeListingsFile(join(folder, 'one.csv'), [{}]), { email });
      return result.ok ? result.seller.email : result.reason;
    };
    const set = (values: { status?: 'suspended'; archived_at?: Date }) =>
      db.q().updateTable('agents').set(values).where('id', '=', seller.agentId).execute();

    it('is found by e-mail regardless of case', async () => {
      expect(await reasonFor(` ${seller.email.toUpperCase()} `)).toBe(seller.email);
    });
    it('must exist', async () => {
      expect(await reasonFor('no@one.test')).toMatch(
        /^There is no seller no@one\.test\. Name a registered seller/,
      );
    });
    it('must be named when there are several', async () => {
      await createUser(db, 'agent');
      expect(await reasonFor(null)).toMatch(
        /^Whose listings are these\? Name a registered seller with --seller EMAIL: /,
      );
    });
    it('defaults to the only registered one', async () => {
      const emptyDb = await open();
      const only = await createUser(emptyDb, 'agent');
      for (const values of [{ archived_at: new Date() }, { status: 'suspended' as const }]) {
        const { agentId } = await createUser(emptyDb, 'agent');
        await emptyDb.q().updateTable('agents').set(values).where('id', '=', agentId).execute();
      }
      const path = writeListingsFile(join(folder, 'one.csv'), [{}]);
      const { result } = await runListingsImport(emptyDb, path);
      await emptyDb.close();
      expect(result).toMatchObject({ ok: true, seller: { email: only.email } });
    });
    it('must not be suspended or archived', async () => {
      await set({ status: 'suspended' });
      expect(await reasonFor(seller.email)).toContain('is suspended');
      await set({ archived_at: new Date() });
      expect(await reasonFor(seller.email)).toContain('is archived');
      expect(await listings()).toEqual([]);
    });
  });

  it('is for the operator, administrators, and sellers who import their own into the review', async () => {
    const path = writeListingsFile(join(folder, 'one.csv'), [{}]);
    const own = { email: null, agentId: seller.agentId };
    await expect(runImport(path, { actor: { kind: 'visitor' } })).rejects.toMatchObject({ status: 401 });
    await expect(runImport(path, { actor: await createUser(db, 'buyer') })).rejects.toMatchObject({
      status: 403,
    });
    await expect(runImport(path, { actor: seller, ...own })).rejects.toMatchObject({ status: 403 });
    expect((await imported([{}], { actor: seller, ...own, firstStatus: 'pending' })).summary).toContain(
      '1 accepted',
    );
    expect(await listings()).toMatchObject([{ status: 'pending', listed_at: null }]);
    expect(await audits()).toMatchObject([{ actor_id: seller.id, action: 'listings.import' }]);
    const admin = await createUser(db, 'admin');
    expect((await imported([{}], { actor: admin, ...own })).summary).toContain('1 unchanged');
  });

  it('imports a file of public records, and changes nothing the second time', async () => {
    const { result, refusals } = await runImport(sampleListingsFile);
    expect(result.ok && summaryLine(result.report)).toBe(
      '48 rows: 48 accepted, 0 updated, 0 unchanged, 0 refused',
    );
    expect(refusals).toEqual([]);
    const again = await runImport(sampleListingsFile);
    expect(again.result.ok && again.result.report).toMatchObject({ accepted: 0, updated: 0, unchanged: 48 });
    expect(await listings()).toHaveLength(48);
  });

  it('imports thousands of rows within 20 s', { timeout: 120_000 }, async () => {
    const count = kind === 'server' ? 4_000 : 1_000;
    const rows = Array.from({ length: count }, (_, n) => ({ address: `${n + 1} ALDERBROOK LN` }));
    const path = writeListingsFile(join(folder, 'many.csv'), rows);
    const began = process.cpuUsage();
    const { result } = await runImport(path);
    // CPU time rather than wall-clock time, so that a busy machine does not fail the test.
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(20);
    expect(result.ok && result.report.accepted).toBe(count);
  });
});
