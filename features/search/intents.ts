import { type Asked, type Found, factsIn, isDenied } from './intent-facts.ts';
import type { SearchableType, SearchSort } from './model.ts';

/** A part of the text that was understood. */
export interface Understood {
  /** such as '3+ beds' */
  label: string;
  /** the text without it */
  without: string;
  /** of what the URL can ask for in its place: which of the two */
  asks?: 'type' | 'sort';
}

/** Characters of a text, from `start` to before `end`. */
export type Span = Pick<Found, 'start' | 'end'>;

export interface Reading {
  /** what remains to be searched for as words */
  words: string;
  asked: Asked;
  understood: Understood[];
  /** the text without the types that it names */
  withoutType: string;
  /** what was taken out of the text as a filter, an order or a word that only links them */
  cuts: readonly Span[];
}

const NUMBERS = 'one two three four five six seven eight nine'.split(' ');
const AMOUNT = String.raw`\$?\s?(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)\s?(k|thousand|mm?|mil|million)?`;
/** Not money: square feet and the like. */
const NO_UNIT = String.raw`(?![\d,.]*\d|\s*(?:sq|sf\b|square|acres?\b|ft\b|feet\b|beds?|ba(?:th)?s?\b|br\b))`;
const COUNT = String.raw`(\d{1,2}|${NUMBERS.join('|')})`;
const MORE = String.raw`(?:\s?\+|\s+or more|\s+plus)?`;

const pattern = (source: string) => new RegExp(String.raw`(?<![\w$])${source}`, 'gi');
const range = pattern(
  String.raw`(between\s+|from\s+)?(${AMOUNT})\s?(?:-|–|to|and)\s?(${AMOUNT})(?!\w)${NO_UNIT}`,
);
const most = pattern(
  String.raw`(?:under|below|less than|up to|at most|no more than|cheaper than|max(?:imum)?|<)\s?(${AMOUNT})(?!\w)${NO_UNIT}`,
);
const least = pattern(
  String.raw`(?:over|above|more than|at least|starting at|from|min(?:imum)?|>)\s?(${AMOUNT})(?!\w)${NO_UNIT}`,
);
const andMore = pattern(String.raw`(${AMOUNT})\s?\+(?!\w)${NO_UNIT}`);
/** The second number is the higher one of two, as in '2-3 beds'. */
const roomPattern = (count: string, name: string) =>
  pattern(
    String.raw`(?:at least\s+|between\s+|from\s+)?${count}(?:\s?(?:-|–|to|or|and)\s?${count})?${MORE}[\s-]?(?:${name})${MORE}(?![a-z])`,
  );
const beds = roomPattern(COUNT, 'bed(?:room)?s?|bdrms?|bds?|brs?');
const baths = roomPattern(String.raw`(\d{1,2}(?:\.5)?|${NUMBERS.join('|')})`, 'bath(?:room)?s?|ba');
/** Before or after a number of rooms: it is the highest. */
const atMostBefore =
  /(?:\b(?:under|below|less than|fewer than|up to|at most|no more than|max(?:imum)?(?: of)?)|<=?)\s*$/i;
const orLessAfter = /^\s*(?:or (?:less|fewer)|at most|max(?:imum)?)\b(?!\s*\$?\d)/i;
/** A word of what is for sale may follow, and 'first' at the end of a part. */
const order = (source: string) =>
  pattern(String.raw`(?:${source})\b(?:\s+listings?\b)?(?:\s+first(?=\s*(?:$|[,;])))?`);
const sorts: [RegExp, SearchSort, string][] = [
  [
    order(String.raw`cheapest|least expensive|lowest[ -]priced?|(?:prices?\s+)?low(?:est)? to high(?:est)?`),
    'price-up',
    'Cheapest first',
  ],
  [
    order(String.raw`most expensive|priciest|highest[ -]priced?|(?:prices?\s+)?high(?:est)? to low(?:est)?`),
    'price-down',
    'Most expensive first',
  ],
  [
    order(
      'newest|latest|most recent|(?:just|newly|recently) listed|new listings?|new (?:on|to) (?:the )?market',
    ),
    'newest',
    'Newest first',
  ],
  [order('largest|biggest'), 'largest', 'Largest first'],
];
const plainNew = pattern(
  String.raw`(?<!\b(?:like|as|nearly|almost|brand)[\s-])(?:what['’]?s\s+)?new(?![\w-])`,
);
/** What 'new' can be said of, and how a text goes on after it. */
const afterNew =
  /^(?:\s*(?:$|[,;])|\s+(?:homes?|houses?|propert(?:y|ies)|real estate|places|in|near|around|with|for sale)\b)/i;
