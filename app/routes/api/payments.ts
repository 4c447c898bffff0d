import type { Context } from 'hono';
import type { z } from 'zod';
import type { WebEnv } from '#app/server/environment.ts';
import { centsOf } from '#features/purchases/amounts.ts';
import { diagnosePayments } from '#features/purchases/commands/diagnose-payments.ts';
import { openCheckout } from '#features/purchases/commands/open-checkout.ts';
import { type CheckoutResult, diagnosticsCall, paymentCall } from '#features/purchases/model.ts';
import { modeOf, openRails } from '#features/purchases/rails.ts';
import { checkoutText, refusalStatus, refusalText } from '#features/purchases/rules.ts';
import { BadRequest, NotFound } from '#platform/errors.ts';

/**
 * POST /api/payments/create-card-payment, create-coinbase-payment and create-crypto-payment (S0 §7, B-066, B-079): opens the
 * provider's page for a begun purchase. Answers {url} or {error}; which provider it is, the purchase itself decides.
 */
export async function createPayment(c: Context<WebEnv>): Promise<Response> {
  const { ctx, services } = c.var;
  if (ctx.actor.kind === 'visitor') return c.json({ error: refusalText.signed_out }, 401);
  const call = await bodyOf(c, paymentCall);
  const expectedCents = centsOf(call.amount);
  if (expectedCents === null) throw new BadRequest('The amount is not one in dollars');
  try {
    const result = await openCheckout(
      ctx,
      { saleId: call.transactionId, propertyId: call.propertyId, expectedCents },
      services.payments,
    );
    return result.ok ? c.json({ url: result.url }) : refused(c, result);
  } catch (error) {
    if (error instanceof NotFound) return c.json({ error: 'There is no such pending transaction' }, 404);
    throw error;
  }
}

const refused = (c: Context<WebEnv>, { reason }: Extract<CheckoutResult, { ok: false }>): Response =>
  c.json({ error: checkoutText(reason) }, refusalStatus(reason) as 409);

/** The healthy answer to anything but POST (B-079). */
export const onlyPost = (c: Context<WebEnv>): Response =>
  c.json({ error: 'Method not allowed' }, 405, { allow: 'POST' });

/** POST /api/payment-diagnostics {paymentType, propertyId} (S0 §7, B-080). */
export async function paymentDiagnostics(c: Context<WebEnv>): Promise<Response> {
  const { ctx, services } = c.var;
  if (ctx.actor.kind === 'visitor') return c.json({ error: refusalText.signed_out }, 401);
  const { paymentType, propertyId } = await bodyOf(c, diagnosticsCall);
  return c.json(await diagnosePayments(ctx, { rail: paymentType, propertyId }, services.payments));
}

/** GET /api/stripe-config: what the diagnosis falls back to; nothing in it is secret (B-080). */
export function stripeConfig(c: Context<WebEnv>): Response {
  const { card } = openRails(c.var.services.payments);
  return c.json({ publishableKey: null, mode: card ? modeOf(card) : 'off' });
}

async function bodyOf<Schema extends z.ZodType>(
  c: Context<WebEnv>,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const body = await c.req.json<unknown>().catch(() => {
    throw new BadRequest('The body is not JSON');
  });
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new BadRequest(`Property information is incomplete: ${parsed.error.issues[0]?.path.join('.')}`);
}
