import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';

/**
 * A seller who is not archived, held until the current transaction ends, so that administrators change them one after the other.
 * A sale or listing that begins meanwhile does not wait for it, unless the seller is to be deleted.
 * @throws NotFound
 */
export async function lockManagedSeller(ctx: Ctx, sellerId: string, { toDelete = false } = {}) {
  const seller = isUuid(sellerId)
    ? await ctx.db
        .q()
        .selectFrom('agents')
        .selectAll()
        .where('id', '=', sellerId)
        .where('archived_at', 'is', null)
        .$if(toDelete, (q) => q.forUpdate())
        .$if(!toDelete, (q) => q.forNoKeyUpdate())
        .executeTakeFirst()
    : undefined;
  if (!seller) throw new NotFound('Seller not found');
  return seller;
}
