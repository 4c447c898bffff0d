import { getDocumentProxy } from 'unpdf';

interface StructureNode {
  role?: string;
  children?: StructureNode[];
}

/** A PDF as a reader of it has it. */
interface ReadPdf {
  /** the text of each page, in the order of its content */
  pages: string[];
  /** the structure of each page, indented: what a screen reader follows */
  structure: string[];
  info: Record<string, unknown>;
  /** whether it says that its structure can be relied on */
  marked: boolean;
  links: string[];
}

/** Reads a PDF with a library that has nothing to do with the one that writes it. */
export async function readPdf(bytes: Uint8Array): Promise<ReadPdf> {
  const document = await getDocumentProxy(new Uint8Array(bytes));
  const read: ReadPdf = { pages: [], structure: [], info: {}, marked: false, links: [] };
  read.info = (await document.getMetadata()).info as Record<string, unknown>;
  read.marked = (await document.getMarkInfo())?.Marked === true;
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    read.pages.push(
      items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''),
    );
    read.structure.push(outline((await page.getStructTree()) as StructureNode | null, 0));
    for (const { url } of (await page.getAnnotations()) as { url?: string }[]) if (url) read.links.push(url);
  }
  return read;
}

const outline = (node: StructureNode | null, depth: number): string =>
  node?.role === undefined
    ? ''
    : `${'  '.repeat(depth)}${node.role}\n${(node.children ?? []).map((child) => outline(child, depth + 1)).join('')}`;
