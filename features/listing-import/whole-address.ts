import { stateCode } from './states.ts';

/** The parts of an address that was written in one line. */
interface WholeAddress {
  street: string;
  city: string;
  /** two letters */
  state: string;
  /** '' without one */
  zip: string;
}

const COUNTRY = /[\s,]+(?:USA|U\.S\.A\.|United States(?: of America)?)\.?$/i;
const PARTS = /^(.+?)\s*,\s*([^,]+?)\s*,\s*([A-Za-z][A-Za-z. ]*?)\.?(?:[,\s]+(\d{5}(?:-\d{4})?))?$/;

/**
 * Splits '27 Heron Way, Unit 4, Cedar Hollow, OR 97031' into its parts; the ZIP code is optional, the state may be written out. Null for an
 * address that does not end in a city and a state of the United States.
 */
export function splitAddress(line: string): WholeAddress | null {
  // Of several commas, the last two are before the city and before the state.
  const parts = line.replace(COUNTRY, '').split(',');
  const ending = parts.slice(-2).join(',');
  const form = PARTS.exec(`x,${ending}`);
  const [, , city = '', name = '', zip = ''] = form ?? [];
  const state = stateCode(name);
  const street = parts.slice(0, -2).join(',').trim();
  if (!state || street.length < 5 || city.length > 100) return null;
  return { street, city, state, zip };
}
