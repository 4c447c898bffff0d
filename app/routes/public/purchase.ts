import { redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { formOf } from '#app/form.ts';
import { paths } from '#app/paths.ts';
import { getScope } from '#app/request.ts';
import { typedText } from '#app/sign-in/answer.ts';
import { beginPurchase, CommissionUnknown } from '#features/purchases/commands/begin-purchase.ts';
import { cancelCheckout } from '#features/purchases/commands/cancel-checkout.ts';
import { openCheckout } from '#features/purchases/commands/open-checkout.ts';
import type { CancelAnswer, PurchaseAnswer } from '#features/purchases/model.ts';
import {
  errorText,
  initiateFailed,
  mayPurchase,
  moveText,
  PURCHASE_CANCELLED,
  processingError,
  refusalStatus,
  refusalText,
  SIGN_IN_TO_BUY,
} from '#features/purchases/rules.ts';
import { PaymentError, type Rail } from '#gateways/payments/port.ts';
import { AppError, NotFound, TooManyRequests } from '#platform/errors.ts';
import type { Route } from './+types/purchase';

/**
 * Begins a purchase, or ends one that is unpaid (S0 §7, B-065). A script gets JSON and asks for the provider's page
 * itself; the bare form is led there, or back to the property with the reason in a toast.
 */
export async function action({ request, params, context }: Route.ActionArgs) {
  const form = await formOf(request);
  const quiet = request.headers.get('sec-fetch-dest') === 'empty';
  const asked: Asked = { scope: getScope(context), propertyId: params.id, form, quiet };
  return form.has('cancel') ? cancel(asked) : begin(asked);
}

interface Asked {
  scope: ReturnType<typeof getScope>;
  propertyId: string;
  form: FormData;
  /** a script of our pages asks */
  quiet: boolean;
}

async function begin({ scope, propertyId, form, quiet }: Asked): Promise<Response> {
  const { ctx, services } = scope;
  const scripted = form.has('scripted');
  const method: Rail = typedText(form, 'method') === 'crypto' ? 'crypto' : 'card';
  const refuse = (text: string, status: number) =>
    scripted
      ? forScripts({ ok: false, text } satisfies PurchaseAnswer, status, quiet)
      : back(propertyId, { title: 'Error', text, tone: 'bad' });
  if (!mayPurchase(ctx.actor)) return askToSignIn(propertyId, method, scripted, quiet);
  const expectedCents = centsFrom(typedText(form, 'total'));
  const key = typedText(form, 'key').slice(0, 100);
  if (expectedCents === null || !key) return refuse(refusalText.incomplete, 422);
  try {
    const begun = await recorded(
      beginPurchase(ctx, { propertyId, method, expectedCents, key }, services.payments),
    );
    if (!begun.ok) return refuse(errorText(begun.reason), refusalStatus(begun.reason));
    if (scripted) return Response.json(begun satisfies PurchaseAnswer);
    const opened = await openCheckout(
      ctx,
      { saleId: begun.saleId, propertyId, expectedCents },
      services.payments,
    );
    return opened.ok
      ? redirect(opened.url, 303)
      : refuse(errorText(opened.reason), refusalStatus(opened.reason));
  } catch (error) {
    if (error instanceof NotFound) throw error;
    if (error instanceof TooManyRequests) return refuse(processingError(error.message), 429);
    ctx.log.error({ err: error, propertyId }, 'a purchase could not be begun');
    return refuse(error instanceof NotRecorded ? error.message : initiateFailed[method], 500);
  }
}

/** A fault before the purchase was written down; its message is for people (S0 §8). */
class NotRecorded extends Error {
  override readonly name = 'NotRecorded';
}

async function recorded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const message = cause instanceof CommissionUnknown ? cause.message : 'Failed to record transaction';
    throw new NotRecorded(message, { cause });
  }
}

async function cancel({ scope, propertyId, form, quiet }: Asked): Promise<Response> {
  const { ctx, services } = scope;
  const scripted = form.has('scripted');
  const refuse = (text: string, status: number) =>
    scripted
      ? forScripts({ ok: false, text } satisfies CancelAnswer, status, quiet)
      : back(propertyId, { title: 'Error', text, tone: 'bad' });
  try {
    const ended = await cancelCheckout(ctx, typedText(form, 'cancel'), services.payments);
    if (!ended.ok) return refuse(moveText[ended.reason], 409);
    return scripted
      ? Response.json({ ok: true } satisfies CancelAnswer)
      : back(propertyId, PURCHASE_CANCELLED);
  } catch (error) {
    if (error instanceof TooManyRequests) return refuse(error.message, 429);
    if (!(error instanceof PaymentError)) throw error;
    ctx.log.warn({ err: error }, 'a checkout could not be closed at its provider');
    return refuse('The payment provider does not answer. Please try again.', 503);
  }
}

function askToSignIn(propertyId: string, method: Rail, scripted: boolean, quiet: boolean): Response {
  const next = paths.purchaseAfterSignIn(propertyId, method);
  const signIn = paths.buyerLogin({ next, intent: `purchase:${propertyId}` });
  const answer: PurchaseAnswer = { ok: false, text: refusalText.signed_out, signIn };
  if (scripted) return forScripts(answer, 401, quiet);
  const headers = { 'set-cookie': setFlash({ ...SIGN_IN_TO_BUY, tone: 'info' }) };
  return redirect(signIn, { status: 303, headers });
}

/** The refusal stands in the body. In the console of whoever was refused only faults are to be seen (see statusForScripts). */
const forScripts = (answer: PurchaseAnswer | CancelAnswer, status: number, quiet: boolean) =>
  Response.json(answer, { status: quiet && status < 500 ? 200 : status });

const back = (propertyId: string, toast: Parameters<typeof setFlash>[0]) =>
  redirect(paths.property(propertyId), { status: 303, headers: { 'set-cookie': setFlash(toast) } });

const centsFrom = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);
