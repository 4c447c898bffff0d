import Stripe from 'stripe';
import { PaymentError, type PaymentErrorCode } from '../port.ts';

/**
 * Converts any error of a Stripe call to a PaymentError. Messages contain Stripe's code, parameter and request id but never
 * its text, which may quote an e-mail address or part of the key.
 */
export function stripeError(error: unknown): PaymentError {
  if (error instanceof PaymentError) return error;
  if (!(error instanceof Stripe.errors.StripeError))
    return new PaymentError('unavailable', 'Stripe gave an answer that cannot be understood', error);
  const code = codeOf(error);
  const details = [error.type, error.code, error.param, error.requestId].filter(Boolean).join(', ');
  return new PaymentError(code, `Stripe: ${details}`, code === 'auth' ? undefined : error);
}

function codeOf(error: Stripe.errors.StripeError): PaymentErrorCode {
  const known = CODES[error.code ?? ''];
  if (known) return known;
  // Stripe has no code for this error, only a text.
  if (/^Refund amount .+ is greater than/.test(error.message)) return 'limit';
  return TYPES[error.type] ?? 'unavailable';
}

const CODES: Readonly<Record<string, PaymentErrorCode>> = {
  amount_too_large: 'limit',
  amount_too_small: 'limit',
  charge_already_refunded: 'limit',
  charge_exceeds_source_limit: 'limit',
  charge_exceeds_transaction_limit: 'limit',
  charge_disputed: 'conflict',
  idempotency_key_in_use: 'unavailable',
  lock_timeout: 'rate_limited',
  not_found: 'not_found',
  payment_intent_unexpected_state: 'conflict',
  rate_limit: 'rate_limited',
  refund_disputed_payment: 'conflict',
  resource_missing: 'not_found',
};

const TYPES: Readonly<Record<string, PaymentErrorCode>> = {
  StripeAuthenticationError: 'auth',
  StripeCardError: 'declined',
  StripeIdempotencyError: 'conflict',
  StripeInvalidRequestError: 'invalid',
  StripePermissionError: 'auth',
  StripeRateLimitError: 'rate_limited',
};
