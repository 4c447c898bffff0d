import { redirectWithToast } from '#app/actions/run-action.ts';
import { getCtx } from '#app/request.ts';
import { syncOwnAccount } from '#features/payouts/commands/sync-seller-account.ts';
import { ownPayoutSettings } from '#features/payouts/reads.ts';
import { payoutMessages } from '#features/payouts/rules.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import type { ToastInput } from '#ui/toast.ts';
import type { Route } from './+types/stripe-return';

/** Where the seller comes back from Stripe: that proves nothing, so Stripe is asked. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const ctx = getCtx(context);
  let unread = false;
  try {
    await syncOwnAccount(ctx);
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    ctx.log.warn({ err: error }, 'the provider did not answer about a seller account');
    unread = true;
  }
  const { stripe } = await ownPayoutSettings(ctx);
  return redirectWithToast(sellerPaths.settings(), toastFor(unread, stripe));
}

function toastFor(unread: boolean, stripe: { active: boolean } | null): ToastInput | null {
  if (unread) return { title: 'Stripe', text: payoutMessages.returnUnread, tone: 'info' };
  if (stripe === null) return null;
  return stripe.active ? payoutMessages.connectedToast : { ...payoutMessages.unfinishedToast, tone: 'info' };
}
