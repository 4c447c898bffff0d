import { correspondence } from '#features/inquiries/reads.ts';
import { saleRecord } from '#features/sales/reads.ts';
import type { SaleRow } from '#features/sales/sale-row.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { chooseAttachments } from './attachments.ts';
import type { DisputedSale } from './model.ts';

/** Everything on record about a sale that speaks in a dispute. */
export async function readDisputedSale(ctx: Ctx, sale: SaleRow): Promise<DisputedSale> {
  const { id, property_id: propertyId, buyer_id: buyerId, created_at: since } = sale;
  const [record, documents, messages] = await Promise.all([
    saleRecord(asSystem(ctx, 'disputes'), id),
    deliveredDocuments(ctx, id),
    correspondence(asSystem(ctx, 'disputes'), { propertyId, buyerId, since }),
  ]);
  return {
    ...record,
    documents: documents.map(({ id, name, number, sha256, at }) => ({ id, name, number, sha256, at })),
    attachments: chooseAttachments(documents),
    messages: messages.map(({ at, byBuyer, text }) => ({ at, by: byBuyer ? 'Buyer' : 'Seller', text })),
  };
}

/** The documents that both parties see, as they were delivered; those whose file is gone, or waits for the scanner, prove nothing. */
async function deliveredDocuments(ctx: Ctx, saleId: string) {
  const rows = await ctx.db
    .q()
    .selectFrom('document_registry')
    .select([
      'id',
      'document_name',
      'document_type',
      'number',
      'sha256',
      'content_type',
      'byte_size',
      'created_at',
    ])
    .where('property_sale_id', '=', saleId)
    .where('shown_to', '=', 'parties')
    .where('scan', '<>', 'held')
    .where('erased_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.document_name,
    type: row.document_type,
    number: row.number,
    sha256: row.sha256,
    contentType: row.content_type,
    bytes: row.byte_size,
    at: row.created_at,
  }));
}
