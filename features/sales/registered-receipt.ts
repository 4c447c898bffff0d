import type { Ctx } from '#platform/context.ts';
import type { ReceiptFacts } from './model.ts';

/**
 * The key of the file that was registered as a sale's receipt at its closing, which whoever holds it can check. Null before that, when a
 * refund came later, which it does not say, and when the file was erased: the receipt is then printed from the facts.
 */
export async function registeredReceipt(
  ctx: Ctx,
  { saleId, closedAt, refunds }: Pick<ReceiptFacts, 'saleId' | 'closedAt' | 'refunds'>,
): Promise<string | null> {
  if (closedAt === null || refunds.some(({ at }) => at > closedAt)) return null;
  const row = await ctx.db
    .q()
    .selectFrom('closing_documents as c')
    .innerJoin('document_registry as d', 'd.id', 'c.document_id')
    .select('d.file_key')
    .where('c.sale_id', '=', saleId)
    .where('c.kind', '=', 'receipt')
    .where('d.erased_at', 'is', null)
    .executeTakeFirst();
  return row?.file_key ?? null;
}
