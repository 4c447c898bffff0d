import { type Surface, surfaceWords } from './surface.ts';

/** Matches type names regardless of case, spaces and signs: 'multi family' is 'Multi-Family'. */
export const typeKey = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** What sources call each of the usual types, by our name; the first pattern that fits decides. */
const patterns: readonly [RegExp, string][] = [
  [
    /\b(?:lease|rental|rent|timeshare|moorage|boat slip|business opportunity)\b|^(?:deeded )?(?:parking|garage)\b/,
    '',
  ],
  [/\bmobile|manufactured|manufact|double ?wide|single ?wide|trailer\b/, 'Mobile/Manufactured'],
  [/\btown ?(?:house|home)s?|\brow ?(?:house|home)s?|\btwnhs\b|\bth\b/, 'Townhouse'],
  [/\bcondo|\bco ?op\b|\bcooperative/, 'Condo/Co-op'],
  [
    /\bmulti|duplex|triplex|quadruplex|fourplex|four plex|quad\b|plex\b|(?:two|three|four|five|2|3|4|5)(?: \d)? (?:\d )?(?:family|unit)|2 4 (?:units?|family)|income|apartment (?:building|house)|\bmf\b|rental apartments|walkup|elevator apartments/,
    'Multi-Family',
  ],
  [/\bapartment|\bloft\b|\bpenthouse\b|\bflat\b|\bstock coop|\bhi ?rise|\bhigh rise/, 'Condo/Co-op'],
  [/\bvacant|\bland\b|\blots?\b|\bacreage\b|\bunimproved\b|\bundeveloped\b|\bbuilding site/, 'Vacant Lot'],
  [
    /\bcommercial|\boffice|\bretail|\bindustrial|\bwarehouse|\bmixed use|\bhotel|\bmotel|\bstore\b|\brestaurant/,
    'Commercial',
  ],
  [
    /\bsingle|\bdetached|\bone family|\b1 family|\bsfr\b|\bsfh\b|\bsf\b|\bhouse\b|\bhome\b|\bbungalow|\bcottage|\bcabin|\branch\b|\bfamily residen|\bresidential\b|\bresidence\b|\bres\b|\bvilla\b|\bdwelling/,
    'Single Family',
  ],
];

/** Our name of a type that a source calls so: 'SINGLE_FAMILY' and 'Single Family Residential' are 'Single Family'; null for others. */
export function usualType(name: string): string | null {
  const key = typeKey(name);
  const found = patterns.find(([pattern]) => pattern.test(key));
  return found?.[1] || null;
}

/** A property type of the marketplace, as an import needs it. */
export interface ImportType {
  id: number;
  name: string;
  isActive: boolean;
}

/** The type that a name or a usual word for one stands for, or null. */
export function resolveType(types: readonly ImportType[], name: string): ImportType | null {
  const named = (key: string) => types.find((type) => typeKey(type.name) === key);
  const usual = usualType(name);
  return named(typeKey(name)) ?? (usual ? named(typeKey(usual)) : undefined) ?? null;
}

/** The words of a row for its type, as they are shown and chosen for: 'Other: Yurt' where it has a subtype. */
export const rowWords = (type: string, subtype: string): string =>
  type && subtype ? `${type}: ${subtype}` : type || subtype;

/** Why a row is refused whose words were chosen to be left out. */
export const LEFT_OUT = 'Rows with this property type are left out, as chosen.';

/** A type that is off comes with the reason against it. */
type FoundType = { ok: true; type: ImportType } | { ok: false; reason: string; type: ImportType | null };

const leftOut: FoundType = { ok: false, reason: LEFT_OUT, type: null };

/** The types that a file's words stand for, asked once for each word. */
export class TypeWords {
  readonly #byKey: ReadonlyMap<string, ImportType>;
  readonly #chosen: ReadonlyMap<string, string>;
  readonly #ofRows: ReadonlyMap<string, string>;
  readonly #known = new Map<string, FoundType>();
  readonly #allowed: string;
  readonly #mayActivate: boolean;
  readonly #surface: Surface;

  /**
   * @param types all types of the marketplace
   * @param chosen names of types by the file's own words, which come before all else; empty for rows that are left out
   * @param mayActivate accept types that are off, since the import switches them on
   * @param ofRows names of types by the words of whole rows (`rowWords`), for rows that are not known otherwise; empty as above
   * @param surface whose controls the reasons name
   */
  constructor(
    types: readonly ImportType[],
    chosen: Readonly<Record<string, string>>,
    mayActivate: boolean,
    ofRows: Readonly<Record<string, string>> = {},
    surface: Surface = 'command',
  ) {
    this.#surface = surface;
    const byKey = (names: Readonly<Record<string, string>>) =>
      new Map(Object.entries(names).map(([word, name]) => [typeKey(word), name]));
    this.#byKey = new Map(types.map((type) => [typeKey(type.name), type]));
    this.#chosen = byKey(chosen);
    this.#ofRows = byKey(ofRows);
    this.#mayActivate = mayActivate;
    const active = types.filter((type) => type.isActive).map((type) => type.name);
    this.#allowed = `Allowed: ${active.join(', ')}.`;
  }

  /** The type of a row: its subtype says more than its type, such as Condominium and Residential. */
  find(type: string, subtype: string): FoundType {
    const key = `${type}\n${subtype}`;
    const known = this.#known.get(key);
    if (known) return known;
    const found = this.#search(type, subtype);
    // A column that is no type has a new word in each row.
    if (this.#known.size < 10_000) this.#known.set(key, found);
    return found;
  }

  #search(type: string, subtype: string): FoundType {
    for (const word of [subtype, type]) {
      if (word === '') continue;
      const name = this.#chosen.get(typeKey(word)) ?? word;
      const found = this.#typeOf(name);
      if (found) return this.#usable(found);
      if (name === '') return leftOut;
    }
    const name = this.#ofRows.get(typeKey(rowWords(type, subtype)));
    const found = name === undefined ? null : this.#typeOf(name);
    if (found) return this.#usable(found);
    if (name === '') return leftOut;
    return { ok: false, reason: `Not a property type that is known here. ${this.#allowed}`, type: null };
  }

  #usable(type: ImportType): FoundType {
    if (type.isActive || this.#mayActivate) return { ok: true, type };
    return {
      ok: false,
      reason: `The property type ${type.name} ${surfaceWords[this.#surface].typeIsOff} ${this.#allowed}`,
      type,
    };
  }

  #typeOf(name: string): ImportType | null {
    const own = this.#byKey.get(typeKey(name));
    if (own) return own;
    const usual = usualType(name);
    return (usual && this.#byKey.get(typeKey(usual))) || null;
  }
}
