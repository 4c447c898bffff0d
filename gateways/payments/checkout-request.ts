import { type CheckoutRequest, PaymentError, type RailLimits } from './port.ts';

/**
 * Refuses what no provider may be asked for: amounts outside the limits, lines that do not add up, a closing time later than
 * the rail allows (S0 §9, B-081). How soon a checkout may close is left to the provider: a repeated request comes later than
 * its first, and must find the first answer all the same.
 * @throws PaymentError `limit` for the amount, `invalid` for the rest
 */
export function checkRequest(request: CheckoutRequest, limits: RailLimits, now: Date): void {
  const { lines, amountCents, expiresAt } = request;
  const sums = [amountCents, ...lines.map((line) => line.amountCents)];
  if (!sums.every((cents) => Number.isSafeInteger(cents)))
    throw new PaymentError('invalid', 'Amounts are whole cents');
  if (amountCents < limits.minCents || amountCents > limits.maxCents)
    throw new PaymentError('limit', 'The amount is outside what the provider takes in one payment');
  const total = lines.reduce((sum, line) => sum + line.amountCents, 0);
  if (total !== amountCents || lines.some((line) => line.amountCents <= 0 || line.name.trim() === ''))
    throw new PaymentError('invalid', 'The lines must be named, positive and add up to the amount');
  if (!((unixSeconds(expiresAt) - unixSeconds(now)) * 1000 <= limits.longestMs))
    throw new PaymentError('invalid', 'The checkout would stay open longer than the provider allows');
}

/** @throws PaymentError `invalid` for what is no positive number of whole cents */
export function checkRefund(amountCents: number): void {
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0)
    throw new PaymentError('invalid', 'A refund is a positive number of whole cents');
}

/** A moment as providers keep it: whole seconds. */
export function unixSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
