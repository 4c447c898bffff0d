import { allFields, type FieldName, importFields, isFieldName, partFields } from './fields.ts';
import { headerKey, isPresetName, type PresetName, presetKeys, presetNames } from './presets.ts';
import { quoteCell } from './quote.ts';

/** A column of the file that a field is read from. */
export interface MappedColumn {
  index: number;
  header: string;
  /** 'exact': named like the field; 'preset': a name that a known source uses; 'chosen': by whoever imports the file */
  how: 'exact' | 'preset' | 'chosen';
}

/** A column that is probably meant for a field, but not read unless it is chosen. */
export interface Suggestion {
  field: FieldName;
  index: number;
  header: string;
}

/** Which column each field is read from. */
export interface Mapping {
  /** number of columns of the file */
  width: number;
  preset: PresetName | null;
  columns: ReadonlyMap<FieldName, MappedColumn>;
  /** fields that have the same value in every row */
  constants: ReadonlyMap<FieldName, string>;
  suggestions: readonly Suggestion[];
  /** columns that are not read */
  ignored: readonly string[];
  /** names that stand more than once, so that the first one would be a guess */
  repeated: readonly FieldName[];
}

/** What a mapping needs of a file. */
type Columns = { header: readonly string[]; preset: PresetName | null };

/**
 * Where a field is read from: the name of a column, `#7` for the seventh one, `=NH` for the same value in every row, null for nowhere.
 */
export type FieldChoices = Partial<Record<FieldName, string | null>>;

export interface MappingOptions {
  /** the source whose names apply, instead of the one that the columns tell */
  preset?: PresetName | null;
  map?: Readonly<FieldChoices>;
}

type MappingResult =
  | { ok: true; mapping: Mapping }
  | {
      ok: false;
      /** all of the following in words */
      reason: string;
      missing: FieldName[];
      found: string[];
      suggestions: Suggestion[];
    };

/** Names too general to be understood outside of the source that uses them. */
const AMBIGUOUS = new Set(
  (
    'location type class area style source built stat street shape x y st pin lp br ba fb hb ml sp unit status comments media mls parcel ' +
    'strap situs state lastsolddate lastsoldprice serialnumber lotsize images photos recordingdate documentdate documentid value description'
  ).split(' '),
);

/** Columns that a file needs, each with what can stand for it. */
const NEEDED: readonly (readonly FieldName[])[] = [
  ['price', 'sold_price'],
  ['address', 'street_name'],
  ['property_type', 'property_subtype'],
];

/** Keys under which a column is looked up: its whole name, and the last part of 'address.city' or 'address/city'. */
function keysOf(header: string): string[] {
  const whole = headerKey(header);
  const part = /[\w\]][./]([A-Za-z_]\w*)$/.exec(header)?.[1];
  return part ? [whole, headerKey(part)] : [whole];
}

const ownKeys = new Map<string, FieldName>(allFields.map((field) => [headerKey(field), field]));
let everyKey: Set<string> | undefined;

/** How many of the cells name a column that some source uses: tells the header from title lines and rows. */
export function countKnownColumns(cells: readonly string[]): number {
  if (cells.length > 5_000) return 0;
  everyKey ??= new Set([
    ...ownKeys.keys(),
    ...presetNames.flatMap((preset) => [...presetKeys(preset).values()].flat()),
  ]);
  const known = everyKey;
  return new Set(
    cells
      .filter((cell) => cell.length <= 60)
      .map(headerKey)
      .filter((key) => known.has(key)),
  ).size;
}

