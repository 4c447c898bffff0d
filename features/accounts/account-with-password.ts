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

/** The account that has this address, with the role whose sign-in page its owner uses; null when no one has it. */
export async function ownerOfAddress(ctx: Ctx, email: string): Promise<{ id: string; role: Role } | null> {
  const found = await ctx.db
    .q()
    .selectFrom('users as u')
    .leftJoin('profiles as p', 'p.id', 'u.id')
    .select(['u.id', 'p.role'])
    .where('u.email', '=', email)
    .executeTakeFirst();
  return found ? { id: found.id, role: found.role ?? 'buyer' } : null;
}
