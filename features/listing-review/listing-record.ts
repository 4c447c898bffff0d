import { sql } from 'kysely';
import { photoAlt, townLine } from '#features/listings/display.ts';
import type { ListingPicture, PropertyStatus } from '#features/listings/model.ts';
import { pictureFields } from '#features/listings/sql.ts';
import type { EscrowStatus, PaymentStatus } from '#features/sales/model.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import type { Ctx } from '#platform/context.ts';

/** Everything an administrator sees of a listing. Money in integer cents, times ISO, UTC. */
export interface ListingRecord {
  id: string;
  title: string | null;
  address: string;
  town: string;
  type: string;
  status: PropertyStatus;
  priceCents: number;
  bedrooms: number | null;
  bathrooms: number | null;
  halfBaths: number;
  squareFeet: number | null;
  lotSquareFeet: number | null;
  yearBuilt: number | null;
  neighborhood: string | null;
  mlsNumber: string | null;
  latitude: number | null;
  longitude: number | null;
  description: string;
  amenities: string[];
  pictures: ListingPicture[];
  seller: { id: string; name: string; email: string; suspended: boolean };
  days: number;
  views: number;
  featured: boolean;
  /** what the seller was told when it was sent back */
  reviewNote: string | null;
  createdAt: string;
  listedAt: string | null;
  submittedAt: string;
  changedSinceApprovalAt: string | null;
  /** whether visitors can open its page */
  hasPublicPage: boolean;
  /** the sale that holds it or has closed, else the latest; null when there was none */
  sale: RecordSale | null;
}

interface RecordSale {
  id: string;
  buyer: string;
  totalCents: number;
  method: PaymentMethod;
  payment: PaymentStatus;
  escrow: EscrowStatus;
  startedAt: string;
  paidAt: string | null;
}

interface SaleFields extends Omit<RecordSale, 'startedAt' | 'paidAt'> {
  started: string;
  paid: string | null;
}

/** A listing that is not deleted, with its pictures, seller and sale; null when there is none. */
export async function loadListingRecord(ctx: Ctx, id: string): Promise<ListingRecord | null> {
  const row = await ctx.db
    .q()
    .selectFrom('properties as p')
    .innerJoin('agents as a', 'a.id', 'p.agent_id')
    .leftJoin('property_types as t', 't.id', 'p.type_id')
    .selectAll('p')
    .select([
      't.name as type_name',
      'a.name as seller_name',
      'a.email as seller_email',
      sql<number>`days_on_market(p, ${ctx.now()})`.as('days'),
      sql<ListingPicture[]>`coalesce((
        select json_agg(json_build_object(${pictureFields}, 'caption', i.caption) order by i.is_main desc, i.position, i.id)
        from property_images i join stored_images s on s.id = i.image_id where i.property_id = p.id), '[]')`.as(
        'pictures',
      ),
      sql<string[]>`array(select a.name from property_amenities pa join amenities a on a.id = pa.amenity_id
        where pa.property_id = p.id order by a.name)`.as('amenities'),
      sql<SaleFields | null>`(
        select json_build_object('id', s.id, 'buyer', u.name, 'totalCents', s.total_cents, 'method', s.payment_method,
          'payment', s.stripe_payment_status, 'escrow', s.escrow_status, 'started', s.created_at, 'paid', s.sale_date)
        from property_sales s join users u on u.id = s.buyer_id where s.property_id = p.id
        order by s.escrow_status in ('in_escrow', 'completed') desc, s.created_at desc limit 1)`.as('sale'),
    ])
    .where('p.id', '=', id)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) return null;
  const iso = (time: string | Date) => new Date(time).toISOString();
  const { sale } = row;
  return {
    id: row.id,
    title: row.title && row.title !== row.address ? row.title : null,
    address: row.address,
    town: townLine(row),
    type: row.type_name ?? 'Residential',
    status: row.status,
    priceCents: row.price_cents,
    bedrooms: row.bedrooms,
    bathrooms: row.bathrooms,
    halfBaths: row.half_baths,
    squareFeet: row.square_feet,
    lotSquareFeet: row.lot_square_feet,
    yearBuilt: row.year_built,
    neighborhood: row.neighborhood,
    mlsNumber: row.mls_number,
    latitude: row.latitude,
    longitude: row.longitude,
    description: row.description,
    amenities: row.amenities,
    pictures: row.pictures.map((picture, index) => ({
      ...picture,
      alt: picture.alt || photoAlt(row.address, index, row.pictures.length),
    })),
    seller: {
      id: row.agent_id,
      name: row.seller_name,
      email: row.seller_email,
      suspended: row.seller_suspended,
    },
    days: row.days,
    views: row.views,
    featured: row.is_featured,
    reviewNote: row.review_note,
    createdAt: iso(row.created_at),
    listedAt: row.listed_at && iso(row.listed_at),
    submittedAt: iso(row.submitted_at ?? row.created_at),
    changedSinceApprovalAt: row.changed_since_approval_at && iso(row.changed_since_approval_at),
    hasPublicPage: row.is_public || row.status === 'escrow' || row.status === 'Sold',
    sale: sale && {
      id: sale.id,
      buyer: sale.buyer,
      totalCents: sale.totalCents,
      method: sale.method,
      payment: sale.payment,
      escrow: sale.escrow,
      startedAt: iso(sale.started),
      paidAt: sale.paid && iso(sale.paid),
    },
  };
}
