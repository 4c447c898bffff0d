import { openSellerAccount } from '#features/accounts/commands/open-seller-account.ts';
import { COMMON_PASSWORD, type FieldErrors, fieldErrors } from '#features/accounts/model.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { withHashedPassword } from '#platform/auth/password.ts';
import type { Ctx } from '#platform/context.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { markInvitationsUsed } from '../invitations.ts';
import { sellerLimits } from '../limits.ts';
import { registerSchema } from '../model.ts';
import { resolveRegistrationLink } from '../registration.ts';
import { mayRegister } from '../rules.ts';

export type RegisterSellerResult =
  /** `proven`: the account can sign in at once; otherwise the invited address has to be confirmed first */
  | { ok: true; email: string; proven: boolean }
  | { ok: false; reason: 'typed'; errors: FieldErrors }
  | { ok: false; reason: 'registered' | 'invalid' | 'unknown' | 'account_exists' };

interface RegisterInput {
  id: string | null;
  token: string | null;
  name?: unknown;
  email?: unknown;
  password?: unknown;
  confirm?: unknown;
}

/**
 * Registers an invited seller: account, password and record in one transaction, so that a failure leaves nothing
 * behind. Name and address come from the seller record, whatever the form says.
 * @throws TooManyRequests
 */
export async function registerSeller(ctx: Ctx, input: RegisterInput): Promise<RegisterSellerResult> {
  authorize(ctx, mayRegister);
  const parsed = registerSchema.safeParse(input);
  if (!parsed.success) return { ok: false, reason: 'typed', errors: fieldErrors(parsed.error) };
  const { password } = parsed.data;
  await takeTokens(ctx, sellerLimits.register, `ip:${networkOf(ctx.ip)}`);
  return withHashedPassword(password, () => ctx.db.tx(() => register(ctx, input, password)));
}

async function register(
  ctx: Ctx,
  { id, token }: RegisterInput,
  password: string,
): Promise<RegisterSellerResult> {
  const link = await resolveRegistrationLink(ctx, { id, token }, true);
  if (id === null || link.state !== 'ready') {
    if (link.state === 'fault' || link.state === 'ready') throw new Error('A link without an id is no link');
    return { ok: false, reason: link.state };
  }
  const { name, email, proven } = link;
  const system: Ctx = { ...ctx, actor: { kind: 'system', name: 'registration' } };
  const account = await openSellerAccount(system, { email, name, password, proven });
  if (!account.ok)
    return account.reason === 'common_password'
      ? { ok: false, reason: 'typed', errors: { password: COMMON_PASSWORD } }
      : { ok: false, reason: account.reason };
  const q = ctx.db.q();
  const before = await q
    .selectFrom('agents')
    .select('is_registered')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await q
    .updateTable('agents')
    .set({ user_id: account.userId, registered_at: ctx.now() })
    .where('id', '=', id)
    .execute();
  // While unconfirmed, the mailed link must keep working: only it proves who was invited.
  if (proven) await markInvitationsUsed(ctx, id);
  await audit(system, {
    action: 'seller.register',
    entity: 'agent',
    entityId: id,
    // Again, while the address of the first registration was never confirmed.
    ...(before.is_registered && { before: { registered: true } }),
    after: { registered: true, proven },
  });
  return { ok: true, email, proven };
}
