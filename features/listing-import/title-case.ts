const directions = new Set(['N', 'S', 'E', 'W', 'NE', 'NW', 'SE', 'SW']);
const alwaysUppercase = new Set(['PO', 'II', 'III', 'IV', 'VI', 'VII', 'VIII', 'IX']);
const smallWords = new Set(['of', 'the', 'and', 'at', 'on']);
const states = new Set(
  (
    'AL AK AZ AR CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY ' +
    'OH OK OR PA RI SC SD TN TX UT VA VT WA WI WV WY US'
  ).split(' '),
);
const roadWords = new Set(['ROUTE', 'RTE', 'RT', 'HWY', 'HIGHWAY']);

/**
 * 'Faraway Ln' for 'FARAWAY LN': public records have street and city names in capitals. Text with any lower-case
 * letter stays as it is. Directions, house and unit numbers ('4A', '#B1'), 'II', 'PO' and the state before a route
 * number keep their capitals.
 */
export function toTitleCase(text: string): string {
  if (text !== text.toUpperCase() || !/\p{Lu}.*\p{Lu}/u.test(text)) return text;
  const words = text.split(' ');
  return words.map((word, index) => titleCaseWord(word, index, words[index + 1] ?? '')).join(' ');
}

function titleCaseWord(word: string, index: number, next: string): string {
  if (directions.has(word) || alwaysUppercase.has(word)) return word;
  // 'CT' alone is a court and 'LA' a lane: only before a route number is it a state.
  if (states.has(word) && roadWords.has(next)) return word;
  if (word === 'US' && /^\d/.test(next)) return word;
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
