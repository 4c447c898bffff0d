import { readOr, readOrNull } from '#app/read-or.ts';
import { configuredServices, payoutInformation, stripeConnection } from '#features/payment-settings/reads.ts';
import type { ServerCtx } from '#gateways/ports.ts';
import { parseStripeQuery } from './stripe-query.ts';

/** What the tab Stripe Integration shows; null for each part that could not be read. */
export async function readStripeTab(ctx: ServerCtx, params: URLSearchParams) {
  const [connection, payout, services] = await Promise.all([
    readOrNull(ctx, () => stripeConnection(ctx)),
    readOr(ctx, 'failed' as const, () => payoutInformation(ctx)),
    readOrNull(ctx, async () => configuredServices(ctx)),
  ]);
  const failed = connection === null || services === null;
  return { query: parseStripeQuery(params), connection, payout, services, failed };
}

export type StripeTabData = Awaited<ReturnType<typeof readStripeTab>>;
