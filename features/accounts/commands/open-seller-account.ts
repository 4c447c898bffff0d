import { holdListingsOfUser } from '#features/listings/hold-listings.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { authOf } from '#platform/auth/auth.ts';
import { passwordHasher } from '#platform/auth/password.ts';
import type { Ctx } from '#platform/context.ts';
import { isCommonPassword } from '../common-passwords.ts';
import { endSignIns } from '../end-sign-ins.ts';
import { mayOpenSellerAccount } from '../rules.ts';

type OpenSellerAccountResult =
  | { ok: true; userId: string }
  | { ok: false; reason: 'account_exists' | 'common_password' };

interface SellerAccount {
  /** the invited address, in lower case */
  email: string;
  name: string;
  /** 8 to 128 characters, validated by the caller */
  password: string;
}

/**
 * Opens the account of an invited seller, who has proven the address by a mailed token, inside the caller's transaction. An
 * existing account with the address that is unconfirmed, or is a seller's without a seller record, is incomplete and is taken
 * over with a new password. Any other account with the address is left alone.
 * @throws Unauthenticated, Forbidden for everyone but the registration itself
 */
export async function openSellerAccount(ctx: Ctx, account: SellerAccount): Promise<OpenSellerAccountResult> {
  authorize(ctx, mayOpenSellerAccount);
  const { email, name, password } = account;
  if (isCommonPassword(password, { email, name })) return { ok: false, reason: 'common_password' };
  const hash = await passwordHasher.hash(password);
  return ctx.db.tx(async (): Promise<OpenSellerAccountResult> => {
    const q = ctx.db.q();
    const opened = await q
      .insertInto('users')
      .values({ email, name, email_verified: true, created_at: ctx.now() })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id')
      .executeTakeFirst();
    const userId = opened?.id ?? (await takeOver(ctx, email, name));
    if (!userId) return { ok: false, reason: 'account_exists' };
    await q
      .insertInto('profiles')
      .values({ id: userId, role: 'agent', created_at: ctx.now() })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ role: 'agent', must_change_password: false }),
      )
      .execute();
    const { internalAdapter } = await (await authOf(ctx)).$context;
    await internalAdapter.linkAccount({
      userId,
      accountId: userId,
      providerId: 'credential',
      password: hash,
    });
    await audit(ctx, {
      action: 'account.open',
      entity: 'user',
      entityId: userId,
      after: { role: 'agent' },
    });
    return { ok: true, userId };
  });
}

/**
 * Takes over an incomplete account, removing all that whoever opened it could sign in with, and its sessions; null if the account
 * is complete.
 */
async function takeOver(ctx: Ctx, email: string, name: string): Promise<string | null> {
  const q = ctx.db.q();
  // It may have asked about listings under its name before.
  const known = await q.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
  await holdListingsOfUser(ctx, known.id);
  const user = await q
    .selectFrom('users as u')
    .leftJoin('profiles as p', 'p.id', 'u.id')
    .select(['u.id', 'u.email_verified', 'p.role'])
    .where('u.email', '=', email)
    .forUpdate('u')
    .executeTakeFirstOrThrow();
  const withoutSellerRecord =
    user.role === 'agent' &&
    !(await q.selectFrom('agents').select('id').where('user_id', '=', user.id).executeTakeFirst());
  if (user.role === 'admin' || (user.email_verified && user.role !== null && !withoutSellerRecord))
    return null;
  await endSignIns(ctx, user.id);
  await q.updateTable('users').set({ name, email_verified: true }).where('id', '=', user.id).execute();
  return user.id;
}
