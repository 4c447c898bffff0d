const directions = new Set(['N', 'S', 'E', 'W', 'NE', 'NW', 'SE', 'SW']);
const alwaysUppercase = new Set(['PO', 'II', 'III', 'IV', 'VI', 'VII', 'VIII', 'IX', 'PH', 'LLC', 'USA']);
const smallWords = new Set(['of', 'the', 'and', 'at', 'on']);
const states = new Set(
  (
    'AL AK AZ AR CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY ' +
    'OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY US'
  ).split(' '),
);
const roadWords = new Set(['ROUTE', 'RTE', 'RT', 'HWY', 'HIGHWAY']);
/** Letters before a road's number: county, state, farm-to-market and ranch roads, interstates. */
const roadLetters = new Set(['CR', 'SR', 'FM', 'RM', 'RR', 'US', 'I', 'TR']);
/** Words that exports add to an address in capitals, in a spelling of their own. */
const unitWords = /^(?:Unit|Apt|Apartment|Suite|Ste|Bldg|Building|Lot|Floor|Fl|Rm|Room|#)\.?$/i;

/**
 * '17 Faraway Ln' for '17 FARAWAY LN', and '17 Faraway Ln Unit b' for '17 FARAWAY LN Unit b': public records have street and city
 * names in capitals. Text with other lower-case letters stays as it is. Directions, house and unit numbers ('4A', '#B1'), 'II', 'PO' and the
 * state before a route number keep their capitals.
 */
export function toTitleCase(text: string): string {
  const words = text.split(' ');
  const isName = (word: string, index: number) =>
    !unitWords.test(word) && !unitWords.test(words[index - 1] ?? '') && !/^(?:unit|apt|ste)?#/i.test(word);
  const names = words.filter(isName).join(' ');
  if (names !== names.toUpperCase() || !/\p{Lu}.*\p{Lu}/u.test(names)) return text;
  return words
    .map((word, index) =>
      word === word.toUpperCase()
        ? titleCaseWord(word, index, words[index + 1] ?? '', words[index - 1] ?? '')
        : word,
    )
    .join(' ');
}

function titleCaseWord(word: string, index: number, next: string, previous: string): string {
  if (directions.has(word) || alwaysUppercase.has(word)) return word;
  // 'CT' alone is a court and 'LA' a lane: only before a route number is it a state.
  if (states.has(word) && roadWords.has(next)) return word;
  if (roadLetters.has(word) && /^\d/.test(next)) return word;
  // 'UNIT AB': letters that name a unit.
  if (unitWords.test(previous) && word.length <= 2) return word;
  if (/^\d+(ST|ND|RD|TH)$/.test(word)) return word.toLowerCase();
  if (/\d/.test(word)) return word;
  const lower = word.toLowerCase();
  return index > 0 && smallWords.has(lower) ? lower : lower.replace(/\p{L}[\p{L}\p{M}'’]*/gu, titleCasePart);
}

/** One part of a name in lower case: 'king's' → 'King's', 'o'neil' → 'O'Neil'. */
function titleCasePart(part: string): string {
  const inner = /^(\p{L}['’]|mc(?=\p{L}{3}))(.+)$/u.exec(part);
  return inner?.[1] && inner[2] ? capitalize(inner[1]) + capitalize(inner[2]) : capitalize(part);
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
