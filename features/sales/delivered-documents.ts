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
