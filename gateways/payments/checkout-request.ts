import { type CheckoutRequest, PaymentError, type PaymentMethodLimits } from './port.ts';

/**
 * Rejects requests that no provider may receive: amounts outside the limits, lines that do not add up, an expiry later than
 * the provider allows. The minimum lifetime is left to the provider, because a retry comes later than the first request and
 * must still get the first response.
 * @throws PaymentError `limit` for the amount, `invalid` for the rest
 */
export function validateCheckoutRequest(
  request: CheckoutRequest,
  limits: PaymentMethodLimits,
  now: Date,
): void {
  const { lines, amountCents, expiresAt } = request;
  const sums = [amountCents, ...lines.map((line) => line.amountCents)];
  if (!sums.every((cents) => Number.isSafeInteger(cents)))
    throw new PaymentError('invalid', 'Amounts are whole cents');
  if (amountCents < limits.minCents || amountCents > limits.maxCents)
    throw new PaymentError('limit', 'The amount is outside what the provider takes in one payment');
  const total = lines.reduce((sum, line) => sum + line.amountCents, 0);
  if (total !== amountCents || lines.some((line) => line.amountCents <= 0 || line.name.trim() === ''))
    throw new PaymentError('invalid', 'The lines must be named, positive and add up to the amount');
  if (!((unixSeconds(expiresAt) - unixSeconds(now)) * 1000 <= limits.maxLifetimeMs))
    throw new PaymentError('invalid', 'The checkout would stay open longer than the provider allows');
}

/** A bank transfer can be refunded for so long. */
export const BANK_REFUND_DAYS = 180;

/** @throws PaymentError `invalid` unless the amount is a positive number of whole cents */
export function validateRefundAmount(amountCents: number): void {
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0)
    throw new PaymentError('invalid', 'A refund is a positive number of whole cents');
}

/** Unix time in whole seconds, as providers store it. */
export function unixSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