/** Recognizes a file's columns by their names. */
export function recognizeColumns(file: Columns, options: MappingOptions = {}): Mapping {
  const preset = options.preset ?? file.preset;
  const { header } = file;
  const columns = new Map<FieldName, MappedColumn>();
  const constants = new Map<FieldName, string>();
  const used = new Set<number>();
  const take = (field: FieldName, index: number, how: MappedColumn['how']) => {
    columns.set(field, { index, header: header[index] ?? '', how });
    used.add(index);
  };
  const excluded = new Set<FieldName>();
  for (const [field, choice] of Object.entries(options.map ?? {}) as [FieldName, string | null][]) {
    excluded.add(field);
    if (choice === null) continue;
    if (choice.startsWith('=')) constants.set(field, choice.slice(1).trim());
    else {
      const index = columnAt(header, choice);
      if (index !== null) take(field, index, 'chosen');
    }
  }
  const byKey = new Map<string, number[]>();
  header.forEach((name, index) => {
    for (const key of keysOf(name)) if (key) byKey.set(key, [...(byKey.get(key) ?? []), index]);
  });
  const free = (key: string) => byKey.get(key)?.find((index) => !used.has(index));
  const repeated: FieldName[] = [];
  const headerKeys = header.map(headerKey);
  const takeOwn = (fields: readonly FieldName[]) => {
    for (const field of fields) {
      if (excluded.has(field) || columns.has(field)) continue;
      const own = headerKey(field);
      const same = headerKeys.flatMap((key, index) => (key === own ? [index] : []));
      const [index] = same.filter((one) => !used.has(one));
      if (index === undefined) continue;
      if (same.length > 1) repeated.push(field);
      take(field, index, 'exact');
    }
  };
  const takePreset = (name: PresetName) => {
    for (const [field, keys] of presetKeys(name)) {
      if (columns.has(field) || constants.has(field) || excluded.has(field)) continue;
      const usable = name === preset ? keys : keys.filter((key) => !AMBIGUOUS.has(key));
      const index = usable.map(free).find((one) => one !== undefined);
      if (index !== undefined) take(field, index, 'preset');
    }
  };
  takeOwn(importFields);
  if (preset) takePreset(preset);
  // Names of parts are general: 'LOT SIZE' of Redfin is in square feet.
  takeOwn(partFields);
  for (const name of presetNames) if (name !== preset) takePreset(name);
  const suggestions = suggestColumns(
    header,
    used,
    (field) => columns.has(field) || constants.has(field) || excluded.has(field),
  );
  return {
    width: header.length,
    preset,
    columns,
    constants,
    suggestions,
    ignored: header.filter((name, index) => !used.has(index) && name !== ''),
    repeated,
  };
}

/** The column that a choice names: by its name, its name in another spelling, or `#` and its number; null when there is none. */
function columnAt(header: readonly string[], choice: string): number | null {
  const number = /^#(\d{1,5})$/.exec(choice)?.[1];
  if (number) return Number(number) >= 1 && Number(number) <= header.length ? Number(number) - 1 : null;
  const exact = header.indexOf(choice.trim());
  if (exact >= 0) return exact;
  const key = headerKey(choice);
  const alike = key === '' ? -1 : header.findIndex((name) => headerKey(name) === key);
  return alike >= 0 ? alike : null;
}

/** For each field that no column is recognized for, the column whose name is nearest to one of its names. */
function suggestColumns(
  header: readonly string[],
  used: ReadonlySet<number>,
  isTaken: (field: FieldName) => boolean,
): Suggestion[] {
  const open = header.flatMap((name, index) =>
    used.has(index) || name === '' ? [] : [{ name, index, key: headerKey(name) }],
  );
  const suggestions: Suggestion[] = [];
  for (const field of importFields) {
    if (isTaken(field)) continue;
    const keys = [headerKey(field), ...presetNames.flatMap((name) => presetKeys(name).get(field) ?? [])];
    const near = open
      .slice(0, 300)
      .map((column) => ({ ...column, distance: Math.min(...keys.map((key) => distanceOf(column.key, key))) }))
      .filter(({ distance }) => distance < 3)
      .toSorted((a, b) => a.distance - b.distance)[0];
    if (near) suggestions.push({ field, index: near.index, header: near.name });
  }
  return suggestions;
}

/** 0 to 2 for names that are probably the same, else 3: a typing error apart, or one within the other. */
function distanceOf(one: string, other: string): number {
  if (one === other) return 0;
  if (other.length >= 5 && Math.abs(one.length - other.length) <= 2 && sharesLetters(one, other)) {
    const edits = editDistance(one, other);
    if (edits <= (other.length >= 8 ? 2 : 1)) return edits;
  }
  return other.length >= 5 && one.length <= 40 && one.includes(other) && !AMBIGUOUS.has(other) ? 2 : 3;
}

