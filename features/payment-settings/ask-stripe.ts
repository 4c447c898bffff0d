import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { CheckFailure } from './stripe-keys.ts';

export type Verdict = { ok: true; account: string } | { ok: false; failure: CheckFailure };

/** Asks Stripe whose a secret key is. Never inside a transaction. */
export async function askAccount(ctx: CtxWith<'stripeSetup'>, secretKey: string): Promise<Verdict> {
  try {
    const { ref } = await ctx.stripeSetup.account(secretKey);
    return { ok: true, account: ref };
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    ctx.log.warn({ err: error }, 'Stripe did not confirm a key');
    return { ok: false, failure: error.retryable ? 'no_answer' : 'refused' };
  }
}
