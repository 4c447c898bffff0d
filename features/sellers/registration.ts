import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { isValidInvitation } from './invitations.ts';
import type { RegistrationState } from './model.ts';

interface Link {
  id: string | null;
  token: string | null;
}

/**
 * The state of a registration link, for as long as the invited address is unconfirmed.
 * @param lock locks the seller record until the end of the current transaction
 */
export async function resolveRegistrationLink(
  ctx: Ctx,
  { id, token }: Link,
  lock = false,
): Promise<RegistrationState> {
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
  if (token === null) return { state: 'ready', proven: false };
  if (!(await isValidInvitation(ctx, id, token))) return { state: 'invalid' };
  return { state: 'ready', proven: true, name: seller.name, email: seller.email };
}

/**
 * Locks a seller's record until the end of the current transaction. A separate statement: in a query joined to the
 * account, only the locked row would be re-read after waiting, not an account created in the meantime.
 */
export async function lockSeller(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.q().selectFrom('agents').select('id').where('id', '=', id).forUpdate().execute();
}
