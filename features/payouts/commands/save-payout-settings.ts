import { type FieldErrors, fieldErrors } from '#features/accounts/model.ts';
import { mayActAsSeller } from '#features/sellers/rules.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { payoutLimits } from '../limits.ts';
import { mailPayoutChanged, mailPaypalConfirmation } from '../mails.ts';
import { type PayoutChoice, payoutSchema } from '../model.ts';
import {
  auditedSettings,
  destinationLabel,
  destinationOf,
  payoutMethodOf,
  payoutReadinessOf,
  type SellerRow,
  sellerRow,
} from '../payout-row.ts';
import { paypalToken } from '../paypal-token.ts';
import { PAYOUT_HOLD_MS, payoutMessages } from '../rules.ts';
import { belongsTo, currentAccount, type OnboardingPort, onboardingPort } from '../seller-account.ts';

type SavePayoutResult =
  /** `mailed`: a confirmation mail was sent to the PayPal address */
  | { ok: true; changed: boolean; mailed: boolean }
  | { ok: false; reason: 'typed'; errors: FieldErrors }
  /** something else was saved since the page was loaded: that is `current` */
  | { ok: false; reason: 'newer'; current: PayoutChoice };

/**
 * Sets how the seller is paid: the method, and for PayPal the address; no other column can be written this way. Payouts
 * to a new destination are held (`PAYOUT_HOLD_MS`), and the account, the old and the new address are notified. A PayPal
 * address must be confirmed by its owner; Stripe needs a connected account, since without one nothing could be paid. Saving an
 * unconfirmed PayPal address again mails another link.
 * @param input.base the settings that the page showed; whatever stands is replaced without them
 * @throws Unauthenticated, Forbidden for everyone but active sellers; TooManyRequests; PaymentError for Stripe, when it does not say
 *   whose our keys are
 */
export async function savePayoutSettings(
  ctx: CtxWith<'payouts'>,
  input: { method?: unknown; paypalEmail?: unknown; base?: PayoutChoice | undefined },
): Promise<SavePayoutResult> {
  const user = authorizedUser(ctx, mayActAsSeller);
  const parsed = payoutSchema.safeParse(input);
  if (!parsed.success) return { ok: false, reason: 'typed', errors: fieldErrors(parsed.error) };
  const wanted = parsed.data;
  await takeTokens(ctx, payoutLimits.save, `user:${user.id}`);
  const port = wanted.method === 'stripe' ? await onboardingPort(ctx) : null;
  return ctx.db.tx(async (): Promise<SavePayoutResult> => {
    const before = await sellerRow(ctx, user.agentId, true);
    const email = wanted.method === 'paypal' ? wanted.paypalEmail : before.paypal_email;
    const after: SellerRow = {
      ...before,
      preferred_payout_method: wanted.method,
      paypal_email: email,
      paypal_confirmed_at: email === before.paypal_email ? before.paypal_confirmed_at : null,
    };
    const changed = destinationOf(before) !== destinationOf(after);
    const current = { method: payoutMethodOf(before), paypalEmail: before.paypal_email };
    if (changed && input.base && !isSameChoice(input.base, current))
      return { ok: false, reason: 'newer', current };
    const unpayable =
      changed && wanted.method === 'stripe' ? await stripeProblem(ctx, before.id, port) : null;
    if (unpayable) return { ok: false, reason: 'typed', errors: { method: unpayable } };
    if (changed) await changeDestination(ctx, before, after, user.email);
    const mailed = wanted.method === 'paypal' && after.paypal_confirmed_at === null;
    if (mailed) {
      const token = paypalToken(ctx.config, before.id, wanted.paypalEmail);
      await mailPaypalConfirmation(ctx, { name: before.name, email: wanted.paypalEmail }, token);
    }
    return { ok: true, changed, mailed };
  });
}

/** Why nothing could ever be paid to the seller's Stripe account, in words; null when it can. */
async function stripeProblem(ctx: Ctx, agentId: string, port: OnboardingPort | null): Promise<string | null> {
  if (!port) return payoutMessages.stripeNotAvailable;
  const account = await currentAccount(ctx, agentId);
  if (!account?.ref) return payoutMessages.stripeNotConnected;
  return belongsTo(account, port) ? null : payoutMessages.stripeOutdated;
}

const isSameChoice = (one: PayoutChoice, other: PayoutChoice): boolean =>
  one.method === other.method && (one.paypalEmail ?? '') === (other.paypalEmail ?? '');

async function changeDestination(
  ctx: Ctx,
  before: SellerRow,
  after: SellerRow,
  accountEmail: string,
): Promise<void> {
  const holdUntil = new Date(ctx.now().getTime() + PAYOUT_HOLD_MS);
  await ctx.db
    .q()
    .updateTable('agents')
    .set({
      preferred_payout_method: after.preferred_payout_method,
      paypal_email: after.paypal_email,
      paypal_confirmed_at: after.paypal_confirmed_at,
      payout_status: payoutReadinessOf(after),
      payout_hold_until: holdUntil,
    })
    .where('id', '=', before.id)
    .execute();
  const recipients = [accountEmail, before.paypal_email, after.paypal_email].filter(
    (email) => email !== null,
  );
  await mailPayoutChanged(ctx, {
    recipients: [...new Set(recipients)],
    name: before.name,
    from: destinationLabel(before),
    to: destinationLabel(after),
    holdUntil,
  });
  await audit(ctx, {
    action: 'seller.payout',
    entity: 'agent',
    entityId: before.id,
    before: { destination: destinationOf(before), ...auditedSettings(before) },
    after: { destination: destinationOf(after), holdUntil, ...auditedSettings(after) },
  });
}
