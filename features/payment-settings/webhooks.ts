import { PaymentError } from '#gateways/payments/port.ts';
import { openSecret } from '#gateways/payments/stripe/key-sets.ts';
import type { StripeEndpoint } from '#gateways/payments/stripe/setup-port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import type { KeySet } from './stripe-store.ts';

/** Where Stripe sends its messages. */
export const webhookUrl = ({ config }: Pick<Ctx, 'config'>): string =>
  `${config.publicUrl}/api/webhooks/stripe`;

/** Somebody else may be about to store the secret of an endpoint that is younger. */
const SETTLED_MS = 10 * MINUTE;

/** Whether the secret of an endpoint is stored and Stripe sends it everything that we have to hear. */
export async function isWebhookConfigured(
  ctx: CtxWith<'stripeSetup'>,
  set: KeySet,
  secretKey: string,
): Promise<boolean> {
  if (openSecret(ctx.config, set.id, 'endpoint', set.endpoint_sealed) === null) return false;
  const endpoints = await ctx.stripeSetup.endpoints(secretKey, webhookUrl(ctx));
  return endpoints.some(({ ref, enabled, complete }) => ref === set.endpoint_ref && enabled && complete);
}

/**
 * Whether Stripe has an endpoint at our address that is enabled and sent everything that we have to hear, for keys of the environment.
 * Whether their secret is the one of this endpoint only a signed message shows. Null when Stripe refuses or does not answer.
 */
export async function hasEndpoint(
  ctx: CtxWith<'stripeSetup'>,
  { secretKey, webhookSecret }: { secretKey: string; webhookSecret: string },
): Promise<boolean | null> {
  if (webhookSecret === '') return false;
  try {
    const endpoints = await ctx.stripeSetup.endpoints(secretKey, webhookUrl(ctx));
    return endpoints.some(({ enabled, complete }) => enabled && complete);
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    ctx.log.warn({ err: error }, 'Stripe did not say which endpoints there are');
    return null;
  }
}

/**
 * Removes the endpoints of ours at the same address whose messages we could not verify, and stops those that were made by hand. Younger
 * ones stay: their secret may be stored at this moment.
 */
export async function removeOtherEndpoints(
  ctx: CtxWith<'stripeSetup'>,
  secretKey: string,
  endpoints: readonly StripeEndpoint[],
  current: string,
): Promise<void> {
  for (const { ref, ours, enabled, createdAt } of endpoints) {
    if (ref === current || ctx.now().getTime() - createdAt.getTime() < SETTLED_MS) continue;
    try {
      if (ours) await ctx.stripeSetup.removeEndpoint(secretKey, ref);
      else if (enabled) await ctx.stripeSetup.switchEndpoint(secretKey, ref, false);
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      // Its messages come twice, and are refused once.
      ctx.log.warn({ err: error, endpoint: ref }, 'another endpoint at the same address goes on');
    }
  }
}
