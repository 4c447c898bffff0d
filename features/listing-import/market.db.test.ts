import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { invalidate } from '#platform/cache.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type ListingsFileRow, writeListingsFile } from '#tests/support/fixtures/listings-file.ts';
import { type ImportOptions as Options, runListingsImport } from '#tests/support/fixtures/listings-import.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { ImportBatch } from './model.ts';

await describeOnDatabase('import of listings from portals', (open) => {
  let db: Database;
  let folder: string;
  let seller: UserActor;
  beforeAll(async () => {
    db = await open();
    folder = mkdtempSync(join(tmpdir(), 'acre-market-'));
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const runImport = (path: string, options: Options = {}) =>
    runListingsImport(db, path, { sellerEmail: seller.email, ...options });
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

    it('half a character of a JSON file becomes the sign for a damaged one', async () => {
      const path = join(folder, 'halves.json');
      const home = { price: 1, address: '12 Elm St', property_type: 'Single Family', description: 'Sunny' };
      const text = JSON.stringify([home]);
      const accepted = async (description: string) => {
        writeFileSync(path, text.replace('Sunny', description));
        const { result } = await runImport(path);
        if (!result.ok) throw new Error(result.reason);
        const [stored] = await listings();
        return [result.report.accepted + result.report.updated, stored?.description];
      };
      expect(await accepted('Sunny \\ud83d')).toEqual([1, 'Sunny \ufffd']);
      expect(await accepted('Bright \\udc00')).toEqual([1, 'Bright \ufffd']);
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

    const condoType = () =>
      db.q().selectFrom('property_types').select(['id', 'is_active']).where('name', '=', 'Condo/Co-op');
    const switchCondos = (isActive: boolean) =>
      db
        .q()
        .updateTable('property_types')
        .set({ is_active: isActive })
        .where('name', '=', 'Condo/Co-op')
        .execute();
    async function condoAudits() {
      const { id } = await condoType().executeTakeFirstOrThrow();
      return db
        .q()
        .selectFrom('audit_log')
        .select(['action', 'before', 'after'])
        .where('entity', '=', 'property_type')
        .where('entity_id', '=', String(id))
        .orderBy('id')
        .execute();
    }

    it('types that are off are offered, and switched on when asked', async () => {
      const condo = row({ kind: 'Condo/Co-op' });
      const { refusals } = await importRows([condo]);
      expect(refusals[0]).toContain('The property type Condo/Co-op is off; --activate-types switches it on.');
      expect((await importRows([condo], { activateTypes: true, dryRun: true })).report).toMatchObject({
        accepted: 1,
        activatedTypes: ['Condo/Co-op'],
      });
      expect((await importRows([condo])).report.refused).toBe(1);
      expect(await condoAudits()).toEqual([]);
      expect((await importRows([condo], { activateTypes: true })).report.activatedTypes).toEqual([
        'Condo/Co-op',
      ]);
      expect(await condoAudits()).toEqual([
        {
          action: 'property_type.change',
          before: { name: 'Condo/Co-op', isActive: false },
          after: { name: 'Condo/Co-op', isActive: true },
        },
      ]);
      invalidate(db);
      expect((await importRows([condo])).report).toMatchObject({ unchanged: 1 });
      await switchCondos(false);
    });

    it('a type that someone else has switched on meanwhile is not said to have been switched on by the import', async () => {
      const before = await condoAudits();
      // A batch and one row, which the next batch has.
      const homes = Array.from({ length: 250 }, (_, n) =>
        row({ address: `${n + 1} Elm St`, number: `${200 + n}` }),
      );
      const condo = row({ kind: 'Condo/Co-op', address: '400 Elm St', number: '600' });
      const { report } = await importRows([...homes, condo], {
        activateTypes: true,
        onProgress: async () => void (await switchCondos(true)),
      });
      expect(report).toMatchObject({ accepted: 251, refused: 0, activatedTypes: [] });
      expect(await condoAudits()).toEqual(before);
      await switchCondos(false);
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

    it('a listing that its seller has deleted is no home from another source', async () => {
      await importRows([row()]);
      const ours = db.q().updateTable('properties').where('agent_id', '=', seller.agentId);
      await ours.set({ deleted_at: new Date() }).execute();
      const { report } = await importRows([row({ source: 'MLSPIN', number: '777' })]);
      expect(report).toMatchObject({ accepted: 1, refused: 0 });
    });

    it('merging in one file, before the first row was stored', async () => {
      const theirs = row({ source: 'MLSPIN', number: '777' });
      for (const dryRun of [true, false]) {
        const { report } = await importRows([row(), theirs], { sameHome: 'merge', dryRun });
        expect(report).toMatchObject({ accepted: 1, merged: 1, refused: 0 });
      }
      expect(await listings()).toHaveLength(1);
    });

    it('a row merged into a listing that the same file updates leaves the update as it is', async () => {
      const path = join(folder, 'updated-and-merged.csv');
      const columns = 'source_id,price,address,property_type,city,state,zip';
      const importFile = async (header: string, ...rows: string[]) => {
        writeFileSync(path, `${[header, ...rows].join('\n')}\n`);
        const { result } = await runImport(path, { sameHome: 'merge' });
        return result.ok ? result.report : expect.unreachable(result.reason);
      };
      const home = (price: number) => `${price},12 Elm St,Single Family,Lebanon,NH,03766`;
      await importFile(`${columns},mls_name`, `a:1,${home(500_000)},NEREN`);
      // Without the names of the sources, the rows are not found to be of one home before they are compared with what is stored.
      const both = [`a:1,${home(600_000)},`, `b:7,${home(500_000)},Sunny`];
      expect(await importFile(`${columns},description`, ...both)).toMatchObject({ updated: 1, unchanged: 1 });
      expect(await listings()).toMatchObject([{ price_cents: 60_000_000, description: '' }]);
      expect(await importFile(`${columns},description`, ...both)).toMatchObject({ updated: 1, unchanged: 1 });
      expect(await listings()).toMatchObject([{ price_cents: 60_000_000, description: 'Sunny' }]);
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
});
