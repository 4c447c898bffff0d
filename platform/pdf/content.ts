/** What a PDF says, block by block from top to bottom. It says nothing about how that looks. */
export interface PdfContent {
  /** of the window, and in the foot of every page */
  title: string;
  /** who issued it: above the title, and in the foot of every page */
  issuer: string;
  /** UTC. Take it from what the document is about, never from the clock: the same content is the same bytes. */
  createdAt: Date;
  blocks: readonly PdfBlock[];
}

export type PdfBlock = PdfHeading | PdfParagraph | PdfFacts | PdfTable | PdfChart | PdfCode;

/** Level 1 stands once, at the top; `note` is beside it. */
export interface PdfHeading {
  kind: 'heading';
  level: 1 | 2;
  text: string;
  note?: string;
}

/** `notice` is set off, for what must not be missed. */
export interface PdfParagraph {
  kind: 'paragraph';
  text: string;
  tone?: 'plain' | 'notice';
}

/** Labels with their values, in two columns. */
export interface PdfFacts {
  kind: 'facts';
  facts: readonly PdfFact[];
}
export interface PdfFact {
  label: string;
  /** one line each; longer ones are wrapped */
  lines: readonly string[];
  /** what the lines lead to */
  url?: string;
}

/** The first cell of each row names the row; the head is repeated on every page. */
export interface PdfTable {
  kind: 'table';
  columns: readonly PdfColumn[];
  rows: readonly (readonly string[])[];
  /** the last row, set off */
  total?: readonly string[];
}
interface PdfColumn {
  header: string;
  /** the part of the width, relative to those of the other columns */
  share: number;
  /** for numbers: at the right, all digits as wide */
  right?: boolean;
}

/** A picture of numbers; they stand in a table as well, because a picture has no exact values. At least one label. */
export interface PdfChart {
  kind: 'chart';
  form: 'line' | 'bars';
  /** what a screen reader says instead of the picture */
  description: string;
  /** under the points from left to right; where they do not fit, some are left out */
  labels: readonly string[];
  /** at most two of a line, one of bars; a value for each label. Told apart by color and by dashes. */
  series: readonly { name: string; values: readonly number[] }[];
  /** a value as the axis names it */
  tick: (value: number) => string;
}

/** A QR code with its caption beside it; the address that it holds is a link below the caption. */
export interface PdfCode {
  kind: 'code';
  /** what a screen reader says instead of the picture */
  description: string;
  title: string;
  text: string;
  url: string;
}
