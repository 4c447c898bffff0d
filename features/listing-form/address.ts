/** An address as stored with a listing. */
export interface AddressParts {
  address: string;
  city: string;
  state: string;
  zip: string;
}

const COUNTRY = /[\s,]+(?:USA|U\.S\.A\.|United States(?: of America)?)\.?$/i;
const TOWN = /^(.+?),\s*([^,]+?)(?:\s*,\s*|\s+)([A-Za-z]{2})\.?(?:[,\s]+(\d{5}(?:-\d{4})?))?$/;
const states = new Set(
  (
    'AL AK AS AZ AR CA CO CT DC DE FL GA GU HI IA ID IL IN KS KY LA MA MD ME MI MN MO MP MS MT NC ND NE NH NJ NM NV ' +
    'NY OH OK OR PA PR RI SC SD TN TX UT VA VI VT WA WI WV WY'
  ).split(' '),
);

/**
 * Splits '27 Heron Way, Cedar Hollow, OR 97031' into its parts; the ZIP code is optional. An address that does not
 * end in a city and a state, or whose street would be too short, is kept as a whole.
 */
export function parseAddress(typed: string): AddressParts {
  const line = typed.replace(/\s+/g, ' ').trim();
  const [, street = '', city = '', state = '', zip = ''] = TOWN.exec(line.replace(COUNTRY, '')) ?? [];
  const isComplete = states.has(state.toUpperCase()) && street.length >= 5 && city.length <= 100;
  return isComplete
    ? { address: street.replace(/[\s,]+$/, ''), city, state: state.toUpperCase(), zip }
    : { address: line, city: '', state: '', zip: '' };
}

/** The address on one line, as shown in the form. */
export function formatAddress({ address, city, state, zip }: AddressParts): string {
  return [address, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}
