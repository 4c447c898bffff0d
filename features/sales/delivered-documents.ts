import type { Ctx } from '#platform/context.ts';
import type { SaleRow } from './sale-row.ts';

type Delivered = Pick<SaleRow, 'id' | 'buyer_id'>;

const deliveredOf = (ctx: Ctx, sale: Delivered) =>
  ctx.db
    .q()
    .selectFrom('document_registry')
    .select('id')
    .where('property_sale_id', '=', sale.id)
    .where('origin', '=', 'uploaded')
    .where('shown_to', '=', 'parties')
    .where('uploaded_by', 'is distinct from', sale.buyer_id)
    .where('erased_at', 'is', null);

/**
 * Whether there are documents of a sale that reached the buyer's side of it: what the buyer added is none of them, since a buyer
 * cannot stand in for the seller. One that waits for the scanner counts as delivered, but nobody can download it yet.
 */
export async function hasDocuments(
  ctx: Ctx,
  sale: Delivered,
  { downloadable }: { downloadable: boolean },
): Promise<boolean> {
  const found = await deliveredOf(ctx, sale)
    .$if(downloadable, (query) => query.where('scan', '<>', 'held'))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The ids of two of the delivered documents that the buyer can download, or of as many as there are. */
export async function downloadableDocuments(ctx: Ctx, sale: Delivered): Promise<string[]> {
  const rows = await deliveredOf(ctx, sale).where('scan', '<>', 'held').limit(2).execute();
  return rows.map(({ id }) => id);
}
