import type { Ctx, Role } from '#platform/context.ts';

interface AccountWithPassword {
  id: string;
  email: string;
  role: Role;
  /** the stored hash of its password */
  password: string | null;
}

/** An open account with the hash of its password, locked until the transaction ends; null when there is none. */
export async function lockAccount(ctx: Ctx, userId: string): Promise<AccountWithPassword | null> {
  const row = await ctx.db
    .q()
    .selectFrom('users as u')
    .innerJoin('profiles as p', 'p.id', 'u.id')
    .leftJoin('credentials as c', (join) =>
      join.onRef('c.user_id', '=', 'u.id').on('c.provider_id', '=', 'credential'),
    )
    .select(['u.id', 'u.email', 'p.role', 'c.password'])
    .where('u.id', '=', userId)
    .where('u.closed_at', 'is', null)
    .forUpdate('u')
    .executeTakeFirst();
  return row ?? null;
}

/** Whether an account has this address. */
export async function isAddressTaken(ctx: Ctx, email: string): Promise<boolean> {
  const found = await ctx.db
    .q()
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst();
  return found !== undefined;
}
