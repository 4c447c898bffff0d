import { hasRole } from '#platform/access.ts';
import { MAX_QUERY_LENGTH, MIN_LETTERS } from './model.ts';

/** Only administrators search everything. */
export const maySearchOffice = hasRole('admin');

/** What a typed text can mean; null for what it cannot be. */
export interface OfficeQuery {
  /** LIKE patterns that all have to match a text in lower case */
  patterns: string[] | null;
  /** a LIKE pattern for the beginning of a name or an e-mail, in lower case, where every word is too short for `patterns` */
  beginning: string | null;
  /** the ids that begin with it, as the first and the last of them */
  ids: { from: string; to: string } | null;
  /** the number of a receipt */
  receipt: number | null;
}

const MAX_WORDS = 6;
/** The index knows sequences of three letters; shorter words narrow down what longer ones find. */
const INDEXED_LETTERS = 3;
const MIN_ID_DIGITS = 6;

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/** Reads what was typed: words, the beginning of an id, the number of a receipt ('ATP-000031', '31'). */
export function readOfficeQuery(typed: string): OfficeQuery {
  const text = typed.replaceAll('\0', ' ').trim().slice(0, MAX_QUERY_LENGTH).toLowerCase();
  const words = text.split(/\s+/).slice(0, MAX_WORDS);
  const number = /^(?:atp-?)?0*(\d{1,12})$/.exec(text)?.[1];
  const hasIndex = words.some((word) => word.length >= INDEXED_LETTERS);
  return {
    patterns: hasIndex ? words.map((word) => `%${escaped(word)}%`) : null,
    beginning: !hasIndex && text.length >= MIN_LETTERS ? `${escaped(words.join(' '))}%` : null,
    ids: idRange(text),
    receipt: number === undefined ? null : Number(number),
  };
}

function idRange(text: string): OfficeQuery['ids'] {
  const digits = text.replaceAll('-', '');
  if (!/^[0-9a-f]+$/.test(digits) || digits.length < MIN_ID_DIGITS || digits.length > 32) return null;
  const uuid = (filler: string) =>
    digits.padEnd(32, filler).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  return { from: uuid('0'), to: uuid('f') };
}
