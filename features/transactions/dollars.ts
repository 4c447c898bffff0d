/** Cents of an amount in dollars as typed ('1,250.50', '$40'), 0 for nothing; null for what is no amount of whole cents. */
export function typedCents(text: string): number | null {
  const digits = text.replace(/[\s$,]/g, '');
  if (digits === '') return 0;
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(digits);
  if (!match) return null;
  const [, dollars = '0', cents = ''] = match;
  return Number(dollars) * 100 + Number(cents.padEnd(2, '0'));
}
