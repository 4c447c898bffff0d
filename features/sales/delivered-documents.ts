import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import type { SaleRow } from './sale-row.ts';

/**
 * Whether there are documents of a sale that reached the buyer's side of it: what the buyer added is none of them, since a buyer
 * cannot stand in for the seller. One that waits for the scanner counts as delivered, but nobody can download it yet.
 */
export async function hasDocuments(
  ctx: Ctx,
  sale: Pick<SaleRow, 'id' | 'buyer_id'>,
  { downloadable }: { downloadable: boolean },
): Promise<boolean> {
  const found = await ctx.db
    .q()
    .selectFrom('document_registry')
    .select('id')
    .where('property_sale_id', '=', sale.id)
    .where('origin', '=', 'uploaded')
    .where('shown_to', '=', 'parties')
    .where('uploaded_by', 'is distinct from', sale.buyer_id)
    .where('erased_at', 'is', null)
    .$if(downloadable, (query) => query.where('scan', '<>', 'held'))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * SQL: whether all documents that were delivered still wait for the scanner, so that the buyer has none to look at: the sale is not
 * released by itself meanwhile. False for a sale whose delivery was confirmed without files.
 */
export const areAllHeld = (sale: {
  id: RawBuilder<string>;
  buyer: RawBuilder<string>;
}): RawBuilder<boolean> =>
  sql<boolean>`coalesce((select bool_and(d.scan = 'held') from document_registry d where d.property_sale_id = ${sale.id}
    and d.origin = 'uploaded' and d.shown_to = 'parties' and d.uploaded_by is distinct from ${sale.buyer}
    and d.erased_at is null), false)`;
