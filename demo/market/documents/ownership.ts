import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from '../calendar.ts';
import { idGenerator } from '../ids.ts';
import type { Listing } from '../listings/listings.ts';
import type { DocumentFile } from './documents.ts';
import { plainPdf } from './pdf.ts';

export interface OwnershipProofs {
  registry: Insertable<DB['document_registry']>[];
  proofs: Insertable<DB['ownership_proofs']>[];
  files: DocumentFile[];
}

/** How many listings have a verified ownership. */
const VERIFIED = 4;
const REASON =
  'The deed is of another parcel: the number on page 2 differs from the one in the county’s map.';

/** Proofs of ownership: a few verified, one that waits, one that was refused. */
export function ownershipProofs(
  listings: readonly Listing[],
  adminId: string,
  calendar: Calendar,
): OwnershipProofs {
  const documentIds = idGenerator('ownership document');
  const proofIds = idGenerator('ownership proof');
  const made: OwnershipProofs = { registry: [], proofs: [], files: [] };
  const add = (listing: Listing, outcome: Partial<Insertable<DB['ownership_proofs']>>, daysAgo: number) => {
    const [documentId, id] = [documentIds(), proofIds()];
    const { row, seller } = listing;
    const parcel = parcelNumber(listing.id);
    const address = `${row.address}, ${row.city}, ${row.state} ${row.zip}`;
    const body = plainPdf([
      'Recorded deed',
      toAscii(address),
      `Owner: ${toAscii(seller.name)}`,
      `Parcel number: ${parcel}`,
      'A paper of the demo market. It describes no real property.',
    ]);
    const sha256 = createHash('sha256').update(body).digest('hex');
    const file = { key: `documents/${documentId}.pdf`, body, contentType: 'application/pdf', sha256 };
    const common = { property_id: listing.id, agent_id: seller.id, uploaded_by: seller.person?.id ?? null };
    made.files.push(file);
    made.registry.push({
      ...common,
      id: documentId,
      document_name: `Recorded deed, ${toAscii(String(row.address))}.pdf`,
      document_type: 'Proof of ownership',
      shown_to: 'seller',
      file_key: file.key,
      content_type: file.contentType,
      byte_size: body.length,
      sha256,
      salt: createHash('sha256').update(`salt of ${documentId}`).digest('hex'),
      scan: 'unchecked',
      created_at: calendar.ago(daysAgo),
    });
    made.proofs.push({
      ...common,
      id,
      document_id: documentId,
      owner_name: seller.name,
      parcel_number: parcel,
      address,
      created_at: calendar.ago(daysAgo),
      ...outcome,
    });
  };
  const decided = (daysAgo: number) => ({ decided_by: adminId, decided_at: calendar.ago(daysAgo) });
  const registered = listings.filter(
    ({ seller }) => seller.person !== null && seller.row.status === 'active',
  );
  const onMarket = registered.filter(({ timeline }) => timeline.status === 'Active' && timeline.created > 12);
  for (const [at, listing] of onMarket.slice(0, VERIFIED).entries())
    add(listing, { status: 'verified', ...decided(5 + at) }, 7 + at);
  const [refused] = onMarket.slice(VERIFIED);
  if (refused) add(refused, { status: 'refused', reason: REASON, ...decided(1.4) }, 2.2);
  const [waiting] = registered.filter(({ timeline }) => timeline.status === 'pending');
  if (waiting) add(waiting, { note: 'The deed was recorded under my full name.' }, 0.3);
  return made;
}

/** Looks like those of a county, and stays the same for a listing. */
function parcelNumber(listingId: string): string {
  const digits = createHash('sha256').update(listingId).digest().readUInt32BE(0).toString().padStart(10, '0');
  return `${digits.slice(0, 2)}-${digits.slice(2, 5)}-${digits.slice(5, 9)}`;
}

/** The PDFs use a font without typographic characters. */
const toAscii = (text: string) => text.replaceAll('–', '-').replaceAll('’', "'").replaceAll('ñ', 'n');
