import { setImmediate as nextTurn } from 'node:timers/promises';
import { drawChart } from './chart.ts';
import { drawCode } from './code.ts';
import type { PdfBlock, PdfContent, PdfFact, PdfFacts, PdfHeading, PdfParagraph } from './content.ts';
import { fontNames } from './fonts.ts';
import {
  colors,
  decorate,
  finish,
  heightOf,
  makeRoom,
  newSheet,
  numberPages,
  rule,
  type Sheet,
  type Structure,
  type TextStyle,
  widthOf,
  write,
} from './sheet.ts';
import { drawTable } from './table.ts';

/**
 * A PDF in US Letter, readable by screen readers (tagged as PDF/UA asks, with its language and title), its typefaces
 * embedded. The same content is the same bytes. Other requests have their turn between the parts, because a document takes the
 * processor for a tenth of a second and more.
 */
export async function renderPdf(content: PdfContent): Promise<Buffer<ArrayBuffer>> {
  const { title, issuer, createdAt, blocks } = content;
  const sheet = newSheet(title, issuer, createdAt);
  await readFonts(sheet);
  drawText(sheet, 'P', issuer, { font: 'strong', size: 11 });
  sheet.doc.y += 10;
  for (const block of blocks) {
    await drawBlock(sheet, block);
    await nextTurn();
  }
  numberPages(sheet, title, issuer);
  await nextTurn();
  return finish(sheet);
}

/** The first text of a typeface reads its tables, which takes longer than most of what follows. */
async function readFonts(sheet: Sheet): Promise<void> {
  for (const font of fontNames) {
    widthOf(sheet, 'Page 1', { font });
    await nextTurn();
    widthOf(sheet, '1', { font, tabular: true });
    await nextTurn();
  }
}

async function drawBlock(sheet: Sheet, block: PdfBlock): Promise<void> {
  switch (block.kind) {
    case 'heading':
      drawHeading(sheet, block);
      break;
    case 'paragraph':
      drawParagraph(sheet, block);
      break;
    case 'facts':
      await drawFacts(sheet, block);
      break;
    case 'table':
      await drawTable(sheet, block);
      sheet.doc.y += 14;
      break;
    case 'chart':
      drawChart(sheet, block);
      break;
    case 'code':
      drawCode(sheet, block);
  }
}

/** A text as wide as the page, as a structure element of its own. */
function drawText(sheet: Sheet, tag: string, text: string, style: TextStyle): void {
  const { doc, root, left, width } = sheet;
  root.add(doc.struct(tag, () => write(sheet, text, { x: left, y: doc.y, width }, style)));
}

function drawHeading(sheet: Sheet, { level, text, note }: PdfHeading): void {
  const { doc, root, left, width } = sheet;
  const style: TextStyle = { font: 'strong', size: level === 1 ? 24 : 13 };
  // A heading does not stand alone at the foot of a page.
  makeRoom(sheet, heightOf(sheet, text, width, style) + 60);
  const top = doc.y;
  drawText(sheet, `H${level}`, text, style);
  const below = doc.y;
  if (note !== undefined) {
    const noteStyle: TextStyle = { color: colors.muted, align: 'right', tabular: true };
    const y = below - heightOf(sheet, note, width / 2, noteStyle) - (level === 1 ? 4 : 0);
    root.add(
      doc.struct('P', () =>
        write(sheet, note, { x: left + width / 2, y: Math.max(top, y), width: width / 2 }, noteStyle),
      ),
    );
  }
  doc.y = below + 8;
  if (level === 1) rule(sheet, doc.y);
  doc.y += level === 1 ? 16 : 4;
}

const NOTICE_PADDING = 9;

function drawParagraph(sheet: Sheet, { text, tone }: PdfParagraph): void {
  const { doc, root, left, width } = sheet;
  if (tone !== 'notice') {
    drawText(sheet, 'P', text, {});
    doc.y += 10;
    return;
  }
  const inner = width - 2 * NOTICE_PADDING;
  const style: TextStyle = { font: 'strong' };
  const height = heightOf(sheet, text, inner, style) + 2 * NOTICE_PADDING - 2;
  makeRoom(sheet, height);
  const y = doc.y;
  decorate(sheet, (on) => on.roundedRect(left, y, width, height, 4).fill(colors.notice));
  root.add(
    doc.struct('P', () =>
      write(sheet, text, { x: left + NOTICE_PADDING, y: y + NOTICE_PADDING, width: inner }, style),
    ),
  );
  doc.y = y + height + 12;
}

const FACT_GUTTER = 28;
const LABEL: TextStyle = { size: 8.5, color: colors.muted };

/** Two beside each other, as a list of labels with their values. */
async function drawFacts(sheet: Sheet, { facts }: PdfFacts): Promise<void> {
  const { doc, root, left } = sheet;
  const width = (sheet.width - FACT_GUTTER) / 2;
  const list = doc.struct('L');
  root.add(list);
  for (let at = 0; at < facts.length; at += 2) {
    const pair = facts.slice(at, at + 2);
    const height = Math.max(...pair.map((fact) => factHeight(sheet, fact, width)));
    makeRoom(sheet, height);
    const top = doc.y;
    for (const [column, fact] of pair.entries())
      drawFact(sheet, list, fact, { x: left + column * (width + FACT_GUTTER), y: top, width });
    doc.y = top + height + 12;
    await nextTurn();
  }
  doc.y += 4;
}

const lineStyle = ({ url }: PdfFact): TextStyle => (url === undefined ? {} : { color: colors.link });

const factHeight = (sheet: Sheet, fact: PdfFact, width: number): number =>
  heightOf(sheet, fact.label, width, LABEL) +
  fact.lines.reduce((sum, line) => sum + heightOf(sheet, line, width, lineStyle(fact)), 0);

function drawFact(
  sheet: Sheet,
  list: Structure,
  fact: PdfFact,
  { x, y, width }: { x: number; y: number; width: number },
): void {
  const { doc } = sheet;
  const item = doc.struct('LI');
  list.add(item);
  item.add(doc.struct('Lbl', () => write(sheet, fact.label, { x, y, width }, LABEL)));
  const body = doc.struct('LBody');
  item.add(body);
  for (const line of fact.lines) drawLine(sheet, body, fact, line, { x, width });
}

function drawLine(
  sheet: Sheet,
  body: Structure,
  fact: PdfFact,
  line: string,
  { x, width }: { x: number; width: number },
): void {
  const { doc } = sheet;
  const y = doc.y;
  const draw = () => write(sheet, line, { x, y, width }, lineStyle(fact));
  const { url } = fact;
  if (url === undefined) {
    body.add(doc.struct('P', draw));
    return;
  }
  const link = doc.struct('Link');
  body.add(link);
  link.add(draw);
  // What a screen reader says of the link is its text; the format asks for a description all the same.
  doc.link(x, y, width, doc.y - y, url, { structParent: link, Contents: Object(fact.label) });
}
