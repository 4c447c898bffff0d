import { storableText } from '#platform/typed-text.ts';
import { type Encoding, readUtf8 } from './encoding.ts';
import { UnusableFile } from './unusable-file.ts';

/** One entry of a JSON file as text by name; entries count from 1. */
interface JsonEntry {
  number: number;
  values: Map<string, string>;
}

const MAX_ENTRY_BYTES = 1024 * 1024;
const MAX_DEPTH = 64;
/** How deep objects within an entry are read: 'address.street.name'. */
const MAX_NAME_DEPTH = 3;
/** Names under which a file or an answer of an API has its list. */
const listNames = new Set(
  'value results listings data items properties homes bundle records features rows searchresults'.split(' '),
);

const [QUOTE, BACKSLASH, OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = Buffer.from('"\\{}[]');

/**
 * Streams the entries of a JSON file in constant memory: a list of objects, an object with such a list (`{"value": […]}`), or one object
 * a line.
 * @throws UnusableFile
 */
export async function* readJson(path: string, encoding: Encoding): AsyncGenerator<JsonEntry> {
  let number = 0;
  for await (const bytes of objectsOf(readUtf8(path, encoding))) {
    number++;
    let entry: unknown;
    try {
      entry = JSON.parse(bytes.toString());
    } catch {
      throw new UnusableFile(`Entry ${number} is not valid JSON.`);
    }
    yield { number, values: flatten(entry as Record<string, unknown>) };
  }
}

/** Finds the entries without parsing what is around them. */
class EntryScanner {
  #depth = 0;
  /** the depth at which entries begin: 0 in a file with one object a line, 1 in a list, 2 in a list within an object */
  #base = 0;
  #inList = true;
  #isText = false;
  #isEscaped = false;
  #recording = false;
  #parts: Buffer[] = [];
  #size = 0;
  #textStart = -1;
  #name = '';
  found = 0;

  /** Reads a piece of the file and returns the entries that end in it. */
  read(piece: Buffer): Buffer[] {
    const entries: Buffer[] = [];
    let start = this.#recording ? 0 : -1;
    this.#textStart = this.#isText ? 0 : -1;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#endText(piece, at);
      } else if (byte === QUOTE) {
        this.#isText = true;
        this.#textStart = at;
      } else if (byte === OPEN_OBJECT) {
        if (!this.#recording && this.#depth === this.#base && this.#inList) {
          this.#recording = true;
          start = at;
        }
        this.#deeper();
      } else if (byte === OPEN_LIST) {
        if (this.#openList()) start = -1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        this.#depth--;
        if (this.#depth < 0)
          throw new UnusableFile('The file is not valid JSON: a bracket is closed that was not opened.');
        if (this.#base === 2 && this.#depth === 1) this.#inList = false;
        if (this.#recording && this.#depth === this.#base) {
          this.#add(piece.subarray(start, at + 1));
          entries.push(Buffer.concat(this.#parts));
          this.found++;
          this.#drop();
          start = -1;
        }
      }
    }
    if (this.#recording && start >= 0) this.#add(Buffer.from(piece.subarray(start)));
    return entries;
  }

  /** @throws UnusableFile when the file ends within an entry */
  end(): void {
    if (this.#depth > 0) throw new UnusableFile(`The file ends in the middle of entry ${this.found + 1}.`);
  }

  #endText(piece: Buffer, at: number): void {
    this.#isText = false;
    // Names are only needed in the object around the list.
    if (this.#depth === 1 && this.#base !== 1 && this.#textStart >= 0 && at - this.#textStart < 40)
      this.#name = piece.toString('utf8', this.#textStart + 1, at).toLowerCase();
  }

  /** Goes into a list; true when it is the one with the entries, and what was recorded so far is none. */
  #openList(): boolean {
    const isRoot = this.#depth === 0 && this.found === 0;
    const isNamed = this.#depth === 1 && this.#base !== 1 && this.found === 0 && listNames.has(this.#name);
    this.#deeper();
    if (isRoot) this.#base = 1;
    if (!isNamed) return false;
    this.#base = 2;
    this.#inList = true;
    this.#drop();
    return true;
  }

  #deeper(): void {
    if (++this.#depth > MAX_DEPTH)
      throw new UnusableFile(`Entry ${this.found + 1} is nested more than ${MAX_DEPTH} deep: no listing is.`);
  }

  #add(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > MAX_ENTRY_BYTES)
      throw new UnusableFile(`Entry ${this.found + 1} is longer than 1 MB: no listing is.`);
    this.#parts.push(part);
  }

  #drop(): void {
    this.#recording = false;
    this.#parts = [];
    this.#size = 0;
  }
}

async function* objectsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const scanner = new EntryScanner();
  for await (const piece of pieces) yield* scanner.read(piece);
  scanner.end();
}

/** Values by names that can be stored; names within objects are joined by dots, lists of texts by commas, addresses of pictures by spaces. */
function flatten(entry: Record<string, unknown>): Map<string, string> {
  const values = new Map<string, string>();
  const add = (name: string, value: unknown, depth: number): void => {
    if (value === null || value === undefined || values.size > 5_000) return;
    // JSON can write numbers that no computer holds, such as 1e999: they are no value.
    if (value === Infinity || value === -Infinity) return;
    if (Array.isArray(value)) values.set(name, listText(value));
    else if (typeof value !== 'object') values.set(name, String(value));
    else if (depth < MAX_NAME_DEPTH)
      for (const [key, inner] of Object.entries(value)) add(`${name}.${storableText(key)}`, inner, depth + 1);
  };
  for (const [key, value] of Object.entries(entry)) add(storableText(key), value, 1);
  return values;
}

function listText(list: readonly unknown[]): string {
  const addresses = list.flatMap((one) => {
    const found =
      typeof one === 'object' && one !== null
        ? Object.entries(one).find(
            ([name, value]) => /url|href|src/i.test(name) && typeof value === 'string',
          )?.[1]
        : one;
    return typeof found === 'string' && /^https?:\/\//i.test(found) ? [found] : [];
  });
  if (addresses.length > 0) return addresses.join(' ');
  return list.filter((one) => typeof one !== 'object' && one !== null).join(', ');
}
