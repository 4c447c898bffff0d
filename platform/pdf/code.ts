import { qrCode } from '../qr-code.ts';
import type { PdfCode } from './content.ts';
import { colors, heightOf, makeRoom, type Sheet, type TextStyle, write } from './sheet.ts';

/** Scanners want modules of at least 0.4 mm; with the margin this is 0.6 mm for an address of 60 characters. */
const SIDE = 86;
const GUTTER = 14;
const TITLE: TextStyle = { font: 'strong' };
const NOTE: TextStyle = { size: 8.5, color: colors.muted };
const LINK: TextStyle = { size: 8.5, color: colors.link };

/** A QR code at the left as one figure with a description, at its right what it is for and the address in writing. */
export function drawCode(sheet: Sheet, { description, title, text, url }: PdfCode): void {
  const { doc, root, left } = sheet;
  const x = left + SIDE + GUTTER;
  const width = sheet.width - SIDE - GUTTER;
  const words =
    heightOf(sheet, title, width, TITLE) +
    heightOf(sheet, text, width, NOTE) +
    heightOf(sheet, url, width, LINK);
  makeRoom(sheet, Math.max(SIDE, words));
  const top = doc.y;
  const code = qrCode(url);
  root.add(
    doc.struct('Figure', { alt: description, bbox: [left, top, left + SIDE, top + SIDE] }, () => {
      doc.save();
      doc.translate(left, top).scale(SIDE / code.size);
      doc.path(code.path).fill('#000');
      doc.restore();
    }),
  );
  doc.y = top + Math.max(0, (SIDE - words) / 2);
  root.add(doc.struct('P', () => write(sheet, title, { x, y: doc.y, width }, TITLE)));
  root.add(doc.struct('P', () => write(sheet, text, { x, y: doc.y, width }, NOTE)));
  const paragraph = doc.struct('P');
  root.add(paragraph);
  const link = doc.struct('Link');
  paragraph.add(link);
  const y = doc.y;
  link.add(() => write(sheet, url, { x, y, width }, LINK));
  doc.link(x, y, width, doc.y - y, url, { structParent: link, Contents: Object(title) });
  doc.y = Math.max(doc.y, top + SIDE) + 12;
}
