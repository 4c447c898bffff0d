import { createHash } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import { seededChance } from '../../illustrator/chance.ts';
import type { Calendar } from '../calendar.ts';
import { idFor, seedOf } from '../ids.ts';
import type { Listing } from '../listings/listings.ts';
import type { Sale } from '../sales/sale.ts';
import { rawCid } from './cid.ts';
import { plainPdf } from './pdf.ts';

/** A file that belongs into the file store under `key`. */
export interface PaperFile {
  key: string;
  body: Buffer;
  contentType: string;
  sha256: string;
}

export interface Documents {
  registry: Insertable<DB['document_registry']>[];
  tokens: Insertable<DB['completion_nfts']>[];
  files: PaperFile[];
}

type Row = Insertable<DB['document_registry']>;
interface Paper {
  listing: Listing;
  sale: Sale | null;
  name: string;
  type: 'Survey' | 'Disclosure' | 'Deed' | 'Receipt';
  lines: readonly string[];
  daysAgo: number;
  /** where its registration on the sandbox chain stands */
  status: 'pending' | 'confirmed' | 'failed';
}

const SURVEYS = 9;
const DISCLOSURES = 6;

/** Papers of listings and closings, with the tokens that evidence completed sales. */
export function documents(
  listings: readonly Listing[],
  sales: readonly Sale[],
  calendar: Calendar,
): Documents {
  const closed = sales.filter(({ deal }) => deal.escrow === 'completed');
  const active = listings.filter(({ life }) => life.status === 'Active' && life.created > 12);
  const papers = [
    ...active
      .filter(({ kind }) => kind === 'Vacant Lot')
      .slice(0, SURVEYS)
      .map(survey),
    ...active
      .filter(({ kind }) => kind === 'Single Family')
      .slice(0, DISCLOSURES)
      .map(disclosure),
    ...closed.flatMap((sale, index) => [settlement(sale, index), deed(sale, index)]),
  ];
  const ids = idFor('document');
  const rows: Documents = { registry: [], tokens: [], files: [] };
  const tokenIds = idFor('token');
  for (const paper of papers) {
    const { row, file } = registered(paper, ids(), calendar);
    rows.registry.push(row);
    rows.files.push(file);
    if (paper.type === 'Deed' && paper.sale) {
      rows.tokens.push(token(paper, paper.sale, row, tokenIds(), rows.tokens.length + 1, calendar));
    }
  }
  return rows;
}

const dollars = (cents: number) => `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;
const place = ({ row }: Listing) => `${plain(String(row.address))}, ${row.city}, ${row.state} ${row.zip}`;
/** The papers are set in a font without typographic signs. */
const plain = (text: string) => text.replaceAll('–', '-').replaceAll('’', "'").replaceAll('ñ', 'n');
const NOTICE = 'A paper of the demo market. It describes no real property.';

const survey = (listing: Listing, index: number): Paper => ({
  listing,
  sale: null,
  name: `Boundary survey, ${plain(String(listing.row.address))}`,
  type: 'Survey',
  lines: [
    'Boundary survey',
    place(listing),
    `Area: ${Number(listing.row.lot_square_feet).toLocaleString('en-US')} square feet`,
    'All corners found and flagged.',
    NOTICE,
  ],
  daysAgo: listing.life.created - 3,
  status: index === 4 ? 'failed' : index % 3 === 2 ? 'pending' : 'confirmed',
});

const disclosure = (listing: Listing, index: number): Paper => ({
  listing,
  sale: null,
  name: `Seller disclosure, ${plain(String(listing.row.address))}`,
  type: 'Disclosure',
  lines: [
    'Seller disclosure',
    place(listing),
    `Year built: ${listing.row.year_built ?? 'unknown'}`,
    'No known defects beyond ordinary wear.',
    NOTICE,
  ],
  daysAgo: listing.life.created - 4,
  status: index % 3 === 1 ? 'pending' : 'confirmed',
});

const settlement = (sale: Sale, index: number): Paper => ({
  listing: sale.deal.listing,
  sale,
  name: `Settlement statement, ${plain(String(sale.deal.listing.row.address))}`,
  type: 'Receipt',
  lines: [
    'Settlement statement',
    place(sale.deal.listing),
    `Sale price: ${dollars(sale.amounts.price)}`,
    `Buyer fees: ${dollars(sale.amounts.fees)}`,
    `Paid by ${plain(sale.deal.buyer.name)}: ${dollars(sale.amounts.price + sale.amounts.fees)}`,
    NOTICE,
  ],
  daysAgo: sale.deal.ended ?? 1,
  status: index < 2 ? 'pending' : 'confirmed',
});

const deed = (sale: Sale, index: number): Paper => ({
  listing: sale.deal.listing,
  sale,
  name: `Deed, ${plain(String(sale.deal.listing.row.address))}`,
  type: 'Deed',
  lines: [
    'Warranty deed',
    place(sale.deal.listing),
    `From ${plain(sale.deal.listing.seller.name)} to ${plain(sale.deal.buyer.name)}`,
    NOTICE,
  ],
  daysAgo: (sale.deal.ended ?? 1) - 0.01,
  status: index < 2 ? 'pending' : 'confirmed',
});

const NETWORK = 'sandbox';
/** Looks like a transaction of a chain; the sandbox has no explorer to show it in. */
const transaction = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`;

function registered(paper: Paper, id: string, calendar: Calendar): { row: Row; file: PaperFile } {
  const body = plainPdf(paper.lines);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const key = `documents/${id}.pdf`;
  const confirmed = paper.status === 'confirmed';
  const row: Row = {
    id,
    property_id: paper.listing.id,
    property_sale_id: paper.sale?.id ?? null,
    document_name: paper.name,
    document_type: paper.type,
    visibility: paper.type === 'Survey' ? 'public' : 'private',
    file_key: key,
    content_type: 'application/pdf',
    byte_size: body.length,
    sha256,
    cid: rawCid(sha256),
    network: NETWORK,
    base_tx_hash: confirmed ? transaction(`document ${id}`) : null,
    status: paper.status,
    failure_reason:
      paper.status === 'failed' ? 'The sandbox chain refused the transaction: nonce too low.' : null,
    uploaded_by: paper.listing.seller.person?.id ?? null,
    created_at: calendar.ago(paper.daysAgo),
  };
  return { row, file: { key, body, contentType: 'application/pdf', sha256 } };
}

/** A wallet of the buyer, always the same, written in lower case (which carries no checksum). */
function wallet(buyerId: string): string {
  const chance = seededChance(seedOf(`wallet ${buyerId}`));
  return `0x${Array.from({ length: 40 }, () => Math.floor(chance() * 16).toString(16)).join('')}`;
}

function token(paper: Paper, sale: Sale, document: Row, id: string, number: number, calendar: Calendar) {
  const confirmed = paper.status === 'confirmed';
  return {
    id,
    kind: 'completion' as const,
    property_id: paper.listing.id,
    property_sale_id: sale.id,
    document_id: document.id ?? null,
    token_id: confirmed ? number : 0,
    base_tx_hash: confirmed ? transaction(`token ${id}`) : '',
    network: NETWORK,
    recipient_address: wallet(sale.deal.buyer.id),
    status: confirmed ? ('confirmed' as const) : ('pending' as const),
    metadata: JSON.stringify({
      name: `Completion, ${paper.listing.row.address}`,
      description: 'NFT representing property document ownership',
      document_id: document.id,
    }),
    created_at: calendar.ago(Math.max(0, paper.daysAgo - 0.1)),
  };
}
