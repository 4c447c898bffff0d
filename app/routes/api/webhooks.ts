import type { Context } from 'hono';
import type { WebEnv } from '#app/server/environment.ts';
import { receiveMessage } from '#features/purchases/commands/receive-message.ts';
import { PaymentError, type Rail } from '#gateways/payments/port.ts';

/**
 * POST /api/webhooks/stripe and /api/webhooks/coinbase: verified on the raw body, stored by the message's id, answered, and
 * worked on afterwards (R10). A message that came before gets the same answer.
 */
export const webhook =
  (rail: Rail) =>
  async (c: Context<WebEnv>): Promise<Response> => {
    const { ctx, services } = c.var;
    const rawBody = new Uint8Array(await c.req.raw.arrayBuffer());
    try {
      await receiveMessage(ctx, { rail, rawBody, headers: c.req.raw.headers }, services.payments);
      return c.json({ received: true });
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      ctx.log.warn({ err: error, rail }, 'a provider message was refused');
      const status = error.code === 'bad_signature' || error.code === 'invalid' ? 400 : 503;
      return c.json({ error: status === 400 ? 'The message is not accepted' : 'Not set up' }, status);
    }
  };
