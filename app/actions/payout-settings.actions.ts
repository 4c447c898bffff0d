import { redirect } from 'react-router';
import { formText } from '#app/actions/form-data.ts';
import {
  type ActionArgs,
  conflict,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Stay,
  type Submission,
} from '#app/actions/run-action.ts';
import { confirmPaypal } from '#features/payouts/commands/confirm-paypal.ts';
import { connectStripe } from '#features/payouts/commands/connect-stripe.ts';
import { disconnectStripe } from '#features/payouts/commands/disconnect-stripe.ts';
import { openProviderPage } from '#features/payouts/commands/open-provider-page.ts';
import { savePayoutSettings } from '#features/payouts/commands/save-payout-settings.ts';
import { type PayoutChoice, payoutMethods } from '#features/payouts/model.ts';
import { payoutMessages } from '#features/payouts/rules.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import type { ToastInput } from '#ui/toast.ts';

/** Handles the forms of the payment settings: save, connect and disconnect Stripe, its dashboard, confirm a PayPal address. */
export const handlePayoutForm = (args: ActionArgs) =>
  runAction<{ newer?: PayoutChoice }>(args, {
    intents: { save, connect, dashboard, disconnect, confirm },
    fallback: 'save',
    preserve: ['method', 'paypalEmail'],
    messages: ({ intent }) => (intent === 'save' ? { title: payoutMessages.failed, failed: '' } : {}),
  });

type Answer = Promise<Response | Refusal<{ newer?: PayoutChoice }>>;

/** The settings that the page showed when it was loaded. */
function baseOf(form: FormData): PayoutChoice | undefined {
  if (!form.has('baseMethod')) return undefined;
  const method = payoutMethods.find((known) => known === form.get('baseMethod')) ?? null;
  return { method, paypalEmail: formText(form, 'basePaypalEmail') };
}

const done = (toast: ToastInput) => redirectWithToast(sellerPaths.settings(), toast);
const errorToast = (text: string): ToastInput => ({ title: 'Error', text, tone: 'bad' });

async function save({ ctx, form, text }: Submission): Answer {
  const paypalEmail = text('paypalEmail');
  const result = await savePayoutSettings(ctx, { method: text('method'), paypalEmail, base: baseOf(form) });
  if (!result.ok)
    return result.reason === 'typed'
      ? invalid(result.errors)
      : { ok: false, status: 409, extra: { newer: result.current } };
  const mailed = `Please confirm ${paypalEmail.trim()} with the link we emailed to it.`;
  return done({ title: payoutMessages.saved, text: result.mailed ? mailed : undefined });
}

/** Leads to Stripe, where the marketplace has Connect configured. */
async function connect({ ctx }: Submission): Promise<Response | Refusal<never> | Stay> {
  const result = await connectStripe(ctx);
  if (result.ok) return redirect(result.url);
  if (result.reason === 'not_available')
    return { ok: true, toast: { ...payoutMessages.comingSoon, tone: 'info' } };
  return conflict(errorToast(payoutMessages[result.reason]));
}

async function dashboard({ ctx }: Submission): Promise<Response | Refusal<never>> {
  const result = await openProviderPage(ctx);
  if (result.ok) return redirect(result.url);
  return conflict(
    errorToast(
      result.reason === 'unfinished' ? payoutMessages.noProviderPage : payoutMessages.stripeNotConnected,
    ),
  );
}

async function disconnect({ ctx }: Submission): Answer {
  const result = await disconnectStripe(ctx);
  const processing = !result.ok && result.reason === 'processing';
  return done(processing ? errorToast(payoutMessages.processing) : payoutMessages.disconnected);
}

async function confirm({ ctx, text }: Submission): Answer {
  const result = await confirmPaypal(ctx, { token: text('token') });
  return done(result.ok ? payoutMessages.confirmed : errorToast(payoutMessages.confirmRefused));
}
