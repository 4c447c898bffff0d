import { sql } from 'kysely';
import { discardUnnamed } from '#features/documents/discard-unnamed.ts';
import { insertDocument } from '#features/documents/insert-document.ts';
import type { StoredDocument } from '#features/documents/model.ts';
import { storeUpload, type UploadedFile } from '#features/documents/store-upload.ts';
import type { OwnListing } from '#features/listings/own-listing.ts';
import { ownListing } from '#features/listings/reads.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedSeller, type SellerActor } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { ownershipLimits } from '../limits.ts';
import type { UploadProofResult } from '../model.ts';
import { mayProveOwnership, ownershipMessages, readTypedProof } from '../rules.ts';

export interface UploadProofInput {
  propertyId: string;
  /** null when none was chosen */
  file: UploadedFile | null;
  /** the owner's name as in the deed */
  ownerName: string;
  parcelNumber: string;
  note: string;
}

/**
 * Uploads the proof of ownership of one of the seller's own listings; an administrator decides about it. It takes the place of
 * one that still waits. The same document with the same facts again is the same proof.
 * @throws Unauthenticated; Forbidden for everyone but sellers and for suspended ones; NotFound for any other listing;
 * TooManyRequests; FileStoreError
 */
export async function uploadProof(
  ctx: CtxWith<'files' | 'malware'>,
  input: UploadProofInput,
): Promise<UploadProofResult> {
  const seller = authorizedSeller(ctx, mayProveOwnership);
  const listing = await ownListing(ctx, { propertyId: input.propertyId });
  const typed = readTypedProof(input);
  if (!typed.ok || !input.file)
    return {
      ok: false,
      reason: 'invalid',
      errors: {
        ...(!input.file && { document: ownershipMessages.noDocument }),
        ...(!typed.ok && typed.errors),
      },
    };
  const refused = await refusal(ctx, listing);
  if (refused) return refused;
  await takeTokens(ctx, ownershipLimits.upload, seller.agentId);
  const stored = await storeUpload(ctx, input.file, seller.id);
  if (!stored.ok) return { ok: false, reason: 'invalid', errors: { document: stored.text } };
  const { document } = stored;
  let named = false;
  try {
    const result = await ctx.db.tx(() => save(ctx, seller, input.propertyId, typed.values, document));
    named = result.ok && !result.repeated;
    return result.ok ? { ok: true, proofId: result.proofId, held: document.scan === 'held' } : result;
  } finally {
    if (!named) await discardUnnamed(ctx, document);
  }
}

/** Why nothing can be uploaded for a listing right now; null when it can. */
async function refusal(
  ctx: Ctx,
  { id, status }: Pick<OwnListing, 'id' | 'status'>,
): Promise<Extract<UploadProofResult, { ok: false }> | null> {
  if (status === 'Sold') return { ok: false, reason: 'sold', why: ownershipMessages.sold };
  const current = await currentProof(ctx, id);
  return current?.status === 'verified'
    ? { ok: false, reason: 'verified', why: ownershipMessages.verifiedAlready }
    : null;
}

const currentProof = (ctx: Ctx, propertyId: string) =>
  ctx.db
    .q()
    .selectFrom('ownership_proofs as o')
    .leftJoin('document_registry as d', 'd.id', 'o.document_id')
    .select(['o.id', 'o.status', 'o.owner_name', 'o.parcel_number', 'o.note', 'd.sha256'])
    .where('o.property_id', '=', propertyId)
    .where('o.status', 'in', ['waiting', 'verified'])
    .executeTakeFirst();

type Saved = { ok: true; proofId: string; repeated: boolean } | Extract<UploadProofResult, { ok: false }>;

/** The listing's row is held, so that uploads, decisions and changes of the address follow one another. */
async function save(
  ctx: Ctx,
  seller: SellerActor,
  propertyId: string,
  { ownerName, parcelNumber, note }: { ownerName: string; parcelNumber: string; note: string },
  document: StoredDocument,
): Promise<Saved> {
  const listing = await ownListing(ctx, { propertyId, lock: true });
  const refused = await refusal(ctx, listing);
  if (refused) return refused;
  const current = await currentProof(ctx, listing.id);
  if (
    current?.sha256 === document.sha256 &&
    current.owner_name === ownerName &&
    current.parcel_number === parcelNumber &&
    current.note === note
  )
    return { ok: true, proofId: current.id, repeated: true };
  const q = ctx.db.q();
  if (current)
    await q
      .updateTable('ownership_proofs')
      .set({ status: 'replaced', ended_at: ctx.now() })
      .where('id', '=', current.id)
      .execute();
  const { id: documentId } = await insertDocument(ctx, {
    propertyId: listing.id,
    agentId: seller.agentId,
    type: 'Proof of ownership',
    shownTo: 'seller',
    uploadedBy: seller.id,
    document,
  });
  const { id } = await q
    .insertInto('ownership_proofs')
    .values({
      property_id: listing.id,
      agent_id: seller.agentId,
      document_id: documentId,
      owner_name: ownerName,
      parcel_number: parcelNumber,
      note,
      address: sql<string>`(select address_line(p) from properties p where p.id = ${listing.id})`,
      uploaded_by: seller.id,
      created_at: ctx.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // Without what is erased some day.
  await audit(ctx, {
    action: current ? 'ownership.replace' : 'ownership.upload',
    entity: 'property',
    entityId: listing.id,
    ...(current && { before: { proof: current.id, ownership: 'waiting' } }),
    after: { proof: id, ownership: 'waiting', document: documentId },
  });
  return { ok: true, proofId: id, repeated: false };
}
