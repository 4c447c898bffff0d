import { type FieldErrors, fieldErrors } from '#features/accounts/model.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import type { Query } from '#platform/db/database.ts';
import { takeTokens } from '#platform/limits.ts';
import { mailPayoutChanged, mailPaypalConfirmation } from '../mails.ts';
import { payoutSchema, sellerLimits } from '../model.ts';
import { destinationOf, destinationWords, readinessOf, type SellerRow, sellerRow } from '../payout-row.ts';
import { paypalToken } from '../paypal-token.ts';
import { mayActAsSeller, PAYOUT_HOLD_MS } from '../rules.ts';

export type SavePayoutResult =
  /** `mailed`: the PayPal address has been asked to confirm itself */
  { ok: true; changed: boolean; mailed: boolean } | { ok: false; reason: 'typed'; errors: FieldErrors };

/**
 * Sets how the seller is paid: the method, and for PayPal the address; nothing else of the record can be written this way
 * (B-117). A new destination is held for 72 hours, and the account, the old and the new address are told (B-116). A PayPal
 * address counts once its owner has confirmed it; saving one again that waits for that mails it another link (B-099).
 * @throws Unauthenticated, Forbidden for everyone but active sellers, TooManyRequests
 */
export async function savePayoutSettings(
  ctx: Ctx,
  input: { method?: unknown; paypalEmail?: unknown },
): Promise<SavePayoutResult> {
  const user = authorizedUser(ctx, mayActAsSeller);
  const parsed = payoutSchema.safeParse(input);
  if (!parsed.success) return { ok: false, reason: 'typed', errors: fieldErrors(parsed.error) };
  const wanted = parsed.data;
  await takeTokens(ctx, sellerLimits.payout, `user:${user.id}`);
  return ctx.db.tx(async (q): Promise<SavePayoutResult> => {
    const before = await sellerRow(q, user.agentId ?? '', true);
    const email = wanted.method === 'paypal' ? wanted.paypalEmail : before.paypal_email;
    const after: SellerRow = {
      ...before,
      preferred_payout_method: wanted.method,
      paypal_email: email,
      paypal_confirmed_at: email === before.paypal_email ? before.paypal_confirmed_at : null,
    };
    const changed = destinationOf(before) !== destinationOf(after);
    if (changed) await write(ctx, q, before, after, user.email);
    const mailed = wanted.method === 'paypal' && after.paypal_confirmed_at === null;
    if (mailed) {
      const token = paypalToken(ctx.config, before.id, wanted.paypalEmail);
      await mailPaypalConfirmation(ctx, { name: before.name, email: wanted.paypalEmail }, token);
    }
    return { ok: true, changed, mailed };
  });
}

async function write(
  ctx: Ctx,
  q: Query,
  before: SellerRow,
  after: SellerRow,
  account: string,
): Promise<void> {
  const holdUntil = new Date(ctx.now().getTime() + PAYOUT_HOLD_MS);
  await q
    .updateTable('agents')
    .set({
      preferred_payout_method: after.preferred_payout_method,
      paypal_email: after.paypal_email,
      paypal_confirmed_at: after.paypal_confirmed_at,
      payout_status: readinessOf(after),
      payout_hold_until: holdUntil,
    })
    .where('id', '=', before.id)
    .execute();
  const told = [account, before.paypal_email, after.paypal_email].filter((email) => email !== null);
  await mailPayoutChanged(ctx, {
    readers: [...new Set(told)],
    name: before.name,
    from: destinationWords(before),
    to: destinationWords(after),
    holdUntil,
  });
  await audit(ctx, {
    action: 'seller.payout',
    entity: 'agent',
    entityId: before.id,
    before: { destination: destinationOf(before) },
    after: { destination: destinationOf(after), holdUntil },
  });
}
