/** A part of a line: plain, bold, or a link to an http, https or mailto address. */
export type Span = { text: string; bold?: true; href?: string };

export type Block =
  | { kind: 'heading'; level: 2 | 3; spans: Span[] }
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'list'; items: Span[][] };

const SPAN = /\*\*(.+?)\*\*|\[([^\]]+)\]\(([^()\s]+)\)|([\w.+-]+@[\w-]+(?:\.[\w-]+)+)/g;

/**
 * Parses simple Markdown: headings (`##`, `###`), lists (`-`), paragraphs, bold, links and bare e-mail addresses. Everything else,
 * HTML included, stays text. The result is data, so that whatever shows it escapes it.
 */
export function parseMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  for (const part of text.split(/\n{2,}/)) {
    let paragraph: string[] = [];
    let items: Span[][] = [];
    const flush = () => {
      if (paragraph.length > 0) blocks.push({ kind: 'paragraph', spans: parseSpans(paragraph.join(' ')) });
      if (items.length > 0) blocks.push({ kind: 'list', items });
      paragraph = [];
      items = [];
    };
    for (const line of part.split('\n')) {
      const heading = /^(#{1,3})\s+(.+)$/.exec(line);
      const item = /^[-*]\s+(.+)$/.exec(line);
      if (heading) {
        flush();
        const level = heading[1] === '###' ? 3 : 2;
        blocks.push({ kind: 'heading', level, spans: parseSpans(heading[2] ?? '') });
      } else if (item) {
        if (paragraph.length > 0) flush();
        items.push(parseSpans(item[1] ?? ''));
      } else if (line.trim() !== '') {
        if (items.length > 0) flush();
        paragraph.push(line.trim());
      }
    }
    flush();
  }
  return blocks;
}

function parseSpans(line: string): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const match of line.matchAll(SPAN)) {
    const [whole, bold, label, address = '', mail] = match;
    if (match.index > end) spans.push({ text: line.slice(end, match.index) });
    end = match.index + whole.length;
    if (bold !== undefined) spans.push({ text: bold, bold: true });
    else if (mail !== undefined) spans.push({ text: mail, href: `mailto:${mail}` });
    else if (label !== undefined && isSafe(address)) spans.push({ text: label, href: address });
    else spans.push({ text: whole });
  }
  if (end < line.length) spans.push({ text: line.slice(end) });
  return spans;
}

const isSafe = (address: string): boolean =>
  /^(?:https?:\/\/|mailto:)/i.test(address) && URL.canParse(address);

/** The text with the marketplace's name and support address in their places. */
export const fillPlaceholders = (
  body: string,
  { brand, support }: { brand: string; support: string },
): string => body.replaceAll('{marketplace}', () => brand).replaceAll('{support}', () => support);
