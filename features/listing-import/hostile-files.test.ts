import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mulberry32 } from '#illustrator/random.ts';
import { storableText } from '#platform/typed-text.ts';
import { hostileFile, plainFiles } from '#tests/support/imports/hostile-files.ts';
import { applyMapping, recognizeColumns } from './mapping.ts';
import { TypeWords } from './property-types.ts';
import { openListingsFile, readRows } from './read-file.ts';
import { Repeats } from './repeats.ts';
import { columnLines, refusedCsvLine } from './report.ts';
import { parseRow } from './rows.ts';
import { UnusableFile } from './unusable-file.ts';

// `FILES=100000 npm test -- unit features/listing-import/hostile-files.test.ts` is the full run.
const FILES = Number(process.env.FILES ?? 3_000);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'acre-hostile-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const types = new TypeWords([{ id: 1, name: 'Single Family', isActive: true }], {}, true);
const now = new Date('2026-11-20T12:00:00Z');

/** Reads a file as an import does, without the database; returns what was said of it. */
async function read(
  content: Buffer,
  name = 'file',
): Promise<{ rows: number; accepted: number; reason: string | null }> {
  const path = join(folder, name);
  writeFileSync(path, content);
  const opened = await openListingsFile(path);
  if (!opened.ok) return { rows: 0, accepted: 0, reason: opened.reason };
  const mapped = applyMapping(opened.file);
  const mapping = mapped.ok ? mapped.mapping : recognizeColumns(opened.file);
  columnLines(mapping);
  const repeats = new Repeats();
  let [rows, accepted] = [0, 0];
  try {
    for await (const { cells, firstLine } of readRows(opened.file)) {
      rows++;
      const parsed = parseRow(cells, { mapping, types, now });
      if (!parsed.ok) {
        refusedCsvLine(firstLine, parsed.refusal);
        continue;
      }
      repeats.see(parsed.row, firstLine);
      accepted++;
      expect(parsed.row.sourceId).toBe(storableText(parsed.row.sourceId));
      checkStorable(parsed.row.values);
    }
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
    return { rows, accepted, reason: error.message };
  }
  return { rows, accepted, reason: mapped.ok ? null : mapped.reason };
}

/** What the columns of the database allow. */
function checkStorable(values: Extract<ReturnType<typeof parseRow>, { ok: true }>['row']['values']): void {
  for (const value of Object.values(values)) {
    if (typeof value === 'number') expect(value).toSatisfy(Number.isFinite);
    if (typeof value === 'string') expect(value).toBe(storableText(value));
  }
  expect(values.price_cents).toBeGreaterThan(0);
  expect(values.price_cents).toBeLessThanOrEqual(99_999_999_999);
  expect(values.address.length).toBeGreaterThanOrEqual(5);
  expect(values.address.length).toBeLessThanOrEqual(200);
  expect((values.latitude === null) === (values.longitude === null)).toBe(true);
  expect(Math.abs(values.latitude ?? 0)).toBeLessThanOrEqual(90);
  for (const [value, max] of [
    [values.city, 100],
    [values.neighborhood, 100],
    [values.mls_name, 100],
    [values.mls_number, 60],
    [values.title, 120],
    [values.zip, 20],
  ] as const)
    expect(value?.length ?? 1).toBeLessThanOrEqual(max);
}

describe('hostile files', () => {
  it('files that nobody has damaged are read', async () => {
    for (const file of plainFiles)
      expect(await read(file)).toMatchObject({ rows: 2, accepted: 2, reason: null });
  });

  it('thousands of damaged files are read or refused in words, never a crash', {
    timeout: 240_000 + FILES * 20,
  }, async () => {
    let refused = 0;
    let next = 1;
    // Several at the same time: most of a small file's time is waiting for the disk.
    const reader = async (_: unknown, at: number) => {
      for (let seed = next++; seed <= FILES; seed = next++) {
        const result = await read(hostileFile(mulberry32(seed)), `file-${at}`).catch((error: unknown) => {
          throw new Error(`seed ${seed} failed: ${error instanceof Error ? error.stack : error}`);
        });
        if (result.reason === null) continue;
        refused++;
        expect(result.reason, `seed ${seed}`).toMatch(/[.?]$/);
      }
    };
    await Promise.all(Array.from({ length: 8 }, reader));
    expect(refused).toBeGreaterThan(FILES / 30);
    expect(refused).toBeLessThan(FILES * 0.97);
  });

  it('a number in JSON that no computer holds is no value', async () => {
    const home = '"ListPrice":500000,"StreetName":"Oak St","PropertyType":"Residential"';
    expect(
      await read(Buffer.from(`[{${home},"StreetNumber":12},{${home},"StreetNumber":1e999}]`)),
    ).toMatchObject({
      rows: 2,
      accepted: 2,
    });
  });

  it('cells that a spreadsheet would run are refused or left blank', async () => {
    const header = 'price,address,property_type,city,title,description';
    const row = '500000,12 Elm St,Single Family,"=HYPERLINK(""http://x.test"")",@SUM(1),-cosy';
    const path = join(folder, 'formulas');
    writeFileSync(path, `${header}\n${row}\n500000,=cmd|'/c calc'!A1,Single Family,,,\n`);
    const opened = await openListingsFile(path);
    if (!opened.ok) throw new Error(opened.reason);
    const parsed = [];
    for await (const { cells } of readRows(opened.file))
      parsed.push(parseRow(cells, { mapping: recognizeColumns(opened.file), types, now }));
    expect(parsed).toMatchObject([
      { ok: true, row: { values: { city: null, title: null, description: '-cosy' } } },
      { ok: false, refusal: { column: 'address', reason: 'Begins like a spreadsheet formula.' } },
    ]);
    expect(refusedCsvLine(3, { column: 'address', reason: 'No.', detail: '=cmd|1,2' })).toBe(
      `3,address,No.,"'=cmd|1,2"\r\n`,
    );
  });

  it('a cell of a megabyte, and words that a pattern could choke on', async () => {
    const long = [
      'a,'.repeat(60_000),
      '1'.repeat(200_000),
      'N/A '.repeat(50_000),
      '1,'.repeat(50_000),
      '('.repeat(50_000),
    ];
    const began = performance.now();
    for (const cell of long) {
      const header = 'price,address,property_type,sold_date,coordinates,status,zip,lot_size';
      const cells = Array.from({ length: 8 }, () => `"${cell.slice(0, 30_000)}"`).join(',');
      expect((await read(Buffer.from(`${header}\n${cells}\n`))).accepted).toBe(0);
    }
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
