import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';

/**
 * A seller who is not archived, held until the current transaction ends, so that administrators change them one after the other.
 * A sale that begins meanwhile does not wait for it.
 * @throws NotFound
 */
export async function lockManagedSeller(ctx: Ctx, sellerId: string) {
  const seller = isUuid(sellerId)
    ? await ctx.db
        .q()
        .selectFrom('agents')
        .selectAll()
        .where('id', '=', sellerId)
        .where('archived_at', 'is', null)
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined;
  if (!seller) throw new NotFound('Seller not found');
  return seller;
}
