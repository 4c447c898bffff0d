import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListingsFile, openListingsFile, readRows } from './read-file.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'acre-open-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (content: string | Buffer, options?: { maxRows?: number }) => {
  const path = join(folder, 'file');
  writeFileSync(path, content);
  return openListingsFile(path, options);
};
async function opened(content: string | Buffer): Promise<ListingsFile> {
  const result = await open(content);
  if (!result.ok) throw new Error(result.reason);
  return result.file;
}
async function rowsOf(file: ListingsFile) {
  const rows: [line: number, ...cells: string[]][] = [];
  for await (const { firstLine, cells } of readRows(file)) rows.push([firstLine, ...cells]);
  return rows;
}

const redfin = 'SALE TYPE,PROPERTY TYPE,ADDRESS,PRICE,BEDS,SOURCE,MLS#';
const home = 'MLS Listing,Townhouse,1 Elm St,500000,3,NWMLS,42';
const disclaimer = '"In accordance with local MLS rules, some MLS listings are not included in the download"';

describe('CSV files as they come', () => {
  it.each<[string, string, number]>([
    ['the disclaimer below the columns', `${redfin}\n${disclaimer}\n${home}\n`, 1],
    ['the disclaimer above the columns', `${disclaimer}\n${redfin}\n${home}\n`, 2],
    ['the disclaimer padded with commas', `${redfin}\n${disclaimer},,,,,,\n${home}\n`, 1],
    ['the disclaimer without quotes', `${redfin}\n${disclaimer.replaceAll('"', '')},,,,,\n${home}\n`, 1],
    ['title lines', `Sales of all boroughs\nAs of 2025,,,\n\n${redfin}\n${home}\n`, 4],
    ['sep=', `sep=;\r\n${redfin.replaceAll(',', ';')}\r\n${home.replaceAll(',', ';')}\r\n`, 2],
    ['semicolons', `${redfin.replaceAll(',', ';')}\n${home.replaceAll(',', ';')}`, 1],
    ['tabs', `${redfin.replaceAll(',', '\t')}\n${home.replaceAll(',', '\t')}`, 1],
    ['bars', `${redfin.replaceAll(',', '|')}\n${home.replaceAll(',', '|')}`, 1],
    ['a footer', `${redfin}\n${home}\n© 2026 MLS. All rights reserved.\nTotal: 1\n`, 1],
    ['UTF-16', `\ufeff${redfin}\n${home}\n`, 1],
  ])('%s', async (name, text, headerLine) => {
    const file = await opened(name === 'UTF-16' ? Buffer.from(text, 'utf16le') : text);
    expect(file).toMatchObject({ format: 'csv', preset: 'redfin', headerLine, header: redfin.split(',') });
    expect(file.examples[0]).toEqual(home.split(','));
    const rows = await rowsOf(file);
    expect(rows.map(([, ...cells]) => cells)).toEqual([home.split(',')]);
  });

  it('tells commas within cells from those between them', async () => {
    const file = await opened('price;address;property_type\n1,5M;"1 Elm St, Apt 2";Townhouse\n');
    expect(file.delimiter).toBe(';');
    expect(file.examples).toEqual([['1,5M', '1 Elm St, Apt 2', 'Townhouse']]);
  });

  it('Windows-1252', async () => {
    const file = await opened(Buffer.from('price,address\n1,Caf\xe9 St', 'latin1'));
    expect(file).toMatchObject({ encoding: 'windows-1252', examples: [['1', 'Café St']] });
  });

  it('keeps a short row with one cell, which is refused later', async () => {
    const file = await opened(`${redfin}\n12 Elm St\n${home}\n`);
    expect((await rowsOf(file)).map(([line]) => line)).toEqual([2, 3]);
  });
});

