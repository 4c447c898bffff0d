import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { DocumentType } from '#features/documents/model.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from '../calendar.ts';
import { idGenerator } from '../ids.ts';
import type { Listing } from '../listings/listings.ts';
import type { Seller } from '../people.ts';
import type { Sale } from '../sales/sale.ts';
import { rawCid } from './cid.ts';
import { plainPdf } from './pdf.ts';

/** A file to be stored in the file store under `key`. */
export interface DocumentFile {
  key: string;
  body: Buffer;
  contentType: string;
  sha256: string;
}

export interface Documents {
  registry: Insertable<DB['document_registry']>[];
  tokens: Insertable<DB['completion_nfts']>[];
  files: DocumentFile[];
}

type Row = Insertable<DB['document_registry']>;
interface DocumentSpec {
  /** null for one that belongs to a seller alone */
  listing: Listing | null;
  sale: Sale | null;
  seller?: Seller;
  name: string;
  type: DocumentType;
  /** made by the marketplace; uploaded unless said otherwise */
  made?: boolean;
  lines: readonly string[];
  daysAgo: number;
  /** the malware scanner has not answered yet, so that nobody gets it */
  held?: boolean;
}

const SURVEYS = 9;
const DISCLOSURES = 6;

/** Documents of listings and closings, with the completion tokens of completed sales. */
export function documents(
  listings: readonly Listing[],
  sales: readonly Sale[],
  calendar: Calendar,
): Documents {
  const closed = sales.filter(({ plan }) => plan.escrow === 'completed');
  const active = listings.filter(({ timeline }) => timeline.status === 'Active' && timeline.created > 12);
  const specs = [
    ...active
      .filter(({ kind }) => kind === 'Vacant Lot')
      .slice(0, SURVEYS)
      .map(survey),
    ...active
      .filter(({ kind }) => kind === 'Single Family')
      .slice(0, DISCLOSURES)
      .map((listing) => disclosure(listing)),
    ...closed.flatMap((sale) => [settlement(sale), deed(sale)]),
    ...active.slice(0, 1).map(({ seller }) => license(seller)),
  ];
  const ids = idGenerator('document');
  const rows: Documents = { registry: [], tokens: [], files: [] };
  const tokenIds = idGenerator('token');
  for (const spec of specs) {
    const { row, file } = registerDocument(spec, ids(), calendar);
    rows.registry.push(row);
    rows.files.push(file);
    if (spec.type === 'Deed' && spec.sale && spec.listing)
      rows.tokens.push(completionToken(spec.listing, spec, row, tokenIds(), calendar));
    if (spec.type === 'Disclosure' && spec.listing)
      rows.tokens.push(propertyToken(spec.listing, row, tokenIds(), calendar));
  }
  return rows;
}