/** Whether at most two letters of each word are missing in the other, without which no two edits lead from one to the other. */
function sharesLetters(one: string, other: string): boolean {
  const [here, there] = [lettersOf(one), lettersOf(other)];
  return bitsOf(here & ~there) <= 2 && bitsOf(there & ~here) <= 2;
}

function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function bitsOf(letters: number): number {
  let [rest, count] = [letters, 0];
  for (; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** Edits between two short words; neighbors that are swapped are one. */
function editDistance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const before = rows[i - 1] ?? [];
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let cost = Math.min((before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (before[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        cost = Math.min(cost, (rows[i - 2]?.[j - 2] ?? 0) + 1);
      row[j] = cost;
    }
    rows.push(row);
  }
  return rows[one.length]?.[other.length] ?? 0;
}

/**
 * The mapping that a file is imported with: its columns as they are recognized, and what was chosen.
 * @returns what is missing, with all columns of the file and the nearest ones, when it cannot be imported so
 */
export function applyMapping(file: Columns, options: MappingOptions = {}): MappingResult {
  const { header } = file;
  const mapping = recognizeColumns(file, options);
  const has = (field: FieldName) => mapping.columns.has(field) || mapping.constants.has(field);
  const missing = NEEDED.filter((fields) => !fields.some(has)).flatMap(([field]) => field ?? []);
  const unknown = Object.entries(options.map ?? {}).flatMap(([field, choice]) =>
    typeof choice === 'string' && !choice.startsWith('=') && columnAt(header, choice) === null
      ? [`There is no column ${quoteCell(choice, 60)} for ${field}.`]
      : [],
  );
  const twice = mapping.repeated.map(
    (field) => `The column ${field} appears twice in the first line. Choose one by its number: ${field}=#3.`,
  );
  if (missing.length + unknown.length + twice.length === 0) return { ok: true, mapping };
  const suggestions = mapping.suggestions.filter(
    ({ field }) => missing.includes(field) || unknown.length > 0,
  );
  const sentences = [
    ...unknown,
    ...twice,
    missing.length > 0 ? `Missing: ${missing.join(', ')}.` : '',
    `Found: ${header.map((name) => quoteCell(name, 60)).join(', ')}.`,
    ...suggestions.map(({ field, header: name }) => `Is ${quoteCell(name, 60)} the ${field}?`),
  ];
  return {
    ok: false,
    reason: sentences.filter(Boolean).join(' '),
    missing,
    found: [...header],
    suggestions: [...suggestions],
  };
}

/** The choices that give the same mapping again, for storing it. */
export function choicesOf(mapping: Mapping): FieldChoices {
  const choices: FieldChoices = {};
  for (const field of allFields) {
    const column = mapping.columns.get(field);
    const constant = mapping.constants.get(field);
    choices[field] = column ? `#${column.index + 1}` : constant === undefined ? null : `=${constant}`;
  }
  return choices;
}

/**
 * Parses choices as they are typed on the command line: `price=SalePrice`, `state==NH`, `title=` for none.
 * @returns an explanation for the first one that cannot be read
 */
export function parseChoices(
  typed: readonly string[],
): { ok: true; map: FieldChoices } | { ok: false; reason: string } {
  const map: FieldChoices = {};
  for (const one of typed) {
    const at = one.indexOf('=');
    const field = one.slice(0, Math.max(0, at)).trim();
    if (at < 1) return { ok: false, reason: `${quoteCell(one, 60)} is not FIELD=COLUMN.` };
    if (!isFieldName(field))
      return {
        ok: false,
        reason: `There is no field ${quoteCell(field, 60)}. The fields are: ${allFields.join(', ')}.`,
      };
    const column = one.slice(at + 1).trim();
    map[field] = column === '' ? null : column;
  }
  return { ok: true, map };
}

/**
 * Parses the name of a preset.
 * @returns an explanation for any other name
 */
export function parsePreset(name: string): { ok: true; preset: PresetName } | { ok: false; reason: string } {
  const preset = name.trim().toLowerCase();
  if (isPresetName(preset)) return { ok: true, preset };
  return {
    ok: false,
    reason: `There is no preset ${quoteCell(name, 60)}. The presets are: ${presetNames.join(', ')}.`,
  };
}