describe('JSON files', () => {
  const entries = [
    {
      ListingKey: 'a1',
      ListPrice: 500000,
      City: 'Bend',
      Media: [{ MediaURL: 'https://x.test/1.jpg', Order: 1 }],
    },
    {
      ListingKey: 'a2',
      ListPrice: 600000.5,
      PropertySubType: ['Condominium', 'Loft'],
      Address: { street: '1 "Elm" {St}' },
    },
  ];
  const header = ['ListingKey', 'ListPrice', 'City', 'Media', 'PropertySubType', 'Address.street'];
  const expected = [
    [1, 'a1', '500000', 'Bend', 'https://x.test/1.jpg', '', ''],
    [2, 'a2', '600000.5', '', '', 'Condominium, Loft', '1 "Elm" {St}'],
  ];
  it.each<[string, string]>([
    ['a list', JSON.stringify(entries)],
    ['a list over lines', JSON.stringify(entries, null, 2)],
    [
      'a value',
      JSON.stringify({ '@odata.context': '$metadata#Property', '@odata.count': 2, value: entries }),
    ],
    ['other lists beside it', JSON.stringify({ notes: [{ a: 1 }], value: entries, links: [{ b: 1 }] })],
    ['one a line', entries.map((entry) => JSON.stringify(entry)).join('\n')],
    ['with a mark', `\ufeff${JSON.stringify(entries)}`],
  ])('%s', async (_, text) => {
    const file = await opened(text);
    expect(file).toMatchObject({ format: 'json', header, rows: 2 });
    expect(await rowsOf(file)).toEqual(expected);
  });
  it('GeoJSON', async () => {
    const features = [
      { type: 'Feature', properties: { price: 5 }, geometry: { type: 'Point', coordinates: [-72, 43] } },
    ];
    const file = await opened(JSON.stringify({ type: 'FeatureCollection', features }));
    expect(file.header).toEqual(['type', 'properties.price', 'geometry.type', 'geometry.coordinates']);
    expect(file.examples[0]?.[3]).toBe('-72, 43');
  });
});

describe('explains why a file cannot be used', () => {
  it.each<[string, string | Buffer, string]>([
    ['empty', '', 'The file is empty.'],
    ['only names of columns', `${redfin}\n`, 'The file has no rows below the names of its columns.'],
    ['100,000 columns', Array.from({ length: 100_000 }, () => 'c').join(','), 'The file has 100,000 columns'],
    ['a workbook', Buffer.from('PK\x03\x04rest'), 'The file is a workbook or an archive'],
    ['NULs', Buffer.from('a,\0b\n1,2\n'), 'The file is not text'],
    ['an open quotation mark', `${redfin}\n"1,2\n3,4\n`, 'The row that begins at line 2 does not end'],
    ['no list', '{"a": 1, "b": [1, 2', 'The file ends in the middle of entry 1.'],
    ['an open text', '[{"a": "1, 2', 'The file ends in the middle of entry 1.'],
    ['a list of numbers', '[1, 2, 3]', 'has no list of listings'],
    ['an empty list', '{"value": []}', 'has no list of listings'],
    ['an entry that is no JSON', '[{"a": 1}, {"b": }]', 'Entry 2 is not valid JSON.'],
    ['brackets too many', '[{"a": 1}]]]', 'a bracket is closed that was not opened'],
    ['deep JSON', `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`, 'nested more than 64 deep'],
    ['deep lists', '['.repeat(200_000), 'nested more than 64 deep'],
    ['a long entry', `[{"a": "${'x'.repeat(2_000_000)}"}]`, 'Entry 1 is longer than 1 MB'],
  ])('%s', async (_, content, reason) => {
    expect(await open(content)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });
  it('more rows than it may have', async () => {
    expect(await open(`${redfin}\n${home}\n${home}\n`, { maxRows: 2 })).toMatchObject({ ok: true });
    const tooMany = { ok: false, reason: 'The file has more than 1 rows: split it.' };
    expect(await open(`${redfin}\n${home}\n${home}\n`, { maxRows: 1 })).toEqual(tooMany);
    expect(await open('[{"a":1},{"a":2}]', { maxRows: 1 })).toEqual(tooMany);
  });
  it('without reading what follows far too many rows', async () => {
    const endless = `${redfin}\n${`${home}\n`.repeat(40)}"no end`;
    const tooMany = { ok: false, reason: 'The file has more than 1 rows: split it.' };
    expect(await open(endless, { maxRows: 1 })).toEqual(tooMany);
  });
});
