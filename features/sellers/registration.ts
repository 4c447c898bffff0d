import { isUuid } from '#features/accounts/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { isInvited } from './invitations.ts';
import type { Registration } from './model.ts';

interface Link {
  id: string | null;
  token: string | null;
}

/**
 * What a registration link opens (S0 §8, B-095, B-097): with its token also a registration that nobody has confirmed, so
 * that the invited person can always finish it; without one only a record that has no account.
 * @param lock holds the record until the end of the running transaction
 */
export async function lookUp(ctx: Ctx, { id, token }: Link, lock = false): Promise<Registration> {
  if (!id || !isUuid(id)) return { state: 'invalid' };
  if (lock) await lockSeller(ctx, id);
  const seller = await ctx.db
    .q()
    .selectFrom('agents as a')
    .leftJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.name', 'a.email', 'a.user_id', 'a.archived_at', 'u.email_verified'])
    .where('a.id', '=', id)
    .executeTakeFirst();
  if (!seller) return { state: 'unknown' };
  if (seller.archived_at) return { state: 'invalid' };
  if (seller.user_id && seller.email_verified) return { state: 'registered' };
  const proven = token !== null && (await isInvited(ctx, id, token));
  if (token !== null && !proven) return { state: 'invalid' };
  if (seller.user_id && !proven) return { state: 'registered' };
  return { state: 'ready', name: seller.name, email: seller.email, proven };
}

/**
 * Holds a seller's record until the end of the running transaction. A statement of its own: joined to an account, the
 * record would be read anew after the wait and the account that came meanwhile would not.
 */
export async function lockSeller(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.q().selectFrom('agents').select('id').where('id', '=', id).forUpdate().execute();
}
