import { redirect } from 'react-router';
import {
  type ActionMessages,
  conflict,
  type Refusal,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { beginPurchase, CommissionUnknown } from '#features/checkout/commands/begin-purchase.ts';
import { cancelCheckout } from '#features/checkout/commands/cancel-checkout.ts';
import { openCheckout } from '#features/checkout/commands/open-checkout.ts';
import type { CancelPurchaseResponse, PurchaseResponse } from '#features/checkout/model.ts';
import {
  initiateFailedMessages,
  mayPurchase,
  processingErrorMessage,
  purchaseErrorMessage,
  refusalMessages,
  refusalStatus,
  SIGN_IN_TO_BUY,
} from '#features/checkout/rules.ts';
import { PURCHASE_CANCELLED, PURCHASE_RETURNED, transitionRefusalMessages } from '#features/sales/rules.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { AppError } from '#platform/errors.ts';
import { paths } from '#routing/paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import type { ToastInput } from '#ui/toast.ts';
import type { Route } from './+types/purchase';

/**
 * Starts a purchase, or cancels one that is unpaid. Scripts get JSON and request the provider's checkout themselves; a
 * plain form is redirected there, or back to the property with the reason in a toast.
 */
export function action(args: Route.ActionArgs) {
  const propertyId = args.params.id;
  return runAction<PurchaseExtra>(args, {
    intents: {
      begin: (submission) => begin(propertyId, submission),
      cancel: (submission) => cancel(propertyId, submission),
    },
    fallback: 'begin',
    messages: (submission, error) => (submission.intent === 'begin' ? beginMessages(submission, error) : {}),
    respond({ toast, priceChanged = false }, submission, { status }) {
      const { request, scripted } = submission;
      if (scripted)
        return jsonAnswer({ ok: false, text: toast?.text ?? '', priceChanged }, status ?? 422, request);
      const error = { title: 'Error', text: toast?.text, tone: 'bad' as const };
      if (!priceChanged) return back(propertyId, error);
      const asksAgain = purchasePaths.confirmation(propertyId, methodOf(submission));
      return redirectWithToast(asksAgain, error, { status: 303 });
    },
  });
}

/** What the page does after a refusal. */
interface PurchaseExtra {
  priceChanged: boolean;
}

function beginMessages(submission: Submission, error: unknown): ActionMessages {
  const failed = initiateFailedMessages[methodOf(submission)];
  return {
    limited: processingErrorMessage,
    unavailable: failed,
    failed: error instanceof NotRecorded ? error.message : failed,
  };
}

const methodOf = ({ text }: Submission): PaymentMethod => (text('method') === 'crypto' ? 'crypto' : 'card');

async function begin(propertyId: string, submission: Submission): Promise<Response | Refusal<PurchaseExtra>> {
  const { ctx, text, scripted } = submission;
  const method = methodOf(submission);
  if (!mayPurchase(ctx.actor)) return redirectToSignIn(propertyId, method, submission);
  const expectedCents = parseCents(text('total'));
  const key = text('key').slice(0, 100);
  if (expectedCents === null || !key) return { ok: false, toast: refusalMessages.incomplete };
  const begun = await recorded(beginPurchase(ctx, { propertyId, method, expectedCents, key }));
  if (!begun.ok) return refusal(begun.reason);
  if (scripted) return Response.json(begun satisfies PurchaseResponse);
  const opened = await openCheckout(ctx, { saleId: begun.saleId, propertyId, expectedCents });
  return opened.ok ? redirect(opened.url, 303) : refusal(opened.reason);
}

const refusal = (reason: Parameters<typeof refusalStatus>[0]): Refusal<PurchaseExtra> => ({
  ok: false,
  status: refusalStatus(reason),
  toast: purchaseErrorMessage(reason),
  extra: { priceChanged: reason === 'price_changed' },
});

/** An error before the purchase was recorded; its message may be shown to users. */
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

async function cancel(
  propertyId: string,
  { ctx, text, scripted }: Submission,
): Promise<Response | Refusal<never>> {
  const cancelled = await cancelCheckout(ctx, { saleId: text('sale') });
  if (!cancelled.ok) return conflict(transitionRefusalMessages[cancelled.reason]);
  return scripted
    ? Response.json({ ok: true, returned: cancelled.returned === true } satisfies CancelPurchaseResponse)
    : back(propertyId, cancelled.returned ? PURCHASE_RETURNED : PURCHASE_CANCELLED);
}

function redirectToSignIn(
  propertyId: string,
  method: PaymentMethod,
  { request, scripted }: Submission,
): Response {
  const next = purchasePaths.confirmation(propertyId, method);
  const signIn = paths.buyerLogin({ next, intent: `purchase:${propertyId}` });
  if (scripted) return jsonAnswer({ ok: false, text: refusalMessages.signed_out, signIn }, 401, request);
  return redirectWithToast(signIn, { ...SIGN_IN_TO_BUY, tone: 'info' }, { status: 303 });
}

/** The refusal is in the body; for our own scripts its status is 200 unless it is a server error (see statusForScripts). */
function jsonAnswer(
  answer: PurchaseResponse | CancelPurchaseResponse,
  status: number,
  request: Request,
): Response {
  const inPage = request.headers.get('sec-fetch-dest') === 'empty';
  return Response.json(answer, { status: inPage && status < 500 ? 200 : status });
}

const back = (propertyId: string, toast: ToastInput) =>
  redirectWithToast(paths.property(propertyId), toast, { status: 303 });

const parseCents = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);
