import { redirect } from 'react-router';
import { redirectWithToast } from '#app/actions/run-action.ts';
import { getCtx } from '#app/request.ts';
import { connectStripe } from '#features/payouts/commands/connect-stripe.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { sellerOf } from '#platform/access.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import type { Route } from './+types/stripe-refresh';

/** Where a link to Stripe leads that is not valid anymore: to a new one. */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const ctx = getCtx(context);
  if (sellerOf(ctx.actor)?.suspended) return redirect(sellerPaths.settings());
  try {
    const result = await connectStripe(ctx);
    return redirect(result.ok ? result.url : sellerPaths.settings());
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    ctx.log.warn({ err: error }, 'the provider made no new link for a seller');
    return redirectWithToast(sellerPaths.settings(), {
      title: 'Error',
      text: 'Stripe did not answer. Please try again.',
      tone: 'bad',
    });
  }
}
