/** Whoever types fewer digits than this has forgotten some. */
const MIN_DIGITS = 8;
const MAX_DIGITS = 15;

/** What the forms say about a number that is none. */
export const INVALID_PHONE = 'Enter a phone number with its area code, such as (425) 555-0148';

/**
 * A typed phone number in the form in which it is stored, E.164 ('+14255550148'). Without a country code it is one of the
 * United States.
 * @returns null for an empty text, undefined for what is no phone number
 */
export function parsePhone(typed: string): string | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  if (!/^\+?[\d\s().-]+$/.test(text)) return undefined;
  const digits = text.replace(/\D/g, '');
  const international = text.startsWith('+');
  if (!international && digits.length === 10) return isAmerican(`1${digits}`) ? `+1${digits}` : undefined;
  if (!international && digits.length !== 11) return undefined;
  if (digits.startsWith('1')) return isAmerican(digits) ? `+${digits}` : undefined;
  if (!international || digits.startsWith('0')) return undefined;
  return digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS ? `+${digits}` : undefined;
}

/** A number of the North American plan: neither the area code nor the exchange begins with 0 or 1. */
const isAmerican = (digits: string) => /^1[2-9]\d{2}[2-9]\d{6}$/.test(digits);

/** A stored number as it is shown: '(425) 555-0148' in the United States and Canada, else as it is stored. */
export function phoneText(phone: string): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone) ?? [];
  return area ? `(${area}) ${exchange}-${line}` : phone;
}
