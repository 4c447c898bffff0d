// As the function address_key of the database writes the words of an address, for what is compared before rows are stored.
const SHORT: Readonly<Record<string, string>> = {
  street: 'st',
  str: 'st',
  avenue: 'ave',
  av: 'ave',
  road: 'rd',
  lane: 'ln',
  way: 'wy',
  drive: 'dr',
  court: 'ct',
  place: 'pl',
  square: 'sq',
  terrace: 'ter',
  boulevard: 'blvd',
  highway: 'hwy',
  parkway: 'pkwy',
  circle: 'cir',
  trail: 'trl',
  north: 'n',
  south: 's',
  east: 'e',
  west: 'w',
  northeast: 'ne',
  northwest: 'nw',
  southeast: 'se',
  southwest: 'sw',
};
const UNIT_WORDS = new Set(['unit', 'apartment', 'apt', 'suite', 'ste']);

interface Home {
  address: string;
  city: string | null;
  zip: string | null;
}

/** The same for two spellings of one address: '12 N Main St #4|03784' for '12 North Main Street, Unit 4'. */
export function homeKey({ address, city, zip }: Home): string {
  const words = address
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’.]/g, '')
    .split(/[^\p{L}\p{N}/-]+/u)
    .filter((word) => word !== '' && !UNIT_WORDS.has(word))
    .map((word) => SHORT[word] ?? word);
  return `${words.join(' ')}|${zip?.slice(0, 5) || (city ?? '').toLowerCase()}`;
}

/** The number of the house, or null: 'Lot 4 Etna Rd' and '0 N Main St' name no house. */
export const houseNumber = (address: string): string | null =>
  /^([1-9]\d*[a-z]?)(?:[\s-]|$)/i.exec(address)?.[1] ?? null;

/**
 * Whether two addresses are of different homes rather than spellings or corrections of one: another house number, or another place.
 */
export function isOtherHome(one: Home, other: Home): boolean {
  if (homeKey(one) === homeKey(other)) return false;
  const [first, second] = [houseNumber(one.address), houseNumber(other.address)];
  if (first && second && first.toLowerCase() !== second.toLowerCase()) return true;
  const place = (home: Home) => home.zip?.slice(0, 5) || null;
  const [here, there] = [place(one), place(other)];
  const street = (home: Home) => homeKey({ ...home, city: null, zip: null });
  return here !== null && there !== null && here !== there && street(one) !== street(other);
}
