import { emailOfConfirmToken } from '#platform/auth/auth.ts';
import type { Ctx } from '#platform/context.ts';

/** The account whose address a mailed token would confirm, with the stored hash of its password. */
export interface UnconfirmedAccount {
  id: string;
  email: string;
  password: string | null;
}

/** The unconfirmed account that a mailed token belongs to; null for every other token. */
export async function unconfirmedAccountOf(ctx: Ctx, token: string): Promise<UnconfirmedAccount | null> {
  const email = await emailOfConfirmToken(ctx, token);
  if (email === null) return null;
  const account = await ctx.db
    .q()
    .selectFrom('users as u')
    .leftJoin('credentials as c', (join) =>
      join.onRef('c.user_id', '=', 'u.id').on('c.provider_id', '=', 'credential'),
    )
    .select(['u.id', 'u.email', 'c.password'])
    .where('u.email', '=', email)
    .where('u.email_verified', '=', false)
    .executeTakeFirst();
  return account ?? null;
}
