import PDFDocument from 'pdfkit';
import { type FontName, fontFile, fontNames, printable } from './fonts.ts';

/** US Letter, in points. */
export const MARGIN = 54;
const FOOT_HEIGHT = 28;

export const colors = {
  text: '#1a211c',
  muted: '#4c534b',
  link: '#285c41',
  rule: '#d6cebd',
  notice: '#fbf4e3',
  /** of the lines and bars of charts, in their order */
  series: ['#2563eb', '#0f766e'],
} as const;

/** How a text looks; `size` in points. */
export interface TextStyle {
  font?: FontName;
  size?: number;
  color?: string;
  align?: 'left' | 'right' | 'center';
  /** all digits as wide as each other */
  tabular?: boolean;
}

export type Structure = ReturnType<PDFDocument['struct']>;

/** A document in the making: its pages, its structure, and how far down the current page is filled. */
export interface Sheet {
  doc: PDFDocument;
  /** what all structure elements hang on */
  root: Structure;
  left: number;
  width: number;
}

/** An empty document. */
export function newSheet(title: string, issuer: string, createdAt: Date): Sheet {
  const doc = new PDFDocument({
    size: 'LETTER',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOT_HEIGHT },
    bufferPages: true,
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    tagged: true,
    lang: 'en-US',
    displayTitle: true,
    info: {
      Title: metadata(title),
      Author: metadata(issuer),
      Creator: metadata(issuer),
      CreationDate: createdAt,
      ModDate: createdAt,
    },
  });
  for (const name of fontNames) doc.registerFont(name, fontFile(name));
  const root = doc.struct('Document');
  doc.addStructure(root);
  return { doc, root, left: MARGIN, width: doc.page.width - 2 * MARGIN };
}

/** The library writes these into XML as they are. */
const metadata = (text: string): string => printable(text).replaceAll('&', 'and').replace(/[<>]/g, '');

/** Begins a new page unless `height` points fit on this one. */
export function makeRoom({ doc }: Sheet, height: number): boolean {
  if (doc.y + height <= doc.page.height - doc.page.margins.bottom) return false;
  doc.addPage();
  return true;
}

/** Writes a text at a place of the current page; the next block begins below it. */
export function write(
  { doc }: Sheet,
  text: string,
  at: { x: number; y: number; width: number },
  style: TextStyle = {},
): void {
  applyStyle(doc, style);
  doc.text(printable(text), at.x, at.y, textOptions(at.width, style));
}

/** How high a text is in that width, in points. */
export function heightOf({ doc }: Sheet, text: string, width: number, style: TextStyle = {}): number {
  applyStyle(doc, style);
  return doc.heightOfString(printable(text), textOptions(width, style));
}

/** How wide a text is on one line, in points. */
export function widthOf({ doc }: Sheet, text: string, style: TextStyle = {}): number {
  applyStyle(doc, style);
  return doc.widthOfString(printable(text));
}

const textOptions = (width: number, { align = 'left', tabular = false }: TextStyle) => ({
  width,
  align,
  lineGap: 2,
  ...(tabular && { features: ['tnum'] }),
});

const applyStyle = (doc: PDFDocument, { font = 'regular', size = 10, color = colors.text }: TextStyle) =>
  doc.font(font).fontSize(size).fillColor(color);

/** Draws what has no meaning of its own, so that it is not read aloud. */
export function decorate({ doc }: Sheet, draw: (doc: PDFDocument) => void): void {
  doc.markContent('Artifact', { type: 'Layout' });
  doc.save();
  draw(doc);
  doc.restore();
  doc.endMarkedContent();
}

/** A line across the column at this height. */
export const rule = (sheet: Sheet, y: number): void =>
  decorate(sheet, (doc) =>
    doc
      .moveTo(sheet.left, y)
      .lineTo(sheet.left + sheet.width, y)
      .lineWidth(0.75)
      .strokeColor(colors.rule)
      .stroke(),
  );

/** Writes the foot of every page: the document, and which page of how many it is. */
export function numberPages(sheet: Sheet, title: string, issuer: string): void {
  const { doc, left, width } = sheet;
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page);
    // The foot lies below the margin, where text would begin a new page.
    const { bottom } = doc.page.margins;
    doc.page.margins.bottom = 0;
    const y = doc.page.height - MARGIN;
    doc.markContent('Artifact', { type: 'Pagination' });
    write(sheet, `${issuer} · ${title}`, { x: left, y, width: width - 90 }, footStyle);
    const place = `Page ${page - start + 1} of ${count}`;
    write(sheet, place, { x: left + width - 90, y, width: 90 }, { ...footStyle, align: 'right' });
    doc.endMarkedContent();
    doc.page.margins.bottom = bottom;
  }
}
const footStyle: TextStyle = { size: 8, color: colors.muted };

/** Ends the document. */
export function finish({ doc, root }: Sheet): Promise<Buffer<ArrayBuffer>> {
  root.end();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', () => resolve(Buffer.concat(chunks)));
    doc.on('error', reject);
    doc.end();
  });
}
