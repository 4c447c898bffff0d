import { describe, expect, it } from 'vitest';
import { readPdf } from '#tests/support/files/read-pdf.ts';
import type { PdfBlock, PdfContent } from './content.ts';
import { renderPdf } from './render.ts';

const heading: PdfBlock = { kind: 'heading', level: 1, text: 'Report', note: 'No. 7' };
const table = (rows: number): PdfBlock => ({
  kind: 'table',
  columns: [
    { header: 'Item', share: 3 },
    { header: 'Amount', share: 1, right: true },
  ],
  rows: Array.from({ length: rows }, (_, at) => [`Row ${at + 1} of many`, `$${at}.00`]),
  total: ['Sum', '$99.00'],
});
const contentOf = (...blocks: PdfBlock[]): PdfContent => ({
  title: 'Report 7',
  issuer: 'Acre Trading Post',
  createdAt: new Date('2026-03-01T10:00:00Z'),
  blocks,
});
const textOf = async (...blocks: PdfBlock[]) =>
  (await readPdf(await renderPdf(contentOf(...blocks)))).pages.join('\n');

describe('a PDF', () => {
  it('is the same bytes for the same content, whenever it is made and whatever was printed before', async () => {
    const content = contentOf(heading, { kind: 'paragraph', text: 'A maze of oaks' }, table(3));
    // Made of the same shapes as other letters: reading them must leave nothing behind.
    await renderPdf(contentOf({ kind: 'paragraph', text: 'Łódź, ñandú, Ångström' }));
    const first = await renderPdf(content);
    expect((await readPdf(first)).pages[0]).toContain('A maze of oaks');
    expect((await renderPdf({ ...content })).equals(first)).toBe(true);
    expect((await renderPdf({ ...content, title: 'Report 8' })).equals(first)).toBe(false);
  });

  it('says what it is, in which language, and by whom', async () => {
    const bytes = await renderPdf({ ...contentOf(heading), issuer: 'Hope & <Sons>' });
    const { info, marked } = await readPdf(bytes);
    expect(info).toMatchObject({
      Title: 'Report 7',
      Author: 'Hope and Sons',
      Language: 'en-US',
      CreationDate: 'D:20260301100000Z',
      ModDate: 'D:20260301100000Z',
    });
    expect(marked).toBe(true);
    const raw = bytes.toString('latin1');
    expect(raw).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(raw).toContain('/DisplayDocTitle true');
    // In the XML these would be markup.
    expect(raw).not.toMatch(/Hope & |<Sons>/);
  });

  it('embeds its typefaces, and only the characters that it uses', async () => {
    const bytes = await renderPdf(contentOf(heading));
    const raw = bytes.toString('latin1');
    const fonts = raw.match(/\/BaseFont \/\S+/g) ?? [];
    expect(fonts.length).toBeGreaterThan(0);
    for (const font of fonts) expect(font).toMatch(/^\/BaseFont \/[A-Z]{6}\+Inter-/);
    expect(raw.match(/\/FontFile2/g)).toHaveLength(2);
    expect(bytes.byteLength).toBeLessThan(40_000);
  });

  it('is read in its order, with headings, labels and header cells', async () => {
    const facts: PdfBlock = {
      kind: 'facts',
      facts: [
        { label: 'Buyer', lines: ['Ada Quill', 'ada@example.test'] },
        { label: 'Transaction', lines: ['0xabc'], url: 'https://example.test/tx' },
      ],
    };
    const bytes = await renderPdf(contentOf(heading, facts, table(1)));
    const { structure, links, pages } = await readPdf(bytes);
    expect(structure[0]?.replaceAll(/\n\s*/g, ' ').trim()).toBe(
      'Root Document P H1 P L LI Lbl LBody P P LI Lbl LBody Link Table TR TH TH TR TH TD TR TH TD',
    );
    expect(links).toEqual(['https://example.test/tx']);
    const raw = bytes.toString('latin1');
    expect([raw.match(/\/Scope \/Column/g)?.length, raw.match(/\/Scope \/Row/g)?.length]).toEqual([2, 2]);
    expect(pages[0]?.replaceAll('\n', ' ').replaceAll(/ +/g, ' ')).toContain(
      'Report No. 7 Buyer Ada Quill ada@example.test Transaction 0xabc Item Amount Row 1 of many $0.00 Sum $99.00',
    );
  });

  it('draws a QR code as one figure with its description, and its address as a link beside it', async () => {
    const url = 'https://example.test/verify?q=ATP-000042';
    const code: PdfBlock = {
      kind: 'code',
      description: 'QR code of the address at its right',
      title: 'Check this',
      text: 'Open this address.',
      url,
    };
    const bytes = await renderPdf(contentOf(heading, code, { kind: 'paragraph', text: 'What follows' }));
    const { structure, links, pages } = await readPdf(bytes);
    expect(structure[0]?.replaceAll(/\n\s*/g, ' ').trim()).toBe('Root Document P H1 P Figure P P P Link P');
    expect(links).toEqual([url]);
    expect(pages[0]).toContain(url);
    expect(bytes.toString('latin1')).toContain('/Alt (QR code of the address at its right)');
    expect(
      (await renderPdf(contentOf(heading, code, { kind: 'paragraph', text: 'What follows' }))).equals(bytes),
    ).toBe(true);
    // A code that does not fit on the page begins the next one.
    const long = await readPdf(await renderPdf(contentOf(table(20), code)));
    expect(long.pages.join('').match(/Check this/g)).toHaveLength(1);
  });

  it('draws a chart as one figure with its description, its axis and the labels that fit', async () => {
    const days = Array.from({ length: 30 }, (_, at) => `Dec ${at + 1}`);
    const chart: PdfBlock = {
      kind: 'chart',
      form: 'line',
      description: 'Views and viewers, 30 values.',
      labels: days,
      series: [
        { name: 'Views', values: days.map((_, at) => at * 100) },
        { name: 'Unique viewers', values: days.map((_, at) => (at === 3 ? -50 : at)) },
      ],
      tick: (value) => `${value} views`,
    };
    const bytes = await renderPdf(contentOf(heading, chart, table(1)));
    const { structure, pages } = await readPdf(bytes);
    expect(structure[0]?.replaceAll(/\n\s*/g, ' ')).toMatch(/H1 P Figure Table/);
    const raw = bytes.toString('latin1');
    expect(raw).toContain('/Alt (Views and viewers, 30 values.)');
    expect(raw).toMatch(/\/BBox \[54 /);
    const [page = ''] = pages;
    for (const told of ['Views', 'Unique viewers', '-1000 views', '0 views', '3000 views', 'Dec 1 '])
      expect(page.replaceAll('\n', ' ')).toContain(told);
    expect(page).not.toContain('Dec 2\n');
    expect((await renderPdf(contentOf(heading, chart, table(1)))).equals(bytes)).toBe(true);
  });

  it('draws bars, also of what is below zero and of nothing at all', async () => {
    const bars = (...values: number[]): PdfBlock => ({
      kind: 'chart',
      form: 'bars',
      description: 'Bars',
      labels: values.map((_, at) => `Band ${at}`),
      series: [{ name: 'Views', values }],
      tick: String,
    });
    const text = await textOf(bars(4, -2, 0), bars(0));
    for (const told of ['Band 0', 'Band 1', 'Band 2', '-2']) expect(text).toContain(told);
  });

  it('carries a long table over pages: each has the head and its number, and no row is lost', async () => {
    const { pages, structure } = await readPdf(await renderPdf(contentOf(heading, table(80))));
    expect(pages.length).toBeGreaterThan(2);
    for (const [at, page] of pages.entries()) {
      expect(page).toContain('Item');
      expect(page).toContain(`Page ${at + 1} of ${pages.length}`);
    }
    const found = [...pages.join('\n').matchAll(/Row (\d+) of many/g)].map(([, number]) => Number(number));
    expect(found).toEqual(Array.from({ length: 80 }, (_, at) => at + 1));
    // The head is read once.
    expect(structure[0]?.match(/TH\n\s+TH/g)).toHaveLength(1);
  });

  it('carries a long text over pages', async () => {
    const words = Array.from({ length: 2500 }, (_, at) => `word${at}`);
    const text = await textOf({ kind: 'paragraph', text: words.join(' ') });
    expect(text.match(/word\d+/g)).toEqual(words);
  });

  it('prints names of many languages, and a question mark for what the typeface lacks', async () => {
    const names = 'Nguyễn Văn Łukasz Þór Ødegård Ирина Γιώργος';
    const text = await textOf({ kind: 'paragraph', text: `${names} 李 👍\u0000\n end` });
    expect(text).toContain(`${names} ? ? end`);
  });

  it('breaks words that are wider than the page', async () => {
    const hash = `0x${'ab'.repeat(400)}`;
    const text = await textOf({ kind: 'paragraph', text: hash });
    expect(text.replaceAll('\n', '')).toContain(hash);
  });
});
