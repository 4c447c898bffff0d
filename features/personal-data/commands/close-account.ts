import { holdListingsOfUser } from '#features/listings/hold-listings.ts';
import { countOpenPurchases } from '#features/sales/reads.ts';
import { cancelToursOf } from '#features/tours/commands/cancel-tours-of.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { clearedSessionCookie } from '#platform/auth/cookie.ts';
import { holdPassword, matchedPassword } from '#platform/auth/password.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { personalDataLimits } from '../limits.ts';
import { mailAccountClosed } from '../mails.ts';
import { closeAccountSchema } from '../model.ts';
import { mayCloseAccount, personalDataMessages } from '../rules.ts';
import { eraseAccount } from './erase-account.ts';

type CloseAccountResult =
  | { ok: true; cookies: string[] }
  | { ok: false; reason: 'password'; text: string }
  | { ok: false; reason: 'live_sale' };

/**
 * Closes the signed-in buyer's account permanently. Deletes name, address, password, watches, views, saved searches and
 * notifications; sales and messages to sellers are kept under the name 'Former buyer'. The account cannot be signed in
 * to again, and the address is free for a new one. Refused while a purchase is in progress.
 * @returns the Set-Cookie values that remove the session cookie
 * @throws Unauthenticated, Forbidden for sellers and administrators, TooManyRequests
 */
export async function closeAccount(ctx: Ctx, input: { password: unknown }): Promise<CloseAccountResult> {
  const user = authorizedUser(ctx, mayCloseAccount);
  const parsed = closeAccountSchema.safeParse(input);
  if (!parsed.success) return { ok: false, reason: 'password', text: parsed.error.issues[0]?.message ?? '' };
  await takeTokens(ctx, personalDataLimits.close, `user:${user.id}`);
  const wrong: CloseAccountResult = {
    ok: false,
    reason: 'password',
    text: personalDataMessages.wrongPassword,
  };
  const matched = await matchedPassword(ctx, user.id, parsed.data.password);
  if (matched === null) return wrong;
  return ctx.db.tx(async (): Promise<CloseAccountResult> => {
    await holdListingsOfUser(ctx, user.id);
    // A purchase that begins now waits for this lock and then finds the account closed. What others write of the account goes on: a seller
    // who holds one of its tours, which are next, notifies it.
    await ctx.db.q().selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute();
    if (!(await holdPassword(ctx, user.id, matched))) return wrong;
    if ((await countOpenPurchases(ctx)) > 0) return { ok: false, reason: 'live_sale' };
    await mailAccountClosed(ctx, user);
    const system = asSystem(ctx, 'account-close');
    await cancelToursOf(system, { buyerId: user.id });
    await eraseAccount(system, user);
    await audit(ctx, { action: 'account.close', entity: 'user', entityId: user.id });
    await publish(ctx, { audience: `user:${user.id}`, type: 'session', payload: {} });
    return { ok: true, cookies: [clearedSessionCookie(ctx.config)] };
  });
}
