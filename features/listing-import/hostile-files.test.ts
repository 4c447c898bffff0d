import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mulberry32 } from '#illustrator/random.ts';
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
  const text = JSON.stringify(values);
  expect(text).not.toMatch(/\\u0000|NaN|Infinity/);
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

const CSV = `sep=;
SALE TYPE;SOLD DATE;PROPERTY TYPE;ADDRESS;CITY;STATE OR PROVINCE;ZIP OR POSTAL CODE;PRICE;BEDS;BATHS;LOCATION;STATUS;SOURCE;MLS#;LATITUDE;LONGITUDE
"In accordance with local MLS rules; some MLS listings are not included"
MLS Listing;;Single Family Residential;12 ELM ST Unit 4;Lebanon;NH;3766;$1.2M;3;2,5;River Bend;Active;NEREN;100;43.64;-72.25
PAST SALE;October-31-2025;House;"13 Oak ""B"" Ave";Lebanon;NH;03766;1.200.000,00;3;2;;Sold;NEREN;101;-72.25;43.64
`;
const JSON_TEXT = JSON.stringify({
  '@odata.context': 'x',
  value: [
    {
      ListingKey: 'a',
      ListPrice: 5e5,
      UnparsedAddress: '12 Elm St, Lebanon, NH 03766',
      PropertyType: 'Residential',
      StandardStatus: 'Active',
      Media: [{ MediaURL: 'https://x.test/1.jpg' }],
    },
    {
      ListingKey: 'b',
      ListPrice: '600k',
      StreetNumber: 4,
      StreetName: 'Oak',
      PropertySubType: 'SingleFamilyResidence',
      City: null,
    },
  ],
});
const SEEDS: readonly Buffer[] = [
  Buffer.from(CSV),
  Buffer.from(`\ufeff${CSV}`, 'utf16le'),
  Buffer.from(CSV.replaceAll('Lebanon', 'L\xe9banon'), 'latin1'),
  Buffer.from(JSON_TEXT),
  Buffer.from(
    JSON.parse(JSON_TEXT)
      .value.map((one: unknown) => JSON.stringify(one))
      .join('\n'),
  ),
];
const PIECES = [
  '"',
  ',',
  ';',
  '\t',
  '|',
  '\n',
  '\r',
  '\0',
  '{',
  '}',
  '[',
  ']',
  '\\',
  ':',
  '\u202e',
  '=1+1',
  '@x',
  '\ufeff',
  'null',
  '1e999',
  '-',
  'é',
  '\xff',
  '9'.repeat(400),
  ' '.repeat(300),
  '"a""b',
  '{"value":[',
  'PK\x03\x04',
].map((piece) => Buffer.from(piece, piece === '\xff' ? 'latin1' : 'utf8'));

/** One of the seeds with bytes changed, removed, doubled, or hostile pieces put in. */
function mutated(random: () => number): Buffer {
  const below = (limit: number) => Math.floor(random() * limit);
  let bytes = Buffer.from(SEEDS[below(SEEDS.length)] ?? '');
  for (let change = 0; change < 1 + below(8); change++) {
    const at = below(bytes.length + 1);
    const to = Math.min(bytes.length, at + below(40));
    const piece = PIECES[below(PIECES.length)] ?? Buffer.alloc(0);
    switch (below(5)) {
      case 0:
        if (at < bytes.length) bytes[at] = below(256);
        break;
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
        break;
      case 3:
        bytes = bytes.subarray(0, at);
        break;
      default:
        bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
    }
  }
  return bytes;
}

describe('hostile files', () => {
  it('the seeds themselves are read', async () => {
    for (const seed of SEEDS) expect(await read(seed)).toMatchObject({ rows: 2, accepted: 2, reason: null });
  });

  it('thousands of damaged files are read or refused in words, never a crash', {
    timeout: 240_000 + FILES * 20,
  }, async () => {
    let refused = 0;
    let next = 1;
    // Several at the same time: most of a small file's time is waiting for the disk.
    const reader = async (_: unknown, at: number) => {
      for (let seed = next++; seed <= FILES; seed = next++) {
        const result = await read(mutated(mulberry32(seed)), `file-${at}`).catch((error: unknown) => {
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
