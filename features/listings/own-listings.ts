import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import type { ListingPicture, PropertyStatus } from './model.ts';
import { townLine } from './rules.ts';

/** Rows of one page of 'My Properties'. */
export const OWN_PAGE = 25;

const columns = {
  // Byte by byte: addresses begin with numbers, and a language's order costs ten times as much.
  address: sql`lower(p.address) collate "C"`,
  price: sql`p.price_cents`,
  status: sql`lower(p.status)`,
  days: sql`days`,
  views: sql`p.views`,
} satisfies Record<string, RawBuilder<unknown>>;

/** What the seller's table can be sorted by. */
export type OwnListingSort = keyof typeof columns;
export const ownListingSorts = Object.keys(columns) as OwnListingSort[];

/** One of the seller's own listings in a table. Integer cents of the base price (B-049). */
export interface OwnListing {
  id: string;
  title: string | null;
  address: string;
  town: string;
  type: string;
  picture: ListingPicture | null;
  priceCents: number;
  status: PropertyStatus;
  /** what an administrator asks for or says against it (B-139) */
  note: string | null;
  /** when it was first approved; ISO, UTC; null before */
  listedAt: string | null;
  /** whole days on the market (B-046) */
  days: number;
  views: number;
}

export interface OwnListings {
  rows: OwnListing[];
  /** of all pages */
  total: number;
  page: number;
  pages: number;
  /** a listing that was begun and never submitted */
  draft: { id: string; title: string; updatedAt: string } | null;
}

export interface OwnListingsQuery {
  /** words in address, title or town */
  q?: string | null | undefined;
  sort?: { by: OwnListingSort; descending: boolean } | null | undefined;
  /** from 1; one behind the last is the last */
  page?: number | undefined;
}

interface Row extends Omit<OwnListing, 'town' | 'priceCents' | 'note' | 'listedAt'> {
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

/** A page of a seller's listings in the wanted order, newest first without one. */
export async function ownListingRows(
  ctx: Ctx,
  agentId: string,
  { q, sort, limit, offset }: { q: string; sort: OwnListingsQuery['sort']; limit: number; offset: number },
): Promise<OwnListing[]> {
  const direction = sort?.descending ? sql`desc` : sql`asc`;
  const order = sort
    ? sql`${columns[sort.by]} ${direction}, p.created_at desc, p.id desc`
    : sql`p.created_at desc, p.id desc`;
  // The pictures of the page alone are looked up: first which rows, then what they show.
  const { rows } = await sql<Row>`
    select p.id, p.title, p.address, p.city, p.state, p.zip, coalesce(t.name, 'Residential') as type, p.price_cents,
      p.status, p.review_note, p.listed_at, p.views, page.days,
      (select json_build_object('id', s.id, 'width', s.width, 'height', s.height, 'widths', s.widths,
          'placeholder', s.placeholder, 'alt', i.alt)
        from property_images i join stored_images s on s.id = i.image_id
        where i.property_id = p.id order by i.is_main desc, i.position, i.id limit 1) as picture
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

/** How many of a seller's listings the words find. */
export async function ownListingCount(ctx: Ctx, agentId: string, q: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::integer as total from properties p
    where ${matching(agentId, q)}`.execute(ctx.db.q());
  return rows[0]?.total ?? 0;
}

/** The listing that a seller has begun and not submitted, by the name it has so far; there is one at most. */
export async function unsubmittedDraft(ctx: Ctx, agentId: string): Promise<OwnListings['draft']> {
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
        title: row.name?.slice(0, 120) ?? 'Untitled draft',
        updatedAt: row.updated_at.toISOString(),
      }
    : null;
}
