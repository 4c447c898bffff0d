/** Parses dollars from a request, '1234.5' or 1234.5, into cents; null unless they are a whole number of cents. */
export function dollarsToCents(amount: number | string): number | null {
  const [, dollars, cents = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(String(amount).trim()) ?? [];
  return dollars === undefined ? null : Number(dollars) * 100 + Number(cents.padEnd(2, '0'));
}
