import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { keysOf } from '#platform/typed-keys.ts';
import { townLine } from './display.ts';
import type { ListingPicture, PropertyStatus } from './model.ts';
import { type OwnershipStatus, ownershipOf } from './ownership.ts';
import { isPubliclyVisible, mainPicture } from './sql.ts';

/** Page size of 'My Properties'. */
export const OWN_LISTINGS_PAGE_SIZE = 25;

const columns = {
  // Byte order: addresses begin with numbers, and locale-aware sorting is ten times slower.
  address: sql`lower(p.address) collate "C"`,
  price: sql`p.price_cents`,
  status: sql`lower(p.status)`,
  days: sql`days`,
  views: sql`p.views`,
} satisfies Record<string, RawBuilder<unknown>>;

/** Sortable columns of the seller's table. */
type OwnListingSort = keyof typeof columns;
export const ownListingSorts = keysOf(columns);

/** One row of the seller's table. Base price in integer cents. */
export interface OwnListingRow {
  id: string;
  title: string | null;
  address: string;
  town: string;
  type: string;
  picture: ListingPicture | null;
  priceCents: number;
  status: PropertyStatus;
  /** anyone sees its page; otherwise only its seller and the administrators do */
  isPublic: boolean;
  /** the administrator's review note */
  note: string | null;
  /** what became of the latest proof of ownership; null: there is none */
  ownership: OwnershipStatus | null;
  /** first approval; ISO, UTC; null before */
  listedAt: string | null;
  /** whole days on market */
  days: number;
  views: number;
}

export interface OwnListingsPage {
  rows: OwnListingRow[];
  /** across all pages */
  total: number;
  page: number;
  pages: number;
  /** the seller's unsubmitted draft */
  draft: { id: string; title: string; updatedAt: string } | null;
}

export interface OwnListingsQuery {
  /** text to find in address, title or city */
  q?: string | null | undefined;
  sort?: { by: OwnListingSort; descending: boolean } | null | undefined;
  /** from 1; past the end means the last page */
  page?: number | undefined;
}

interface Row extends Omit<OwnListingRow, 'town' | 'priceCents' | 'note' | 'listedAt'> {
  city: string;
  state: string;
  zip: string;
  price_cents: number;
  review_note: string | null;
  listed_at: Date | null;
}

const matching = (agentId: string, q: string) => sql`p.agent_id = ${agentId} and p.deleted_at is null
  ${
    q
      ? sql`and strpos(lower(p.address || ' ' || coalesce(p.title, '') || ' ' || p.city || ' ' || p.state || ' ' || p.zip),
    lower(${q})) > 0`
      : sql``
  }`;

/** A page of a seller's listings, newest first unless sorted. */
export async function ownListingRows(
  ctx: Ctx,
  agentId: string,
  { q, sort, limit, offset }: { q: string; sort: OwnListingsQuery['sort']; limit: number; offset: number },
): Promise<OwnListingRow[]> {
  const direction = sort?.descending ? sql`desc` : sql`asc`;
  const order = sort
    ? sql`${columns[sort.by]} ${direction}, p.created_at desc, p.id desc`
    : sql`p.created_at desc, p.id desc`;
  // Select the page's rows first, so that pictures are looked up for those only.
  const { rows } = await sql<Row>`
    select p.id, p.title, p.address, p.city, p.state, p.zip, coalesce(t.name, 'Residential') as type, p.price_cents,
      p.status, ${isPubliclyVisible('p')} as "isPublic", p.review_note, p.listed_at, p.views, page.days,
      ${ownershipOf('p')} as ownership, ${mainPicture('p')} as picture
    from (select row_number() over () as place, chosen.id, chosen.days from (
        select p.id, days_on_market(p, ${ctx.now()}) as days from properties p
        where ${matching(agentId, q)} order by ${order} limit ${limit} offset ${offset}) chosen) page
      join properties p on p.id = page.id left join property_types t on t.id = p.type_id
    order by page.place`.execute(ctx.db.q());
  return rows.map(({ city, state, zip, price_cents, review_note, listed_at, ...row }) => ({
    ...row,
    town: townLine({ city, state, zip }),
    priceCents: price_cents,
    note: review_note,
    listedAt: listed_at?.toISOString() ?? null,
  }));
}

/** The number of a seller's listings that match `q`. */
export async function ownListingCount(ctx: Ctx, agentId: string, q: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::integer as total from properties p
    where ${matching(agentId, q)}`.execute(ctx.db.q());
  return rows[0]?.total ?? 0;
}

/** The seller's unsubmitted draft with a display title, or null; there is at most one. */
export async function unsubmittedDraft(ctx: Ctx, agentId: string): Promise<OwnListingsPage['draft']> {
  const row = await ctx.db
    .q()
    .selectFrom('property_drafts')
    .select(['id', 'updated_at'])
    .select(
      sql<
        string | null
      >`coalesce(nullif(trim(form ->> 'title'), ''), nullif(trim(form ->> 'address'), ''))`.as('name'),
    )
    .where('agent_id', '=', agentId)
    .where('property_id', 'is', null)
    .executeTakeFirst();
  return row
    ? {
        id: row.id,
        title: row.name === null ? 'Untitled draft' : cutText(row.name, 120),
        updatedAt: row.updated_at.toISOString(),
      }
    : null;
}
