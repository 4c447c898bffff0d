import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invalidate } from '#platform/cache.ts';
import type { Actor, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import {
  type ListingsFileRow,
  sampleListingsFile,
  writeListingsFile,
} from '#tests/support/fixtures/listings-file.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { applyMapping } from '../mapping.ts';
import type { ImportBatch, ImportRequest } from '../model.ts';
import { openListingsFile } from '../read-file.ts';
import { refusalLine, summaryLine } from '../report.ts';
import { importListings } from './import-listings.ts';

const operator: Actor = { kind: 'system', name: 'import' };

await describeOnDatabase('import of listings', (open) => {
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

  type Options = Omit<Partial<ImportRequest>, 'file' | 'mapping'> & { email?: string | null; actor?: Actor };
  async function runImport(path: string, options: Options = {}) {
    const opened = await openListingsFile(path);
    if (!opened.ok) throw new Error(opened.reason);
    const { file } = opened;
    const mapped = applyMapping(file);
    if (!mapped.ok) throw new Error(mapped.reason);
    const { email = seller.email, actor = operator, ...more } = options;
    const refusals: string[] = [];
    const result = await importListings(testContext(db, { actor }), {
      file,
      mapping: mapped.mapping,
      sellerEmail: email,
      dryRun: false,
      ...more,
      onRefusal: (line, refusal) => refusals.push(refusalLine(line, refusal)),
    });
    return { result, refusals };
  }
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
      const ctx = testContext(emptyDb, { actor: operator });
      const survey = await openListingsFile(writeListingsFile(join(folder, 'one.csv'), [{}]));
      if (!survey.ok) throw new Error(survey.reason);
      const mapped = applyMapping(survey.file);
      if (!mapped.ok) throw new Error(mapped.reason);
      const { file } = survey;
      const result = await importListings(ctx, { file, mapping: mapped.mapping, dryRun: false });
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

  describe('what the market says', () => {
    const header =
      'SALE TYPE,SOLD DATE,PROPERTY TYPE,ADDRESS,CITY,STATE OR PROVINCE,ZIP OR POSTAL CODE,PRICE,BEDS,BATHS,LOCATION,STATUS,SOURCE,MLS#';
    const write = (...rows: string[]) => {
      const path = join(folder, 'redfin.csv');
      writeFileSync(path, `${[header, ...rows].join('\n')}\n`);
      return path;
    };
    const row = ({
      type = 'MLS Listing',
      soldOn = '',
      kind = 'Single Family Residential',
      address = '12 Elm St',
      price = '500000',
      zip = '03766',
      status = 'Active',
      source = 'NEREN',
      number = '100',
    } = {}) =>
      `${type},${soldOn},${kind},${address},Lebanon,NH,${zip},${price},3,2,River Bend,${status},${source},${number}`;
    const importRows = async (rows: string[], options: Options = {}) => {
      const { result, refusals } = await runImport(write(...rows), options);
      if (!result.ok) throw new Error(result.reason);
      return { report: result.report, refusals };
    };

    it('stores what a portal says of a home', async () => {
      const { report } = await importRows([row()]);
      expect(report).toMatchObject({ accepted: 1, refused: 0 });
      expect(await listings()).toMatchObject([
        {
          source_id: 'NEREN:100',
          mls_name: 'NEREN',
          mls_number: '100',
          neighborhood: 'River Bend',
          status: 'Active',
          location_precision: 'zip',
        },
      ]);
    });

    it('a sold home is Sold with its price and date, or refused, never on the market', async () => {
      const { report, refusals } = await importRows([
        row({ type: 'PAST SALE', soldOn: 'October-31-2025', status: 'Sold' }),
        row({ type: 'PAST SALE', status: 'Sold', address: '13 Elm St', number: '101' }),
        row({ status: 'Pending', address: '14 Elm St', number: '102' }),
        row({ status: 'Withdrawn', address: '15 Elm St', number: '103' }),
      ]);
      expect(report).toMatchObject({ accepted: 1, sold: 1, refused: 3 });
      expect(refusals).toEqual([
        'line 3: sold_date: The home is sold, and the date of its sale is missing.',
        'line 4: status: The home is under contract elsewhere, so it is not for sale. ("Pending")',
        'line 5: status: The home is not on the market. ("Withdrawn")',
      ]);
      const [sold] = await listings();
      expect(sold).toMatchObject({
        status: 'Sold',
        is_public: false,
        price_cents: 50_000_000,
        listed_at: null,
      });
      expect(sold?.off_market_at).toEqual(new Date('2025-10-31T00:00:00Z'));
      expect(
        (await importRows([row({ type: 'PAST SALE', soldOn: 'October-31-2025', status: 'Sold' })])).report,
      ).toMatchObject({ unchanged: 1 });
      const later = row({ type: 'PAST SALE', soldOn: 'November-1-2025', status: 'Sold' });
      expect((await importRows([later])).refusals).toEqual([
        'line 2: The listing is sold and was not changed. ("NEREN:100")',
      ]);
    });

    it('a listing leaves the market when a later file says so', async () => {
      await importRows([row(), row({ address: '14 Elm St', number: '102' })]);
      const batches: ImportBatch[] = [];
      const { report } = await importRows(
        [
          row({ type: 'PAST SALE', soldOn: 'November-1-2026', status: 'Sold', price: '480000' }),
          row({ address: '14 Elm St', number: '102', status: 'Pending' }),
        ],
        { onBatch: async (batch) => void batches.push(batch) },
      );
      expect(report).toMatchObject({ updated: 2, sold: 1, refused: 0 });
      expect(await listings()).toMatchObject([
        { status: 'Sold', price_cents: 48_000_000, off_market_at: new Date('2026-11-01T00:00:00Z') },
        { status: 'withdrawn' },
      ]);
      expect(batches[0]?.rows).toMatchObject([
        {
          line: 2,
          outcome: 'changed',
          before: { status: 'Active', off_market_at: null, price_cents: 50_000_000 },
          after: { status: 'Sold', off_market_at: '2026-11-01T00:00:00.000Z', price_cents: 48_000_000 },
        },
        { line: 3, outcome: 'changed', before: { status: 'Active' }, after: { status: 'withdrawn' } },
      ]);
    });

    it('a sold home does not skip the review', async () => {
      const sold = row({ type: 'PAST SALE', soldOn: 'October-31-2025', status: 'Sold' });
      const { refusals } = await importRows([sold], { firstStatus: 'pending' });
      expect(refusals).toEqual([
        'line 2: status: The home is sold. Only an import that skips the review stores sold homes. ("Sold")',
      ]);
      await importRows([row()]);
      await importRows([sold], { firstStatus: 'pending' });
      expect(await listings()).toMatchObject([{ status: 'withdrawn' }]);
    });

    it('types that are off are offered, and switched on when asked', async () => {
      const condo = row({ kind: 'Condo/Co-op' });
      const { refusals } = await importRows([condo]);
      expect(refusals[0]).toContain('The property type Condo/Co-op is off; --activate-types switches it on.');
      expect((await importRows([condo], { activateTypes: true, dryRun: true })).report).toMatchObject({
        accepted: 1,
        activatedTypes: ['Condo/Co-op'],
      });
      expect((await importRows([condo])).report.refused).toBe(1);
      expect((await importRows([condo], { activateTypes: true })).report.activatedTypes).toEqual([
        'Condo/Co-op',
      ]);
      invalidate(db);
      expect((await importRows([condo])).report).toMatchObject({ unchanged: 1 });
      const types = db.q().updateTable('property_types').where('name', '=', 'Condo/Co-op');
      await types.set({ is_active: false }).execute();
    });

    it('keeps homes apart that share a number, also in later files and another order', async () => {
      const [first, second] = [row({ source: '' }), row({ source: '', address: '99 Oak Ave', zip: '03784' })];
      const { report } = await importRows([first, second]);
      expect(report).toMatchObject({ accepted: 2, refused: 0 });
      expect([...report.notes.keys()]).toContain(
        'source_id: the number stands for another home too: kept apart by the address',
      );
      for (const rows of [[first, second], [second, first], [second]])
        expect((await importRows(rows)).report).toMatchObject({ accepted: 0, unchanged: rows.length });
      // Another file, which has the third home alone.
      expect((await importRows([row({ source: '', address: '7 Fir Ln' })])).report).toMatchObject({
        accepted: 1,
      });
      expect(await listings()).toHaveLength(3);
      const corrected = row({ source: '', address: '12 Elm Street' });
      expect((await importRows([corrected])).report).toMatchObject({ accepted: 0, updated: 1 });
    });

    it.each(['one file', 'two files'])(
      'offers to merge the same home from two sources, in %s',
      async (how) => {
        const ours = row();
        const theirs = row({ source: 'MLSPIN', number: '777', address: '12 ELM STREET', price: '510000' });
        if (how === 'two files') await importRows([ours]);
        const rows = how === 'two files' ? [theirs] : [ours, theirs];
        const asked = await importRows(rows);
        expect(asked.report.refused).toBe(1);
        expect(asked.refusals[0]).toContain(
          'address: The same home is listed from another source: --same-home merge fills what is blank there, --same-home keep lists both.',
        );
        const merged = await importRows(rows, { sameHome: 'merge' });
        expect(merged.report).toMatchObject({ refused: 0, accepted: 0, merged: 1 });
        expect(await listings()).toMatchObject([{ source_id: 'NEREN:100', price_cents: 50_000_000 }]);
        expect((await importRows(rows, { sameHome: 'keep' })).report).toMatchObject({
          accepted: 1,
          refused: 0,
        });
        expect((await importRows(rows)).report).toMatchObject({ refused: 0, unchanged: rows.length });
      },
    );

    it('merging in one file, before the first row was stored', async () => {
      const theirs = row({ source: 'MLSPIN', number: '777' });
      for (const dryRun of [true, false]) {
        const { report } = await importRows([row(), theirs], { sameHome: 'merge', dryRun });
        expect(report).toMatchObject({ accepted: 1, merged: 1, refused: 0 });
      }
      expect(await listings()).toHaveLength(1);
    });
  });

  describe('in steps', () => {
    const rows: ListingsFileRow[] = Array.from({ length: 600 }, (_, n) => ({
      address: `${n + 1} ALDERBROOK LN`,
      ...(n === 300 && { price: 'abc' }),
    }));

    it('hands over each batch in its transaction, and goes on where it stopped', async () => {
      const path = writeListingsFile(join(folder, 'steps.csv'), rows);
      const batches: ImportBatch[] = [];
      const stop = new AbortController();
      const first = await runImport(path, {
        signal: stop.signal,
        importId: 'first',
        onBatch: async (batch) => {
          batches.push(batch);
          stop.abort();
        },
      });
      expect(first.result).toMatchObject({ ok: true, completed: false, report: { accepted: 250 } });
      const resumeAfterLine = batches[0]?.line ?? 0;
      const rest = await runImport(path, {
        resumeAfterLine,
        onBatch: async (batch) => void batches.push(batch),
      });
      expect(rest.result).toMatchObject({
        completed: true,
        report: { rows: 350, accepted: 349, refused: 1 },
      });
      const stored = new Map((await listings()).map((listing) => [listing.id, listing.source_id]));
      expect(stored.size).toBe(599);
      const handed = batches.flatMap((batch) => batch.rows);
      expect(handed.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 599 }, () => 'added'));
      for (const { propertyId, sourceId } of handed) expect(stored.get(propertyId)).toBe(sourceId);
      expect(batches.flatMap((batch) => batch.refusals)).toMatchObject([
        { line: 302, refusal: { column: 'price' } },
      ]);
      expect((await audits())[0]?.after).toMatchObject({ import: 'first', lines: [2, 251] });
    });

    it('a batch that cannot be recorded is taken back', async () => {
      const path = writeListingsFile(join(folder, 'failing.csv'), rows);
      const failing = runImport(path, { onBatch: () => Promise.reject(new Error('disk full')) });
      await expect(failing).rejects.toThrow('disk full');
      expect(await listings()).toHaveLength(0);
    });
  });

  it('imports four thousand rows within 20 s', { timeout: 120_000 }, async () => {
    const rows = Array.from({ length: 4_000 }, (_, n) => ({ address: `${n + 1} ALDERBROOK LN` }));
    const path = writeListingsFile(join(folder, 'many.csv'), rows);
    const began = process.cpuUsage();
    const { result } = await runImport(path);
    // CPU time rather than wall-clock time, so that a busy machine does not fail the test.
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(20);
    expect(result.ok && result.report.accepted).toBe(4_000);
  });
});
