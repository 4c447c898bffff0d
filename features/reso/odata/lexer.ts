import { ODataError } from '../model.ts';

/** A lexical element of `$filter`. `text` of a string literal is its content, without quotation marks. */
export type Token =
  | { kind: 'symbol'; text: '(' | ')' | ',' | '/' | ':'; at: number }
  | { kind: 'word'; text: string; at: number }
  | { kind: 'string' | 'number' | 'date' | 'time'; text: string; at: number }
  | { kind: 'end'; text: ''; at: number };

/** Longest expression that is read, in characters. */
const MAX_LENGTH = 6_000;
/** Beyond this a number is no price, area or count, and a database would compute with it for long. */
const MAX_NUMBER_LENGTH = 30;

// Tried in this order at each place; a date begins like a number, a GUID like either.
const patterns: readonly [kind: 'time' | 'date' | 'number' | 'guid' | 'word', pattern: RegExp][] = [
  ['guid', /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])/iy],
  ['time', /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,12})?)?(?:Z|[+-]\d{2}:\d{2})(?![\w-])/iy],
  ['date', /\d{4}-\d{2}-\d{2}(?![\w:.-])/y],
  ['number', /-?\d+(?:\.\d+)?(?:e[+-]?\d{1,2})?(?![\w.])/iy],
  ['word', /[A-Za-z_$][A-Za-z0-9_.]*/y],
];

/**
 * Splits an expression into its tokens.
 * @throws ODataError for characters that no expression has, and for one that is too long
 */
export function tokensOf(text: string): Token[] {
  if (text.length > MAX_LENGTH)
    throw new ODataError('FilterTooLong', `The expression is longer than ${MAX_LENGTH} characters`);
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (/\s/.test(char)) {
      at += 1;
    } else if (char === '(' || char === ')' || char === ',' || char === '/' || char === ':') {
      tokens.push({ kind: 'symbol', text: char, at });
      at += 1;
    } else if (char === "'") {
      const end = endOfString(text, at);
      const content = text.slice(at + 1, end).replaceAll("''", "'");
      if (content.includes('\0') || !content.isWellFormed())
        throw new ODataError('InvalidLiteral', `The text at ${at + 1} has characters that no text has`);
      tokens.push({ kind: 'string', text: content, at });
      at = end + 1;
    } else {
      const token = scan(text, at);
      tokens.push(token);
      at += token.text.length;
    }
  }
  tokens.push({ kind: 'end', text: '', at });
  return tokens;
}

/** The position of the closing quotation mark; two of them inside stand for one. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf("'", start + 1);
  while (end !== -1 && text[end + 1] === "'") end = text.indexOf("'", end + 2);
  if (end === -1) throw new ODataError('InvalidLiteral', `The text that starts at ${start + 1} does not end`);
  return end;
}

function scan(text: string, at: number): Token {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) continue;
    if (kind === 'number' && found.length > MAX_NUMBER_LENGTH)
      throw new ODataError('InvalidLiteral', `The number at ${at + 1} is too long`);
    // Keys are texts here, so a GUID without quotation marks is one too.
    return { kind: kind === 'guid' ? 'string' : kind, text: found, at };
  }
  throw new ODataError('InvalidFilter', `Unexpected character at ${at + 1}`);
}