const dollars = (cents: number) => `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
const fullAddress = ({ row }: Listing) =>
  `${toAscii(String(row.address))}, ${row.city}, ${row.state} ${row.zip}`;
/** The PDFs use a font without typographic characters. */
const toAscii = (text: string) => text.replaceAll('–', '-').replaceAll('’', "'").replaceAll('ñ', 'n');
const NOTICE = 'A paper of the demo market. It describes no real property.';

const survey = (listing: Listing, index: number): DocumentSpec => ({
  listing,
  sale: null,
  name: `Boundary survey, ${toAscii(String(listing.row.address))}`,
  type: 'Survey',
  lines: [
    'Boundary survey',
    fullAddress(listing),
    `Area: ${Number(listing.row.lot_square_feet).toLocaleString('en-US')} square feet`,
    'All corners found and flagged.',
    NOTICE,
  ],
  daysAgo: listing.timeline.created - 3,
  held: index === SURVEYS - 1,
});

const disclosure = (listing: Listing): DocumentSpec => ({
  listing,
  sale: null,
  name: `Seller disclosure, ${toAscii(String(listing.row.address))}`,
  type: 'Disclosure',
  lines: [
    'Seller disclosure',
    fullAddress(listing),
    `Year built: ${listing.row.year_built ?? 'unknown'}`,
    'No known defects beyond ordinary wear.',
    NOTICE,
  ],
  daysAgo: listing.timeline.created - 4,
});

const settlement = (sale: Sale): DocumentSpec => ({
  listing: sale.plan.listing,
  sale,
  name: `Settlement statement, ${toAscii(String(sale.plan.listing.row.address))}`,
  type: 'Settlement statement',
  made: true,
  lines: [
    'Settlement statement',
    fullAddress(sale.plan.listing),
    `Sale price: ${dollars(sale.amounts.price)}`,
    `Buyer fees: ${dollars(sale.amounts.fees)}`,
    `Paid by ${toAscii(sale.plan.buyer.name)}: ${dollars(sale.amounts.price + sale.amounts.fees)}`,
    NOTICE,
  ],
  daysAgo: sale.plan.ended ?? 1,
});

const deed = (sale: Sale): DocumentSpec => ({
  listing: sale.plan.listing,
  sale,
  name: `Deed, ${toAscii(String(sale.plan.listing.row.address))}`,
  type: 'Deed',
  lines: [
    'Warranty deed',
    fullAddress(sale.plan.listing),
    `From ${toAscii(sale.plan.listing.seller.name)} to ${toAscii(sale.plan.buyer.name)}`,
    NOTICE,
  ],
  daysAgo: (sale.plan.ended ?? 1) - 0.01,
});

/** Of a seller, not of a property. */
const license = (seller: Seller): DocumentSpec => ({
  listing: null,
  sale: null,
  seller,
  name: `Broker license, ${toAscii(seller.name)}`,
  type: 'Other',
  lines: ['Broker license', toAscii(seller.name), NOTICE],
  daysAgo: 20,
});

function registerDocument(
  spec: DocumentSpec,
  id: string,
  calendar: Calendar,
): { row: Row; file: DocumentFile } {
  const body = plainPdf(spec.lines);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const key = `documents/${id}.pdf`;
  const row: Row = {
    id,
    property_id: spec.listing?.id ?? null,
    property_sale_id: spec.sale?.id ?? null,
    agent_id: (spec.seller ?? spec.sale?.plan.listing.seller)?.id ?? null,
    origin: spec.made ? 'made' : 'uploaded',
    shown_to: spec.sale ? 'parties' : 'office',
    document_name: spec.name,
    document_type: spec.type,
    visibility: spec.type === 'Survey' ? 'public' : 'private',
    file_key: key,
    content_type: 'application/pdf',
    byte_size: body.length,
    sha256,
    cid: rawCid(sha256),
    salt: spec.type === 'Survey' ? null : createHash('sha256').update(`salt ${id}`).digest('hex'),
    // Nothing of the demo has ever been on a chain; one on this machine gets it when the server starts.
    status: 'pending',
    scan: spec.held ? 'held' : 'unchecked',
    uploaded_by: spec.made ? null : ((spec.seller ?? spec.listing?.seller)?.person?.id ?? null),
    created_at: calendar.ago(spec.daysAgo),
  };
  return { row, file: { key, body, contentType: 'application/pdf', sha256 } };
}

/** The wallet address of a seller: stable, and in lower case, which carries no checksum. */
const walletAddress = (id: string): string =>
  `0x${createHash('sha256').update(`wallet ${id}`).digest('hex').slice(0, 40)}`;

/** A token that an administrator asked for; its name is the one that is given unless another is typed. */
const propertyToken = (
  listing: Listing,
  document: Row,
  id: string,
  calendar: Calendar,
): Documents['tokens'][number] => ({
  id,
  kind: 'property',
  property_id: listing.id,
  document_id: document.id ?? null,
  recipient_address: walletAddress(listing.seller.id),
  created_at: calendar.ago(Math.max(0, listing.timeline.created - 5)),
});

function completionToken(
  listing: Listing,
  spec: DocumentSpec,
  document: Row,
  id: string,
  calendar: Calendar,
): Documents['tokens'][number] {
  return {
    id,
    kind: 'completion',
    property_id: listing.id,
    property_sale_id: spec.sale?.id ?? null,
    document_id: document.id ?? null,
    // The demo's buyers have no wallets, so the operator keeps their tokens.
    recipient_address: '',
    custody: true,
    metadata: JSON.stringify({
      name: `Completion, ${listing.row.address}`,
      description: 'NFT representing property document ownership',
    }),
    created_at: calendar.ago(Math.max(0, spec.daysAgo - 0.1)),
  };
}
