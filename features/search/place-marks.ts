import { nameOfState } from './states.ts';

// What a saved search keeps of the places that its text names, and what a listing answers to: marks that stay right when the
// first listing of another Springfield arrives.

/** A place of a saved search: a listing is there when it has one of the marks; `key` is among the keys of every such listing. */
export interface PlaceMarks {
  marks: string[];
  key: string;
}

const cityMark = (name: string) => `=c~${name}`;
const neighborhoodMark = (name: string) => `=d~${name}`;
const keyOfName = (name: string) => `=n~${name}`;

/** The words of an entry of the list of places, without how it is written: 'springfield il' of '=c:springfield il|Springfield, IL'. */
const nameIn = (place: string): string => place.slice(3).split('|')[0] ?? '';

/**
 * The marks of places that a run of words stands for.
 * @param name the words, with the code of the state when they name one
 * @param places entries of the list of places, and '=u:il' for a state
 */
export function marksOfPlaces(name: string, places: readonly string[]): PlaceMarks {
  const marks = new Set(
    places.map((place) => {
      if (place.startsWith('=d:')) return neighborhoodMark(name);
      if (place.startsWith('=z:')) return `=z:${name}`;
      if (place.startsWith('=u:')) return place;
      return nameIn(place) === name ? `=c:${name}` : cityMark(name);
    }),
  );
  const [only = ''] = marks;
  return { marks: [...marks].sort(), key: marks.size === 1 ? only : keyOfName(name) };
}

/** The marks that a listing has by its entries in the search, and the keys under which saved searches of its places stand. */
export function marksOfListing(lexemes: readonly string[]): { marks: string[]; keys: string[] } {
  const marks = new Set<string>();
  const names = new Set<string>();
  for (const lexeme of lexemes) {
    const name = nameIn(lexeme);
    if (lexeme.startsWith('=c:')) {
      const state = /, ([^,|]*)$/.exec(lexeme)?.[1]?.trim().toLowerCase() ?? '';
      const city = state && name.endsWith(` ${state}`) ? name.slice(0, -state.length - 1) : name;
      marks.add(`=c:${name}`).add(cityMark(city));
      names.add(city);
    } else if (lexeme.startsWith('=d:')) {
      marks.add(neighborhoodMark(name));
      names.add(name);
    } else if (lexeme.startsWith('=z:')) marks.add(`=z:${name.slice(0, 5)}`);
    else if (lexeme.startsWith('=u:')) {
      marks.add(lexeme);
      names.add(name).add(nameOfState(name) ?? name);
    }
  }
  return { marks: [...marks], keys: [...marks, ...[...names].map(keyOfName)] };
}
