import type { DocumentType, StoredDocument } from '#features/documents/model.ts';
import { townLine } from '#features/listings/display.ts';
import { ownListing } from '#features/listings/reads.ts';
import type { Ctx } from '#platform/context.ts';
import type { OwnDisclosures } from './model.ts';

/** As many as a page shows; a listing has a few. */
const MOST_SHOWN = 100;

/**
 * What the seller has disclosed about one of their own listings, every version of it, 100 at most.
 * @throws Unauthenticated; Forbidden for everyone but sellers; NotFound for any other listing
 */
export async function ownDisclosures(
  ctx: Ctx,
  { propertyId }: { propertyId: string },
): Promise<OwnDisclosures> {
  const { id, agentId, status, row } = await ownListing(ctx, { propertyId });
  const rows = await ctx.db
    .q()
    .selectFrom('document_registry')
    .select(['id', 'document_name', 'version', 'byte_size', 'scan', 'created_at', 'status'])
    .where('property_id', '=', id)
    .where('document_type', '=', 'Disclosure')
    .where('agent_id', '=', agentId)
    .orderBy('created_at', 'desc')
    .orderBy('version', 'desc')
    .limit(MOST_SHOWN)
    .execute();
  return {
    listing: { id, address: row.address, town: townLine(row), status },
    documents: rows.map((one) => ({
      id: one.id,
      name: one.document_name,
      type: 'Disclosure' satisfies DocumentType,
      version: one.version,
      bytes: one.byte_size,
      scan: one.scan as StoredDocument['scan'],
      by: 'seller',
      number: null,
      revoked: one.status === 'revoked',
      createdAt: one.created_at.toISOString(),
    })),
  };
}
