import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import type { ListFilter } from './list.ts';
import type { TransactionFilters } from './model.ts';

interface NamedSeller {
  id: string;
  name: string;
  email: string;
}

/** The filters with the seller looked up whom they name by id or email address. */
export async function withSeller(
  ctx: Ctx,
  { seller: named, ...filters }: TransactionFilters,
): Promise<{ filter: ListFilter; seller: NamedSeller | null }> {
  if (named === '') return { filter: { ...filters, sellerId: null }, seller: null };
  const seller = await ctx.db
    .q()
    .selectFrom('agents')
    .select(['id', 'name', 'email'])
    .where(isUuid(named.toLowerCase()) ? 'id' : 'email', '=', named.toLowerCase())
    .executeTakeFirst();
  return { filter: { ...filters, sellerId: seller?.id }, seller: seller ?? null };
}
