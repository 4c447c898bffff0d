import { authorizedUser } from '#platform/access.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import type { Party } from './model.ts';
import { maySeeSales, partyOf } from './rules.ts';
import type { SaleRow } from './sale-row.ts';

/**
 * A sale with the caller and the caller's role in it.
 * @throws Unauthenticated; NotFound for everybody who has no part in it (R8)
 */
export async function saleOfParty(
  ctx: Ctx,
  saleId: string,
): Promise<{ sale: SaleRow; party: Party; user: UserActor }> {
  const user = authorizedUser(ctx, maySeeSales);
  if (!isUuid(saleId)) throw new NotFound();
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .selectAll()
    .where('id', '=', saleId)
    .executeTakeFirst();
  if (!sale) throw new NotFound();
  const party = partyOf(user, { buyerId: sale.buyer_id, agentId: sale.agent_id });
  if (!party) throw new NotFound();
  return { sale, party, user };
}
