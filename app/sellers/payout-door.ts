import { data, redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { paths } from '#app/paths.ts';
import { typedText } from '#app/sign-in/answer.ts';
import { confirmPaypal } from '#features/sellers/commands/confirm-paypal.ts';
import { disconnectStripe } from '#features/sellers/commands/disconnect-stripe.ts';
import { savePayoutSettings } from '#features/sellers/commands/save-payout-settings.ts';
import { payoutTexts } from '#features/sellers/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { Forbidden, TooManyRequests } from '#platform/errors.ts';
import type { ToastInput } from '#ui/toast.ts';

/** What the payment settings answer when they stay on their page. */
export interface PayoutAnswer {
  errors?: Partial<Record<string, string>>;
  /** to show again */
  typed?: { method: string; paypalEmail: string };
  toast?: ToastInput;
}

/** Answers the forms of the payment settings: save, connect, disconnect, confirm a PayPal address. */
export async function answerPayout(ctx: Ctx, form: FormData) {
  switch (typedText(form, 'do')) {
    case 'connect':
      // Without Stripe Connect set up there is nowhere to go (B-114).
      return data<PayoutAnswer>({ toast: { ...payoutTexts.comingSoon, tone: 'info' } });
    case 'disconnect':
      return disconnect(ctx);
    case 'confirm':
      return confirm(ctx, typedText(form, 'token'));
    default:
      return save(ctx, { method: typedText(form, 'method'), paypalEmail: typedText(form, 'paypalEmail') });
  }
}

const back = (toast: ToastInput) =>
  redirect(paths.agentSettings(), { headers: { 'set-cookie': setFlash(toast) } });
const failed = (text: string): ToastInput => ({ title: 'Error', text, tone: 'bad' });

async function save(ctx: Ctx, typed: { method: string; paypalEmail: string }) {
  try {
    const result = await savePayoutSettings(ctx, typed);
    if (!result.ok) return data<PayoutAnswer>({ errors: result.errors, typed }, { status: 422 });
    const text = result.mailed
      ? `Please confirm ${typed.paypalEmail.trim()} by the link that was mailed to it.`
      : undefined;
    return back({ title: payoutTexts.saved, text });
  } catch (error) {
    if (error instanceof Forbidden) throw error;
    if (!(error instanceof TooManyRequests)) ctx.log.error({ err: error }, 'payment settings were not saved');
    const detail = error instanceof TooManyRequests ? error.message : undefined;
    const toast: ToastInput = { title: payoutTexts.failed, text: detail, tone: 'bad' };
    return data<PayoutAnswer>({ typed, toast }, { status: error instanceof TooManyRequests ? 429 : 500 });
  }
}

async function disconnect(ctx: Ctx) {
  const result = await disconnectStripe(ctx);
  if (!result.ok && result.reason === 'processing') return back(failed(payoutTexts.processing));
  return back(payoutTexts.disconnected);
}

async function confirm(ctx: Ctx, token: string) {
  const result = await confirmPaypal(ctx, { token });
  return back(result.ok ? payoutTexts.confirmed : failed(payoutTexts.confirmRefused));
}
