const ADDRESS = /https?:\/\/[^\s<>"']+/g;
/** Characters more likely to end a sentence than a URL. */
const TRAILING = /[.,;:!?)\]}]+$/;

/** A message as text, never as HTML; URLs become links only if `links` is set. */
export function MessageText({ text, links }: { text: string; links: boolean }) {
  return <p className="bub">{links ? splitUrls(text).map(renderSegment) : text}</p>;
}

interface TextSegment {
  text: string;
  href: string | null;
  at: number;
}

const renderSegment = ({ text, href, at }: TextSegment) =>
  href ? (
    <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {text}
    </a>
  ) : (
    <span key={at}>{text}</span>
  );

/** Splits a text into plain segments and URLs. */
export function splitUrls(text: string): TextSegment[] {
  const segments: TextSegment[] = [];
  let at = 0;
  const push = (end: number, href: string | null) => {
    if (end > at) segments.push({ text: text.slice(at, end), href, at });
    at = end;
  };
  for (const match of text.matchAll(ADDRESS)) {
    const address = match[0].replace(TRAILING, '');
    if (!URL.canParse(address)) continue;
    push(match.index, null);
    push(match.index + address.length, address);
  }
  push(text.length, null);
  return segments;
}
