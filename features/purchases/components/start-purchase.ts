import { paths } from '#app/paths.ts';
import type { Rail } from '#gateways/payments/port.ts';
import type { CancelAnswer, PurchaseAnswer } from '../model.ts';
import { initiateFailed, processingError, refusalText } from '../rules.ts';

/** Where a press leads: to the provider's page, to the sign-in page, or nowhere, with the reason. */
export type Start = { url: string } | { signIn: string } | { text: string };

interface Purchase {
  propertyId: string;
  method: Rail;
  buyerEmail: string;
  /** the form's own fields */
  form: FormData;
}

/**
 * Begins a purchase and opens the provider's page for it, in the two steps that S0 §7 shows: the record first, as pending,
 * then the payment. Never throws.
 */
export async function startPurchase({ propertyId, method, buyerEmail, form }: Purchase): Promise<Start> {
  try {
    form.set('scripted', '1');
    const begun = await answerOf<PurchaseAnswer>(
      await fetch(paths.purchase(propertyId), { method: 'POST', body: form }),
    );
    if (!begun.body?.ok) {
      if (begun.body?.signIn) return { signIn: begun.body.signIn };
      return { text: begun.body?.text ?? failure(begun, method) };
    }
    const { saleId, totalCents } = begun.body;
    const opened = await answerOf<{ url?: string }>(
      await fetch(method === 'card' ? paths.createCardPayment() : paths.createCryptoPayment(), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          propertyId,
          amount: (totalCents / 100).toFixed(2),
          transactionId: saleId,
          buyerEmail,
        }),
      }),
    );
    if (!opened.ok) return { text: failure(opened, method) };
    return opened.body?.url ? { url: opened.body.url } : { text: 'No checkout URL returned from the server' };
  } catch {
    // The connection was lost; whatever was begun is found again by the next press.
    return { text: initiateFailed[method] };
  }
}

/** Ends an unpaid purchase. Never throws. */
export async function endPurchase(propertyId: string, saleId: string): Promise<CancelAnswer> {
  try {
    const body = new URLSearchParams({ cancel: saleId, scripted: '1' });
    const answer = await answerOf<CancelAnswer>(
      await fetch(paths.purchase(propertyId), { method: 'POST', body }),
    );
    if (answer.body && (answer.body.ok || answer.body.text)) return answer.body;
    return { ok: false, text: answer.error ?? answer.statusText };
  } catch {
    return { ok: false, text: 'Failed to cancel the purchase. Please try again.' };
  }
}

interface Answer<Body> {
  ok: boolean;
  body: Body | null;
  error: string | null;
  statusText: string;
}

async function answerOf<Body>(response: Response): Promise<Answer<Body>> {
  const body = (await response.json().catch(() => null)) as (Body & { error?: string }) | null;
  return { ok: response.ok, body, error: body?.error ?? null, statusText: response.statusText };
}

/** 'Payment processing error: {server error or status text}', or the way's own words when there is neither (S0 §8). */
function failure({ error, statusText }: Answer<unknown>, method: Rail): string {
  if (error === refusalText.signed_out || error === refusalText.incomplete) return error;
  const known = error ?? statusText;
  return known ? processingError(known) : initiateFailed[method];
}
