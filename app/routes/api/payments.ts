import type { Context } from 'hono';
import type { z } from 'zod';
import { readJson } from '#app/actions/read-json.ts';
import type { WebEnv } from '#app/server/environment.ts';
import { nullWhenGone } from '#app/when-gone.ts';
import { diagnosePayments } from '#features/checkout/commands/diagnose-payments.ts';
import { openCheckout } from '#features/checkout/commands/open-checkout.ts';
import { dollarsToCents } from '#features/checkout/dollars.ts';
import {
  diagnosticsRequestSchema,
  type OpenCheckoutResult,
  paymentRequestSchema,
} from '#features/checkout/model.ts';
import { modeOf, providersByMethod } from '#features/checkout/payment-methods.ts';
import { checkoutFailureMessage, refusalMessages, refusalStatus } from '#features/checkout/rules.ts';
import { BadRequest } from '#platform/errors.ts';

/**
 * POST /api/payments/create-card-payment, create-coinbase-payment and create-crypto-payment: opens the provider's
 * checkout for a purchase that has been started. Returns {url} or {error}; the purchase itself determines the provider.
 */
export async function createPayment(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind === 'visitor') return c.json({ error: refusalMessages.signed_out }, 401);
  const call = await readJson(c, paymentRequestSchema, incomplete);
  const expectedCents = dollarsToCents(call.amount);
  if (expectedCents === null) throw new BadRequest('The amount is not one in dollars');
  const result = await nullWhenGone(
    openCheckout(ctx, { saleId: call.transactionId, propertyId: call.propertyId, expectedCents }),
  );
  if (!result) return c.json({ error: 'There is no such pending transaction' }, 404);
  return result.ok ? c.json({ url: result.url }) : refused(c, result);
}

const refused = (c: Context<WebEnv>, { reason }: Extract<OpenCheckoutResult, { ok: false }>): Response =>
  c.json({ error: checkoutFailureMessage(reason) }, refusalStatus(reason));

/** The response to anything but POST; the payment diagnostics read it as a healthy endpoint. */
export const methodNotAllowed = (c: Context<WebEnv>): Response =>
  c.json({ error: 'Method not allowed' }, 405, { allow: 'POST' });

/** POST /api/payment-diagnostics {paymentType, propertyId}: checks whether the payment method works. */
export async function paymentDiagnostics(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  if (ctx.actor.kind === 'visitor') return c.json({ error: refusalMessages.signed_out }, 401);
  const { paymentType, propertyId } = await readJson(c, diagnosticsRequestSchema, incomplete);
  return c.json(await diagnosePayments(ctx, { method: paymentType, propertyId }));
}

/** GET /api/stripe-config: the fallback of the payment diagnostics; Stripe's public key and the mode, no secrets. */
export function stripeConfig(c: Context<WebEnv>): Response {
  const { card } = providersByMethod(c.var.ctx.payments);
  return c.json({ publishableKey: card?.publishableKey ?? null, mode: card ? modeOf(card) : 'off' });
}

/** Names the field that is missing or wrong. */
const incomplete = (error: z.ZodError) =>
  `Property information is incomplete: ${error.issues[0]?.path.join('.')}`;