/** What people call a type, and how its name is recognized. */
const typeWords: [RegExp, RegExp][] = [
  [pattern(String.raw`condo(?:minium)?s?\b`), /condo/i],
  [pattern(String.raw`town[ -]?(?:house|home)s?\b`), /town/i],
  [pattern(String.raw`(?:mobile|manufactured) homes?\b`), /mobile|manufactured/i],
  [pattern(String.raw`single[ -]family(?: homes?| houses?)?\b`), /single/i],
  [
    pattern(
      String.raw`(?:multi[ -]?family(?: homes?| houses?)?|duplex(?:es)?|triplex(?:es)?|fourplex(?:es)?)\b`,
    ),
    /multi/i,
  ],
  [pattern(String.raw`(?:vacant (?:land|lots?)|land|lots|acreage)\b`), /\blots?\b|land/i],
  [pattern(String.raw`commercial(?: propert(?:y|ies)| buildings?| spaces?| real estate)?\b`), /commercial/i],
];
/** A house number before, or a street's suffix after: the word is part of an address. */
const afterNumber = /\d\s+(?:[nsew]{1,2}\.?\s+)?$/i;
const beforeSuffix =
  /^\s+(?:st(?!\.?\s+\w)|street|ave?|avenue|rd|road|dr|drive|ln|lane|blvd|way|ct|court|pl|place|park|hwy)\b/i;

const subject = `(?:homes?|houses?|propert(?:y|ies)|listings?|real estate|places?)`;
const fillers = [
  new RegExp(String.raw`\b(?:${subject}\s+)?for sale\b(?:\s+(?:in|near|around|at)\b)?`, 'gi'),
  new RegExp(String.raw`^\s*${subject}\s+(?:in|near|around)\b`, 'gi'),
  /\bwith(?:\s+an?)?(?=\s+\w)/gi,
];
const linking =
  /\b(?:in(?=\s+[^\s\d])|near|around|with|a|an|and|that|has|have|priced|price|homes?|houses?|propert(?:y|ies))\b/gi;

/** Stands for each character of a name, so that no pattern finds anything in it. */
const HIDDEN = '\ue000';

/**
 * Reads filters and an order out of what was typed: '3 bed under 500k in Boise' asks for three bedrooms, at most $500,000 and the
 * word Boise. What could be part of an address stays a word.
 * @param names parts of the text that name places, which stay words as well
 */
export function readIntents(
  typed: string,
  types: readonly SearchableType[],
  names: readonly Span[] = [],
): Reading {
  const text = names.reduce((rest, name) => filled(rest, name, HIDDEN), typed);
  const asTyped = (part: string) => part.replaceAll(HIDDEN, (_, at: number) => typed.charAt(at));
  const filters = [...prices(text), ...rooms(text), ...factsIn(text), ...typesIn(text, types)];
  const found = withoutOverlaps([...filters, ...orders(text, filters)]);
  const without = (parts: readonly Span[], rest = text) =>
    parts.reduce((left, part) => filled(left, part, ' '), rest);
  const bare = fillers.reduce((rest, filler) => without(spansOf(filler, rest), rest), without(found));
  const namesOfTypes = found.filter(({ asks }) => asks.type);
  const links = bare === text ? [] : spansOf(linking, bare);
  return {
    words: tidy(asTyped(without(links, bare))),
    cuts: [...found, ...links].map(({ start, end }) => ({ start, end })),
    asked: {
      ...Object.assign({ ...nothing }, ...found.map(({ asks }) => asks)),
      amenities: [...new Set(found.flatMap(({ asks }) => asks.amenities ?? []))],
    },
    understood: found.map((one) => ({
      label: one.label,
      without: tidyEnds(asTyped(without([one]))),
      ...(one.asks.type && { asks: 'type' }),
      ...(one.asks.sort && { asks: 'sort' }),
    })),
    withoutType: namesOfTypes.length > 0 ? tidyEnds(asTyped(without(namesOfTypes))) : typed,
  };
}

/** The text as nothing but words. */
export const asWords = (text: string): Reading => ({
  words: text,
  asked: nothing,
  understood: [],
  withoutType: text,
  cuts: [],
});

const nothing: Asked = {
  minCents: null,
  maxCents: null,
  minBeds: null,
  minBaths: null,
  minSqft: null,
  maxSqft: null,
  minLotSqft: null,
  maxLotSqft: null,
  minYear: null,
  maxYear: null,
  amenities: [],
  type: null,
  sort: null,
};

const tidy = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;.-]+|[\s,;-]+$/g, '')
    .trim();
/** Without words that linked what was cut to the rest. */
const tidyEnds = (text: string) =>
  tidy(tidy(text).replace(/^(?:in|near|with|and)\b|\b(?:near|with|and)$/gi, ''));

const dollars = (cents: number) => `$${(cents / 100).toLocaleString('en-US')}`;

