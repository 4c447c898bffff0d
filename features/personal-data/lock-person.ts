import { holdListingsOfUser } from '#features/listings/hold-listings.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';

interface Person {
  id: string;
  name: string;
  email: string;
  closed: boolean;
}

/**
 * Whose personal data somebody asks about, held until the current transaction ends: a purchase that begins now waits, and then
 * finds the account as it is.
 * @throws NotFound for who has none of these roles
 */
export async function lockPerson(ctx: Ctx, userId: string, roles: ('buyer' | 'agent')[]): Promise<Person> {
  if (!isUuid(userId)) throw new NotFound('Account not found');
  await holdListingsOfUser(ctx, userId);
  const row = await ctx.db
    .q()
    .selectFrom('users as u')
    .innerJoin('profiles as p', 'p.id', 'u.id')
    .select(['u.id', 'u.name', 'u.email', 'u.closed_at'])
    .where('u.id', '=', userId)
    .where('p.role', 'in', roles)
    // What others write of the account goes on: a seller who holds one of its tours, which are next, notifies it.
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw new NotFound('Account not found');
  const { id, name, email, closed_at } = row;
  return { id, name, email, closed: closed_at !== null };
}
