import { discardUnnamed } from '#features/documents/discard-unnamed.ts';
import { insertDocument } from '#features/documents/insert-document.ts';
import type { StoredDocument } from '#features/documents/model.ts';
import { storeUpload, type UploadedFile } from '#features/documents/store-upload.ts';
import { ownListing } from '#features/listings/reads.ts';
import { announceDocuments } from '#features/sales/announce-sale.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedSeller, type SellerActor } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { oneLine, visibleText } from '#platform/typed-text.ts';
import { disclosureLimits } from '../limits.ts';
import type { UploadDisclosureResult } from '../model.ts';
import { disclosureMessages, mayUploadDisclosures, NAME_MAX_LENGTH } from '../rules.ts';

interface UploadDisclosureInput {
  propertyId: string;
  /** null when none was chosen */
  file: UploadedFile | null;
  /** how the document is called; the file's own name when empty */
  name: string;
}

/**
 * Uploads what a seller discloses about one of their own listings, as the next version of its name. Administrators see it at once, a
 * buyer whose purchase is paid as well, whose open page is told. The same file again is refused, so that a repeated form adds nothing.
 * Must run outside of a transaction.
 * @throws Unauthenticated; Forbidden for everyone but sellers and for suspended ones; NotFound for any other listing;
 * TooManyRequests; FileStoreError
 */
export async function uploadDisclosure(
  ctx: CtxWith<'files' | 'malware'>,
  { propertyId, file, name }: UploadDisclosureInput,
): Promise<UploadDisclosureResult> {
  const seller = authorizedSeller(ctx, mayUploadDisclosures);
  const listing = await ownListing(ctx, { propertyId });
  const typed = oneLine(visibleText(name));
  if (!file || typed.length > NAME_MAX_LENGTH)
    return {
      ok: false,
      reason: 'invalid',
      errors: {
        ...(!file && { document: disclosureMessages.noFile }),
        ...(typed.length > NAME_MAX_LENGTH && { name: disclosureMessages.longName }),
      },
    };
  if (listing.status === 'Sold') return SOLD;
  await takeTokens(ctx, disclosureLimits.upload, seller.agentId);
  const stored = await storeUpload(
    ctx,
    { bytes: file.bytes, name: withEnding(typed) || file.name },
    seller.id,
  );
  if (!stored.ok) return { ok: false, reason: 'invalid', errors: { document: stored.text } };
  const { document } = stored;
  let registered = false;
  try {
    const result = await ctx.db.tx(() => register(ctx, seller, propertyId, document));
    registered = result.ok;
    return result;
  } finally {
    if (!registered) await discardUnnamed(ctx, document);
  }
}

const SOLD: UploadDisclosureResult = { ok: false, reason: 'sold', why: disclosureMessages.sold };

/** Of a file's name the ending is replaced by that of its format, which a typed name does not have. */
const withEnding = (typed: string): string =>
  typed && !/\.(pdf|docx?)$/i.test(typed) ? `${typed}.pdf` : typed;

/** The listing's row is held, so that uploads and a sale's end follow one another. */
async function register(
  ctx: Ctx,
  seller: SellerActor,
  propertyId: string,
  document: StoredDocument,
): Promise<UploadDisclosureResult> {
  const listing = await ownListing(ctx, { propertyId, lock: true });
  if (listing.status === 'Sold') return SOLD;
  const latest = await ctx.db
    .q()
    .selectFrom('document_registry')
    .select('sha256')
    .where('property_id', '=', listing.id)
    .where('document_type', '=', 'Disclosure')
    .where('agent_id', '=', seller.agentId)
    .where('document_name', '=', document.name)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (latest?.sha256 === document.sha256)
    return { ok: false, reason: 'invalid', errors: { document: disclosureMessages.known(document.name) } };
  const { version } = await insertDocument(ctx, {
    propertyId: listing.id,
    agentId: seller.agentId,
    type: 'Disclosure',
    shownTo: 'parties',
    uploadedBy: seller.id,
    document,
  });
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select(['id', 'buyer_id', 'agent_id'])
    .where('property_id', '=', listing.id)
    .where('agent_id', '=', seller.agentId)
    .where('stripe_payment_status', '=', 'completed')
    .where('escrow_status', '=', 'in_escrow')
    .executeTakeFirst();
  if (sale) await announceDocuments(ctx, sale);
  return { ok: true, name: document.name, version, held: document.scan === 'held' };
}
