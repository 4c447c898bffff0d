import { oneLine } from '#platform/typed-text.ts';
import { cellText, hiddenCharacter } from './cells.ts';
import type { Mapping } from './mapping.ts';
import { type ImportType, rowWords, TypeWords, typeKey } from './property-types.ts';
import { type ListingsFile, readRows } from './read-file.ts';
import { rawCell } from './row-cells.ts';

/** A word for a property type that is not known here. */
export interface TypeWord {
  /** the same for every spelling of the word; at most 200 characters */
  key: string;
  /** as the file first has it; of a row with type and subtype both, 'Other: Yurt' */
  word: string;
  /** how many rows have it */
  rows: number;
}

/** The words of a file for property types that are not known here. Plain data, which may be stored. */
export interface UnknownTypeWords {
  /** where they were read, as `typeColumns` says */
  columns: string;
  /** the most frequent ones first */
  words: TypeWord[];
  /** how many different ones there are besides */
  more: number;
}

/** Words that can be chosen for; a file with more of them has no types in that column. */
const MAX_WORDS = 50;
const MAX_DIFFERENT = 5_000;
const MAX_LENGTH = 200;

/** Tells whether words are read from the same columns. */
export const typeColumns = ({ columns, constants }: Mapping): string =>
  JSON.stringify(
    (['property_type', 'property_subtype'] as const).map(
      (field) => columns.get(field)?.index ?? constants.get(field) ?? null,
    ),
  );

/**
 * Reads a file to its end for the words of property types that are not known here, with the number of their rows. Words without a letter
 * or number, and those that nobody could choose for, are among `more`.
 * @throws UnusableFile
 */
export async function unknownTypeWords(
  file: ListingsFile,
  mapping: Mapping,
  types: readonly ImportType[],
): Promise<UnknownTypeWords> {
  const known = new TypeWords(types, {}, true);
  const found = new Map<string, TypeWord>();
  const others = new Set<string>();
  for await (const { cells } of readRows(file)) {
    const read = (field: 'property_type' | 'property_subtype') =>
      oneLine(cellText(rawCell(cells, mapping, field)));
    const [type, subtype] = [read('property_type'), read('property_subtype')];
    if ((type === '' && subtype === '') || known.find(type, subtype).ok) continue;
    const word = rowWords(type, subtype).toWellFormed();
    const key = typeKey(word);
    const same = found.get(key);
    if (same) same.rows += 1;
    else if (found.size < MAX_DIFFERENT && isChoosable(word, key)) found.set(key, { key, word, rows: 1 });
    else if (others.size < MAX_DIFFERENT) others.add(key);
  }
  const words = [...found.values()].toSorted((a, b) => b.rows - a.rows);
  return {
    columns: typeColumns(mapping),
    words: words.slice(0, MAX_WORDS),
    more: Math.max(0, words.length - MAX_WORDS) + others.size,
  };
}

const isChoosable = (word: string, key: string): boolean =>
  key !== '' && word.length <= MAX_LENGTH && key.length <= MAX_LENGTH && hiddenCharacter(word) === null;
