import { createHash } from 'node:crypto';
import { hasFactor, needsFactor } from '#platform/auth/factors/required.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { type LoginRole, loginRefusal } from './rules.ts';

/** An account with what signing in asks about it. */
export type SignInAccount = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/** The account with an id or an address in lower case. */
export const findAccount = (ctx: Ctx, by: 'id' | 'email', value: string) =>
  ctx.db
    .q()
    .selectFrom('users as u')
    .innerJoin('profiles as p', 'p.id', 'u.id')
    .innerJoin('credentials as c', (join) =>
      join.onRef('c.user_id', '=', 'u.id').on('c.provider_id', '=', 'credential'),
    )
    .leftJoin('agents as a', 'a.user_id', 'u.id')
    .select([
      'u.id',
      'u.name',
      'u.email',
      'u.email_verified',
      'p.role',
      'p.must_change_password',
      'p.suspended_at',
      'c.password',
    ])
    .select(['a.id as agent_id', 'a.status', 'a.archived_at', hasFactor('u.id').as('has_factor')])
    .where(`u.${by}`, '=', value)
    .executeTakeFirst();

/** Whom the account acts as from now on. */
export function actorFrom(ctx: Ctx, account: SignInAccount): UserActor {
  const seller = account.role === 'agent';
  return {
    kind: 'user',
    id: account.id,
    role: account.role,
    name: account.name,
    email: account.email,
    emailVerified: account.email_verified,
    agentId: seller ? account.agent_id : null,
    suspended: seller ? account.status === 'suspended' : account.suspended_at !== null,
    provedAt: ctx.now(),
    mustAddFactor: needsFactor(account.role, ctx.config) && !account.has_factor,
  };
}

/** Why an account may not sign in on a page; null if it may. Archived sellers may nowhere. */
export const accountRefusal = ({ role, archived_at }: SignInAccount, loginRole: LoginRole): string | null =>
  archived_at ? loginRefusal('agent', 'buyer') : loginRefusal(loginRole, role);

/** Changes with the password, and tells nothing about it. */
export const passwordMark = ({ password }: SignInAccount): string =>
  createHash('sha256')
    .update(password ?? '')
    .digest('base64url')
    .slice(0, 16);
