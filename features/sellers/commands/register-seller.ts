import { openSellerAccount } from '#features/accounts/commands/open-seller-account.ts';
import { COMMON_PASSWORD, type FieldErrors, fieldErrors } from '#features/accounts/model.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { withHashedPassword } from '#platform/auth/password.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { hasTokens, takeTokens } from '#platform/rate-limits.ts';
import { issueInvitation, markInvitationsUsed } from '../invitations.ts';
import { sellerLimits } from '../limits.ts';
import { passwordSchema, type RegistrationState, registerSchema } from '../model.ts';
import { resolveRegistrationLink } from '../registration.ts';
import { mayRegister } from '../rules.ts';

type RegisterSellerResult =
  | { ok: true; proven: true; email: string }
  /** there was no token: a link to complete the registration was mailed to the invited address, and nothing was kept */
  | { ok: true; proven: false }
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
 * behind. Name and address come from the seller record, whatever the form says. A seller's id is no secret: without the token of
 * a mail only a new link goes to the invited address, and the password is chosen there.
 * @throws TooManyRequests
 */
export async function registerSeller(ctx: Ctx, input: RegisterInput): Promise<RegisterSellerResult> {
  authorize(ctx, mayRegister);
  const parsed = (input.token === null ? passwordSchema : registerSchema).safeParse(input);
  if (!parsed.success) return { ok: false, reason: 'typed', errors: fieldErrors(parsed.error) };
  const { password } = parsed.data;
  await takeTokens(ctx, sellerLimits.register, `ip:${networkOf(ctx.ip)}`);
  if (input.token === null) return mailNewLink(ctx, input);
  return withHashedPassword(password, () => ctx.db.tx(() => register(ctx, input, password)));
}

/** Leaves the links of earlier mails valid, or whoever knows the id could keep ending them. */
async function mailNewLink(ctx: Ctx, { id }: RegisterInput): Promise<RegisterSellerResult> {
  const link = await resolveRegistrationLink(ctx, { id, token: null });
  if (id === null || link.state !== 'ready') return refusalOf(link);
  const mayMail = await hasTokens(ctx, sellerLimits.linkMails, `seller:${id}`);
  if (!mayMail) return { ok: true, proven: false };
  const system = asSystem(ctx, 'registration');
  await ctx.db.tx(async () => {
    const { name, email } = await ctx.db
      .q()
      .selectFrom('agents')
      .select(['name', 'email'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await issueInvitation(system, { id, name, email }, { replace: false });
    await audit(system, { action: 'seller.request_link', entity: 'agent', entityId: id });
  });
  return { ok: true, proven: false };
}

function refusalOf({ state }: RegistrationState): RegisterSellerResult {
  if (state === 'fault' || state === 'ready') throw new Error('A link without an id is no link');
  return { ok: false, reason: state };
}

async function register(
  ctx: Ctx,
  { id, token }: RegisterInput,
  password: string,
): Promise<RegisterSellerResult> {
  const link = await resolveRegistrationLink(ctx, { id, token }, true);
  if (id === null || link.state !== 'ready' || !link.proven) return refusalOf(link);
  const { name, email } = link;
  const system = asSystem(ctx, 'registration');
  const account = await openSellerAccount(system, { email, name, password });
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
  await markInvitationsUsed(ctx, id);
  await audit(system, {
    action: 'seller.register',
    entity: 'agent',
    entityId: id,
    // Again, while the address of the first registration was never confirmed.
    ...(before.is_registered && { before: { registered: true } }),
    after: { registered: true },
  });
  return { ok: true, proven: true, email };
}
