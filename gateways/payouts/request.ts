import { PaymentError } from '../payments/port.ts';
import type { PayoutRequest, PayoutSource } from './port.ts';

const KEY = /^payout:([\w-]{1,64}):(\d{1,6})$/;

/** The sale that a payout's key names. @throws PaymentError `invalid` for anything else */
export function saleOfKey(key: string): string {
  const saleId = KEY.exec(key)?.[1];
  if (!saleId) throw new PaymentError('invalid', 'A payout is named payout:<sale>:<attempt>');
  return saleId;
}

/**
 * Checks what every provider asks of a payout.
 * @throws PaymentError `invalid` for a malformed key, amounts that are not whole positive cents, sources beyond the amount, or no
 *   destination
 */
export function validatePayoutRequest({
  key,
  saleId,
  amountCents,
  destination,
  sources,
}: PayoutRequest): void {
  const invalid = (reason: string) => new PaymentError('invalid', reason);
  if (saleOfKey(key) !== saleId) throw invalid('The key names another sale');
  const amounts = [amountCents, ...sources.map((source) => source.amountCents)];
  if (!amounts.every((cents) => Number.isSafeInteger(cents) && cents > 0))
    throw invalid('Amounts are whole positive cents');
  if (sources.reduce((sum, source) => sum + source.amountCents, 0) > amountCents)
    throw invalid('The sources are more than the payout');
  if (!/^[\x21-\x7e]{1,127}$/.test(destination)) throw invalid('A payout needs a destination');
}

/** What must be the same when a key is used again, in a fixed order. */
export const payoutContent = (request: PayoutRequest): unknown[] => [
  request.saleId,
  request.amountCents,
  request.destination,
  request.sources.map(({ paymentRef, amountCents }) => [paymentRef, amountCents]),
];

/** A part of a payout; `source` is the payment that funds it, null for the balance. Cents. */
export interface PayoutPart {
  amountCents: number;
  source: string | null;
}

/** Splits an amount into parts of at most `maxCents` each. */
export function splitAmount(amountCents: number, maxCents: number): number[] {
  const whole = Math.floor(amountCents / maxCents);
  const rest = amountCents % maxCents;
  return [...Array.from({ length: whole }, () => maxCents), ...(rest > 0 ? [rest] : [])];
}

/** The parts of a payout: one for each source, then the balance; each of at most `maxCents`. */
export function partsOf(
  { amountCents, sources }: { amountCents: number; sources: readonly PayoutSource[] },
  maxCents: number,
): PayoutPart[] {
  const funded = sources.reduce((sum, source) => sum + source.amountCents, 0);
  const draws = [
    ...sources.map((source) => ({ amountCents: source.amountCents, source: source.paymentRef })),
    { amountCents: amountCents - funded, source: null },
  ];
  return draws.flatMap(({ amountCents: cents, source }) =>
    splitAmount(cents, maxCents).map((part) => ({ amountCents: part, source })),
  );
}

/** @throws PaymentError `invalid` for a malformed key or an amount that is not whole positive cents */
export function validateReversal({
  payoutKey,
  amountCents,
}: {
  payoutKey: string;
  amountCents: number;
}): void {
  saleOfKey(payoutKey);
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0)
    throw new PaymentError('invalid', 'Amounts are whole positive cents');
}
