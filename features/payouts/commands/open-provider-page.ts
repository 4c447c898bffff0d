import { mayActAsSeller } from '#features/sellers/rules.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedSeller } from '#platform/access.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { payoutLimits } from '../limits.ts';
import { belongsTo, currentAccount, onboardingPort } from '../seller-account.ts';

type ProviderPageResult =
  | { ok: true; url: string }
  /** `not_connected`: there is no account that the provider of today knows; `unfinished`: it has to be set up first */
  | { ok: false; reason: 'not_connected' | 'unfinished' };

/**
 * A link to the seller's own page at the provider, usable once and for some minutes.
 * @throws Unauthenticated, Forbidden for everyone but active sellers; TooManyRequests; PaymentError
 */
export async function openProviderPage(ctx: CtxWith<'payouts'>): Promise<ProviderPageResult> {
  const { id, agentId } = authorizedSeller(ctx, mayActAsSeller);
  const account = await currentAccount(ctx, agentId);
  if (!account?.ref) return { ok: false, reason: 'not_connected' };
  const port = await onboardingPort(ctx);
  if (!port || !belongsTo(account, port)) return { ok: false, reason: 'not_connected' };
  await takeTokens(ctx, payoutLimits.account, `user:${id}`);
  try {
    const { url } = await port.onboarding.loginLink(account.ref);
    return { ok: true, url };
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'conflict')
      return { ok: false, reason: 'unfinished' };
    throw error;
  }
}
