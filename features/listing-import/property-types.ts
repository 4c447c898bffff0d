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

/** A type that is off comes with the reason against it. */
export type FoundType =
  | { ok: true; type: ImportType }
  | { ok: false; reason: string; type: ImportType | null };

/** The types that a file's words stand for, asked once for each word. */
export class TypeWords {
  readonly #byKey: ReadonlyMap<string, ImportType>;
  readonly #chosen: ReadonlyMap<string, string>;
  readonly #known = new Map<string, FoundType>();
  readonly #allowed: string;
  readonly #mayActivate: boolean;

  /**
   * @param types all types of the marketplace
   * @param chosen names of types by the file's own words
   * @param mayActivate accept types that are off, since the import switches them on
   */
  constructor(types: readonly ImportType[], chosen: Readonly<Record<string, string>>, mayActivate: boolean) {
    this.#byKey = new Map(types.map((type) => [typeKey(type.name), type]));
    this.#chosen = new Map(Object.entries(chosen).map(([word, name]) => [typeKey(word), name]));
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
      const found = word === '' ? null : this.#typeOf(word);
      if (!found) continue;
      if (found.isActive || this.#mayActivate) return { ok: true, type: found };
      return {
        ok: false,
        reason: `The property type ${found.name} is off; --activate-types switches it on. ${this.#allowed}`,
        type: found,
      };
    }
    return { ok: false, reason: `Not a property type that is known here. ${this.#allowed}`, type: null };
  }

  #typeOf(word: string): ImportType | null {
    const chosen = this.#chosen.get(typeKey(word));
    const name = chosen ?? word;
    const own = this.#byKey.get(typeKey(name));
    if (own) return own;
    const usual = usualType(name);
    return (usual && this.#byKey.get(typeKey(usual))) || null;
  }
}
