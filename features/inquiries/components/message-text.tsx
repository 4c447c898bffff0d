const ADDRESS = /https?:\/\/[^\s<>"']+/g;
/** Ends a sentence more likely than an address. */
const TRAILING = /[.,;:!?)\]}]+$/;

/** What somebody wrote, as text and never as HTML; web addresses lead there only where `links` says so (S0 §2, B3). */
export function MessageText({ text, links }: { text: string; links: boolean }) {
  return <p className="bub">{links ? pieces(text).map(piece) : text}</p>;
}

interface Piece {
  text: string;
  href: string | null;
  at: number;
}

const piece = ({ text, href, at }: Piece) =>
  href ? (
    <a key={at} href={href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {text}
    </a>
  ) : (
    <span key={at}>{text}</span>
  );

/** A text cut where its web addresses begin and end. */
export function pieces(text: string): Piece[] {
  const cut: Piece[] = [];
  let at = 0;
  const push = (end: number, href: string | null) => {
    if (end > at) cut.push({ text: text.slice(at, end), href, at });
    at = end;
  };
  for (const match of text.matchAll(ADDRESS)) {
    const address = match[0].replace(TRAILING, '');
    if (!URL.canParse(address)) continue;
    push(match.index, null);
    push(match.index + address.length, address);
  }
  push(text.length, null);
  return cut;
}