/** Whole cents; null for what is rather a number of something else: no sign, no unit, and less than $10,000. */
function cents(amount: string, sharedUnit = ''): number | null {
  const [, digits = '', ownUnit = ''] = new RegExp(AMOUNT, 'i').exec(amount) ?? [];
  const unit = (ownUnit || sharedUnit).toLowerCase();
  const value = Number(digits.replaceAll(',', ''));
  const factor = unit.startsWith('m') ? 1_000_000 : unit ? 1_000 : 1;
  if (!unit && !amount.includes('$') && value < 10_000) return null;
  const whole = Math.round(value * factor * 100);
  return whole <= 100_000_000_000 ? whole : null;
}

function prices(text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(range)) {
    const [, word, low = '', , lowUnit = '', high = '', , highUnit = ''] = match;
    const [from, to] = [cents(low, lowUnit || highUnit), cents(high)];
    // Two plain numbers can be those of a street.
    const plain = !word && !low.includes('$') && !high.includes('$') && !lowUnit && !highUnit;
    if (from === null || to === null || from > to || (plain && from < 10_000_000)) continue;
    found.push({
      ...spanOf(match),
      label: `${dollars(from)} to ${dollars(to)}`,
      asks: { minCents: from, maxCents: to },
    });
  }
  for (const match of text.matchAll(most)) {
    const to = cents(match[1] ?? '');
    if (to !== null) found.push({ ...spanOf(match), label: `Up to ${dollars(to)}`, asks: { maxCents: to } });
  }
  for (const match of [...text.matchAll(least), ...text.matchAll(andMore)]) {
    const from = cents(match[1] ?? '');
    if (from !== null)
      found.push({ ...spanOf(match), label: `From ${dollars(from)}`, asks: { minCents: from } });
  }
  return found;
}

const countOf = (word: string): number => {
  const named = NUMBERS.indexOf(word.toLowerCase());
  return named >= 0 ? named + 1 : Math.floor(Number(word));
};

function rooms(text: string): Found[] {
  const of = (pattern: RegExp, name: string, asks: (count: number) => Partial<Asked>): Found[] =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const span = spanOf(match);
      const [, low = '', high = low] = match;
      const count = countOf(low);
      // No filter asks for at most so many rooms: such words stay words.
      const isBound = atMostBefore.test(text.slice(0, span.start)) || orLessAfter.test(text.slice(span.end));
      if (isBound || count < 1 || count > countOf(high)) return [];
      return [{ ...span, label: `${count}+ ${name}`, asks: asks(count) }];
    });
  return [
    ...of(beds, 'beds', (minBeds) => ({ minBeds })),
    ...of(baths, 'baths', (minBaths) => ({ minBaths })),
  ];
}

/** @param others what was understood beside the order */
function orders(text: string, others: readonly Found[]): Found[] {
  const named = sorts.flatMap(([words, sort, label]) =>
    [...text.matchAll(words)].map((match): Found => ({ ...spanOf(match), label, asks: { sort } })),
  );
  // 'New homes' are the newest, but New Haven is a place, and a new pool is a pool.
  const isFollowed = (end: number) =>
    others.some(({ start, asks }) => start > end && !asks.amenities && !text.slice(end, start).trim());
  const plain = [...text.matchAll(plainNew)]
    .map((match): Found => ({ ...spanOf(match), label: 'Newest first', asks: { sort: 'newest' } }))
    .filter(({ end }) => {
      const [said] = afterNew.exec(text.slice(end)) ?? [];
      return isFollowed(end) || (said !== undefined && !beforeSuffix.test(text.slice(end + said.length)));
    });
  return [...named, ...plain].filter((one) => isNoAddress(text, one));
}

function typesIn(text: string, types: readonly SearchableType[]): Found[] {
  return typeWords.flatMap(([words, name]) => {
    const type = types.find((one) => name.test(one.name));
    if (!type) return [];
    return [...text.matchAll(words)]
      .map((match) => ({ ...spanOf(match), label: type.name, asks: { type } }))
      .filter((one) => isNoAddress(text, one) && !isDenied(text, one));
  });
}

const isNoAddress = (text: string, { start, end }: Found): boolean =>
  !afterNumber.test(text.slice(0, start)) && !beforeSuffix.test(text.slice(end));

/** The text with a part of it replaced by as many of one character. */
const filled = (text: string, { start, end }: Span, character: string): string =>
  text.slice(0, start) + character.repeat(end - start) + text.slice(end);

const spansOf = (words: RegExp, text: string): Span[] => [...text.matchAll(words)].map(spanOf);
const spanOf = (match: RegExpExecArray) => ({ start: match.index, end: match.index + match[0].length });

/** Of parts that overlap the longest. */
function withoutOverlaps(found: Found[]): Found[] {
  const selected: Found[] = [];
  for (const one of found.toSorted((a, b) => b.end - b.start - (a.end - a.start)))
    if (selected.every(({ start, end }) => one.end <= start || one.start >= end)) selected.push(one);
  return selected.toSorted((a, b) => a.start - b.start);
}
