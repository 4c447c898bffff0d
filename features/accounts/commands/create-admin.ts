import { randomBytes } from 'node:crypto';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { authOf, PASSWORD_MIN } from '#platform/auth/auth.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { hashPassword } from '#platform/auth/password.ts';
import type { Ctx } from '#platform/context.ts';
import { Forbidden } from '#platform/errors.ts';
import { lockAdmins } from '../admins.ts';
import { isCommonPassword } from '../common-passwords.ts';
import { endSignIns } from '../end-sign-ins.ts';
import { mailAdminWelcome } from '../mails.ts';
import { type FieldErrors, fieldErrors, newAdminSchema } from '../model.ts';
import { mayCreateAdmin, nameFromEmail } from '../rules.ts';

type CreateAdminResult =
  /** `oneTimePassword`: generated when none was given; shown once and never stored */
  | { ok: true; userId: string; oneTimePassword: string | null }
  | { ok: false; reason: 'invalid'; errors: FieldErrors }
  | { ok: false; reason: 'address_taken' };

/**
 * Creates an administrator. Without a password, a one-time password is generated; like a given one of fewer than eight
 * characters or a common one, it has to be replaced at the first sign-in. A buyer's account that nobody has confirmed becomes the
 * administrator's, so that no stranger keeps an address from being one.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators and the command line
 */
export async function createAdmin(
  ctx: Ctx,
  input: { email?: unknown; password?: unknown },
): Promise<CreateAdminResult> {
  authorize(ctx, mayCreateAdmin);
  requireFreshProof(ctx);
  const parsed = newAdminSchema.safeParse(input);
  if (!parsed.success) return { ok: false, reason: 'invalid', errors: fieldErrors(parsed.error) };
  const { email } = parsed.data;
  const oneTimePassword = parsed.data.password === undefined ? randomBytes(12).toString('base64url') : null;
  const password = parsed.data.password ?? oneTimePassword ?? '';
  const hash = await hashPassword(password);
  const { internalAdapter } = await (await authOf(ctx)).$context;
  return ctx.db.tx(async (): Promise<CreateAdminResult> => {
    // Whoever was removed since the request began adds nobody.
    if (ctx.actor.kind === 'user' && !(await lockAdmins(ctx)).includes(ctx.actor.id)) throw new Forbidden();
    const opened = await ctx.db
      .q()
      .insertInto('users')
      .values({ email, name: nameFromEmail(email), email_verified: true, created_at: ctx.now() })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning(['id', 'email'])
      .executeTakeFirst();
    const user = opened ?? (await takeOver(ctx, email));
    if (!user) return { ok: false, reason: 'address_taken' };
    await internalAdapter.linkAccount({
      userId: user.id,
      accountId: user.id,
      providerId: 'credential',
      password: hash,
    });
    const profile = {
      role: 'admin',
      must_change_password:
        oneTimePassword !== null || password.length < PASSWORD_MIN || isCommonPassword(password, { email }),
    } as const;
    await ctx.db
      .q()
      .insertInto('profiles')
      .values({ id: user.id, ...profile, created_at: ctx.now() })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ ...profile, suspended_at: null, suspension_reason: null }),
      )
      .execute();
    await mailAdminWelcome(ctx, user);
    await audit(ctx, { action: 'admin.create', entity: 'user', entityId: user.id, after: { role: 'admin' } });
    return { ok: true, userId: user.id, oneTimePassword };
  });
}

/** Confirms a buyer's account that nobody has confirmed, without anything that opens it; null when the account is another one. */
async function takeOver(ctx: Ctx, email: string): Promise<{ id: string; email: string } | null> {
  const q = ctx.db.q();
  const user = await q
    .selectFrom('users as u')
    .innerJoin('profiles as p', 'p.id', 'u.id')
    .select(['u.id', 'u.email'])
    .where('u.email', '=', email)
    .where('u.email_verified', '=', false)
    .where('p.role', '=', 'buyer')
    .forUpdate('u')
    .executeTakeFirst();
  if (!user) return null;
  await endSignIns(ctx, user.id);
  await q.updateTable('users').set({ email_verified: true }).where('id', '=', user.id).execute();
  return user;
}
