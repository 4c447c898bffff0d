/** The part of pdfkit that is used; the published types are of an older version. Lengths are points from the top left corner. */
declare module 'pdfkit' {
  import type { Readable } from 'node:stream';

  interface DocumentOptions {
    size: 'LETTER';
    margins: Margins;
    /** keeps the pages until the end, so that they can be numbered */
    bufferPages: boolean;
    pdfVersion: '1.7';
    subset: 'PDF/UA';
    tagged: boolean;
    /** BCP 47 */
    lang: string;
    displayTitle: boolean;
    info: { Title: string; Author: string; Creator: string; CreationDate: Date; ModDate: Date };
  }
  interface Margins {
    top: number;
    right: number;
    bottom: number;
    left: number;
  }
  interface TextOptions {
    width: number;
    lineGap: number;
    align?: 'left' | 'right' | 'center';
    /** OpenType features */
    features?: string[];
  }
  interface StructureOptions {
    /** of a header cell */
    scope?: 'Column' | 'Row';
    /** of a picture: what is read instead of it */
    alt?: string;
    /** of a picture: its left, upper, right and lower edge */
    bbox?: [number, number, number, number];
  }
  /** Called once, when the element hangs on the document; draws its content. */
  type Draw = () => void;
  interface Structure {
    add(child: Structure | Draw): Structure;
    end(): void;
  }
  interface LinkOptions {
    structParent: Structure;
    /** a `String` object: a plain string is written as a name */
    Contents: object;
  }

  export default class PDFDocument extends Readable {
    constructor(options: DocumentOptions);
    readonly page: { width: number; height: number; margins: Margins };
    y: number;
    addPage(): this;
    bufferedPageRange(): { start: number; count: number };
    switchToPage(page: number): void;
    /** @param font the bytes of its file */
    registerFont(name: string, font: Uint8Array): this;
    font(name: string): this;
    fontSize(size: number): this;
    fillColor(color: string): this;
    strokeColor(color: string): this;
    lineWidth(width: number): this;
    lineJoin(join: 'round'): this;
    dash(length: number, options: { space: number }): this;
    undash(): this;
    text(text: string, x: number, y: number, options: TextOptions): this;
    widthOfString(text: string): number;
    heightOfString(text: string, options: TextOptions): number;
    link(x: number, y: number, width: number, height: number, url: string, options: LinkOptions): this;
    struct(type: string, draw?: Draw): Structure;
    struct(type: string, options: StructureOptions, draw: Draw): Structure;
    addStructure(element: Structure): this;
    markContent(tag: 'Artifact', options: { type: 'Layout' | 'Pagination' }): this;
    endMarkedContent(): this;
    save(): this;
    restore(): this;
    moveTo(x: number, y: number): this;
    lineTo(x: number, y: number): this;
    stroke(): this;
    translate(x: number, y: number): this;
    scale(factor: number): this;
    /** as SVG writes it */
    path(path: string): this;
    rect(x: number, y: number, width: number, height: number): this;
    circle(x: number, y: number, radius: number): this;
    roundedRect(x: number, y: number, width: number, height: number, radius: number): this;
    fill(color: string): this;
    end(): void;
  }
}
