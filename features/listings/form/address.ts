/** An address as listings keep it. */
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
 * Takes '27 Heron Way, Cedar Hollow, OR 97031' apart; the ZIP code may be missing. What does not end in a town and one
 * of the states is the address as a whole, and so is one whose street would be shorter than an address may be.
 */
export function addressParts(typed: string): AddressParts {
  const line = typed.replace(/\s+/g, ' ').trim();
  const [, street = '', city = '', state = '', zip = ''] = TOWN.exec(line.replace(COUNTRY, '')) ?? [];
  const known = states.has(state.toUpperCase()) && street.length >= 5 && city.length <= 100;
  return known
    ? { address: street.replace(/[\s,]+$/, ''), city, state: state.toUpperCase(), zip }
    : { address: line, city: '', state: '', zip: '' };
}

/** The same in one line, as the form shows it. */
export function addressLine({ address, city, state, zip }: AddressParts): string {
  return [address, city, [state, zip].filter(Boolean).join(' ')].filter(Boolean).join(', ');
}
