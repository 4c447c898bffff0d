import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';

interface LockedBuyer {
  id: string;
  name: string;
  email: string;
  closed: boolean;
  suspended: boolean;
}

/**
 * A buyer, held until the current transaction ends, so that administrators and the buyer change the account one after the other.
 * @throws NotFound for what is no buyer
 */
export async function lockBuyer(ctx: Ctx, buyerId: string): Promise<LockedBuyer> {
  const row = isUuid(buyerId)
    ? await ctx.db
        .q()
        .selectFrom('users as u')
        .innerJoin('profiles as p', 'p.id', 'u.id')
        .select(['u.id', 'u.name', 'u.email', 'u.closed_at', 'p.suspended_at'])
        .where('u.id', '=', buyerId)
        .where('p.role', '=', 'buyer')
        .forUpdate()
        .executeTakeFirst()
    : undefined;
  if (!row) throw new NotFound('Buyer not found');
  const { id, name, email } = row;
  return { id, name, email, closed: row.closed_at !== null, suspended: row.suspended_at !== null };
}
