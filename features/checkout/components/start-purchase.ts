import type { PaymentMethod } from '#gateways/payments/port.ts';
import { decimalAmount } from '#platform/money.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { INTENT } from '#ui/action-data.ts';
import { type Posted, postAndRead, postJson } from '#ui/post-and-read.ts';
import type { CancelPurchaseResponse, PurchaseResponse } from '../model.ts';
import { initiateFailedMessages, processingErrorMessage, refusalMessages } from '../rules.ts';

/** Where to go next: the provider's page or the sign-in page; or why nowhere. */
type StartPurchaseResult = { url: string } | { signIn: string } | { text: string; priceChanged?: boolean };

interface Purchase {
  propertyId: string;
  method: PaymentMethod;
  buyerEmail: string;
  /** the form's own fields */
  form: FormData;
}

/**
 * Starts a purchase and opens the provider's checkout for it, in two requests: the sale is recorded as pending first. Never
 * throws.
 */
export async function startPurchase({
  propertyId,
  method,
  buyerEmail,
  form,
}: Purchase): Promise<StartPurchaseResult> {
  form.set(INTENT, 'begin');
  const begun = await postAndRead<WithError<PurchaseResponse>>(purchasePaths.begin(propertyId), form);
  if (!begun?.body) return { text: failureMessage(begun, method) };
  if (!begun.body.ok) {
    const { signIn, text, priceChanged = false } = begun.body;
    return signIn ? { signIn } : { text: text ?? failureMessage(begun, method), priceChanged };
  }
  const { saleId, totalCents } = begun.body;
  const opened = await postJson<{ url?: string; error?: string }>(
    method === 'card' ? purchasePaths.createCardPayment() : purchasePaths.createCryptoPayment(),
    { propertyId, amount: decimalAmount(totalCents), transactionId: saleId, buyerEmail },
  );
  if (!opened?.ok) return { text: failureMessage(opened, method) };
  return opened.body?.url ? { url: opened.body.url } : { text: 'No checkout URL returned from the server' };
}

/** Cancels an unpaid purchase. Never throws. */
export async function cancelPurchase(propertyId: string, saleId: string): Promise<CancelPurchaseResponse> {
  const fields = new URLSearchParams({ [INTENT]: 'cancel', sale: saleId });
  const answer = await postAndRead<WithError<CancelPurchaseResponse>>(
    purchasePaths.begin(propertyId),
    fields,
  );
  if (!answer) return { ok: false, text: 'Failed to cancel the purchase. Please try again.' };
  if (answer.body && (answer.body.ok || answer.body.text)) return answer.body;
  return { ok: false, text: answer.body?.error ?? answer.statusText };
}

/** The endpoint's own answers, or an error of the server's. */
type WithError<Answer> = Answer & { error?: string };

/**
 * 'Payment processing error: {server error or status text}', or the payment method's general message without either. When the
 * connection was lost, the next press finds whatever was started.
 */
function failureMessage(posted: Posted<{ error?: string }> | null, method: PaymentMethod): string {
  const error = posted?.body?.error;
  if (error === refusalMessages.signed_out || error === refusalMessages.incomplete) return error;
  const known = error ?? posted?.statusText;
  return known ? processingErrorMessage(known) : initiateFailedMessages[method];
}
