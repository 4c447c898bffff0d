import { FileIndex, hashOf } from './file-index.ts';
import { homeKey, houseNumber } from './home-key.ts';
import type { Refusal } from './model.ts';
import { type ParsedRow, shortId } from './rows.ts';

/** The id of a row whose number stands for another home too. */
export const apartId = (sourceId: string, values: ParsedRow['values']): string =>
  shortId(`${sourceId} @ ${homeKey(values)}`);

type Repeat =
  | { kind: 'new' }
  | { kind: 'refused'; refusal: Refusal }
  /** the same home from another source stands on this line of the file */
  | { kind: 'same home'; line: number };

/** Finds the rows of one file that repeat an id, and the homes that two sources list. */
export class Repeats {
  readonly #ids = new FileIndex();
  readonly #homes = new FileIndex();

  /** Looks at a row and remembers it. Of two homes with one number, the later one is marked as a repetition. */
  see(row: ParsedRow, line: number): Repeat {
    const key = homeKey(row.values);
    const home = hashOf(key);
    const number = numberOf(row);
    const earlier = this.#ids.get(row.sourceId);
    if (earlier) {
      const isOther = earlier.first !== home && earlier.second !== number;
      const apart = apartId(row.sourceId, row.values);
      const repeated = isOther ? this.#ids.get(apart) : earlier;
      if (repeated) {
        const detail = `${row.sourceId}, line ${repeated.line}`;
        return {
          kind: 'refused',
          refusal: { column: 'source_id', reason: 'Appears earlier in the file.', detail },
        };
      }
      row.isRepeated = true;
      row.notes.push({
        column: 'source_id',
        reason: 'the number stands for another home too: kept apart by the address',
      });
    }
    const id = row.isRepeated ? apartId(row.sourceId, row.values) : row.sourceId;
    this.#ids.set(id, { line, first: home, second: number });
    return this.#seeHome(row, key, line);
  }

  #seeHome(row: ParsedRow, key: string, line: number): Repeat {
    if (!isComparable(row)) return { kind: 'new' };
    const source = hashOf(row.values.mls_name ?? '');
    const other = this.#homes.get(key);
    if (!other) {
      this.#homes.set(key, { line, first: source, second: 0 });
      return { kind: 'new' };
    }
    return other.first === source ? { kind: 'new' } : { kind: 'same home', line: other.line };
  }
}

/** Only homes with a house number that are for sale can be the same home in two sources. */
export const isComparable = ({ market, values }: ParsedRow): boolean =>
  market === 'for_sale' && houseNumber(values.address) !== null && (values.zip ?? values.city) !== null;

const numberOf = (row: ParsedRow): number =>
  hashOf(`${houseNumber(row.values.address) ?? ''}|${row.values.zip ?? row.values.city ?? ''}`);
