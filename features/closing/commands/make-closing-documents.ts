import { queueCompletionToken } from '#features/chain/queue-mint.ts';
import { announceDocuments } from '#features/sales/announce-sale.ts';
import { closingReceipt } from '#features/sales/closing-receipt.ts';
import { receiptPdf } from '#features/sales/receipt-pdf.ts';
import type { SaleRow } from '#features/sales/sale-row.ts';
import { brandName } from '#features/settings/reads.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { plural } from '#platform/format-count.ts';
import { oneByOne } from '#platform/one-by-one.ts';
import { type Making, makeDocuments } from '../register.ts';
import { mayMakeDocuments, settlementNumber } from '../rules.ts';
import { loadSettlement } from '../settlement.ts';
import { settlementPdf } from '../settlement-pdf.ts';

/**
 * Makes what is still missing of a closed sale's documents: the receipt, for its buyer, and the settlement statement, for both. They
 * say how the sale stood at its closing, so they are the same whenever they are made, but for new names of those who take part. With
 * them goes the request for their anchors and for the completion token. Done once, however often it runs; one that cannot be made keeps the
 * other one from nobody.
 * @throws Unauthenticated, Forbidden for every user; AggregateError when some could not be made
 */
export async function makeClosingDocuments(
  ctx: CtxWith<'files'>,
  { saleId }: { saleId: string },
): Promise<void> {
  authorize(ctx, mayMakeDocuments);
  const q = ctx.db.q();
  const missing = await q
    .selectFrom('closing_documents')
    .select(['id', 'kind'])
    .where('sale_id', '=', saleId)
    .where('document_id', 'is', null)
    .execute();
  if (missing.length === 0) return;
  const sale = await q
    .selectFrom('property_sales')
    .selectAll()
    .where('id', '=', saleId)
    .executeTakeFirstOrThrow();
  const summary = (failed: number) =>
    `${plural(failed, 'closing document', 'closing documents')} of the sale ${saleId} could not be made`;
  await oneByOne(missing, summary, async ({ id, kind }) => {
    const making = await (kind === 'receipt' ? receiptOf(ctx, sale, id) : settlementOf(ctx, sale, id));
    await makeDocuments(ctx, [making], async (_, documentId) => {
      if (kind === 'receipt') await queueCompletionToken(ctx, { saleId, documentId });
      await announceDocuments(ctx, sale);
    });
  });
}

async function receiptOf(ctx: CtxWith<'files'>, sale: SaleRow, closingId: number): Promise<Making> {
  const { receipt } = await closingReceipt(ctx, sale);
  const { number } = receipt;
  return {
    closingId,
    content: receiptPdf(receipt, await brandName(ctx)),
    name: `Receipt ${number}.pdf`,
    document: { propertyId: sale.property_id, saleId: sale.id, type: 'Receipt', shownTo: 'buyer', number },
  };
}

async function settlementOf(ctx: CtxWith<'files'>, sale: SaleRow, closingId: number): Promise<Making> {
  const settlement = await loadSettlement(ctx, sale, await closingReceipt(ctx, sale));
  const number = settlementNumber(settlement.receipt.number);
  return {
    closingId,
    content: settlementPdf(settlement, await brandName(ctx)),
    name: `Settlement statement ${number}.pdf`,
    document: {
      propertyId: sale.property_id,
      saleId: sale.id,
      type: 'Settlement statement',
      shownTo: 'parties',
      number,
    },
  };
}
