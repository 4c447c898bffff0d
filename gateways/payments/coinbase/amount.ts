const AMOUNT = /^(\d+)(?:\.(\d+))?$/;

/** Cents in Coinbase's amount format: `12345` becomes `123.45`. */
export function coinbaseAmount(cents: number): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** An amount in cents, or null when it is malformed or not a whole number of cents. */
export function exactCents(amount: string): number | null {
  const [, whole, fraction = ''] = AMOUNT.exec(amount) ?? [];
  if (whole === undefined || !/^\d{0,2}0*$/.test(fraction)) return null;
  return safe(BigInt(whole + fraction.slice(0, 2).padEnd(2, '0')));
}

/** An amount in cents, half a cent rounded up, or null when it is malformed. Fees come in fractions of a cent. */
export function roundedCents(amount: string): number | null {
  const [, whole, fraction = ''] = AMOUNT.exec(amount) ?? [];
  if (whole === undefined) return null;
  const cents = BigInt(whole + fraction.slice(0, 2).padEnd(2, '0'));
  return safe((fraction[2] ?? '0') >= '5' ? cents + 1n : cents);
}

/** An amount in cents, fractions of a cent left out, or null when it is malformed. Balances have six decimals. */
export function wholeCents(amount: string): number | null {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === undefined) return null;
  const cents = safe(BigInt(whole + fraction.slice(0, 2).padEnd(2, '0')));
  return cents === null || sign === '' ? cents : 0 - cents;
}

function safe(cents: bigint): number | null {
  return cents <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(cents) : null;
}
