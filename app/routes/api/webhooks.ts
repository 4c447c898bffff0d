import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { receiveMessage } from '#features/payments/commands/receive-message.ts';
import { receivePayoutMessage } from '#features/payments/commands/receive-payout-message.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { sandboxSender } from '#gateways/payments/sandbox/webhook.ts';
import { sandboxPayoutSender } from '#gateways/payouts/sandbox/webhook.ts';
import type { ServerCtx } from '#gateways/ports.ts';

/**
 * POST /api/webhooks/{provider}: verified on the raw body with that provider's secret, whichever provider serves new sales;
 * stored by message id, acknowledged, and processed afterwards (R10). Duplicates get the same response.
 */
const webhook =
  <Provider extends string>(
    providerOf: (headers: Headers) => Provider,
    receive: (
      ctx: ServerCtx,
      message: { provider: Provider; rawBody: Uint8Array; headers: Headers },
    ) => Promise<boolean>,
  ) =>
  async (c: Context<WebEnv>): Promise<Response> => {
    const { ctx } = c.var;
    const { headers } = c.req.raw;
    const provider = providerOf(headers);
    const rawBody = new Uint8Array(await c.req.raw.arrayBuffer());
    try {
      await receive(ctx, { provider, rawBody, headers });
      return c.json({ received: true });
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      ctx.log.warn({ err: error, provider }, 'a provider message was refused');
      const status = error.code === 'bad_signature' || error.code === 'invalid' ? 400 : 503;
      return c.json({ error: status === 400 ? 'The message is not accepted' : 'Not set up' }, status);
    }
  };

export const stripeWebhook = webhook(() => 'stripe' as const, receiveMessage);
export const coinbaseWebhook = webhook(() => 'coinbase' as const, receiveMessage);
/** The sandbox plays one provider for each payment method, and signs as that one does. */
export const sandboxWebhook = webhook(sandboxSender, receiveMessage);

/** Transfers to sellers and the sellers' accounts; each has its own secret, also at the provider of payments. */
export const stripeConnectWebhook = webhook(() => 'stripe-connect' as const, receivePayoutMessage);
export const paypalWebhook = webhook(() => 'paypal' as const, receivePayoutMessage);
export const sandboxPayoutsWebhook = webhook(sandboxPayoutSender, receivePayoutMessage);
