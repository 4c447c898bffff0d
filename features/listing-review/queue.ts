import { type RawBuilder, sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import { mainPicture } from '#features/listings/sql.ts';
import type { Ctx } from '#platform/context.ts';
import type { Duplicate, SelectedListing, WaitingListing } from './model.ts';
import { waitingSince, waits } from './sql.ts';
import { versionOf } from './version.ts';

/** Listings on one page of the review queue. */
export const QUEUE_PAGE_SIZE = 25;

/** For counting what waits. */
export const fromWaiting: RawBuilder<unknown> = sql`from properties p where ${waits}`;

/** Statuses in which a listing of the same property does not matter. */
const GONE = sql`('withdrawn', 'rejected')`;

/** Another listing `o` at the same address as `p`. */
const sameAddress = sql`address_key(o.address, o.city, o.zip) = address_key(p.address, p.city, p.zip)
  and o.id <> p.id and o.deleted_at is null and o.status not in ${GONE}`;

/** Photos `theirs` of another listing that are the same file as one of those of `p`. */
const samePhotos = sql`property_images mine
  join stored_images mine_file on mine_file.id = mine.image_id
  join stored_images their_file on their_file.sha256 = mine_file.sha256
  join property_images theirs on theirs.image_id = their_file.id and theirs.property_id <> mine.property_id
  join properties o on o.id = theirs.property_id and o.deleted_at is null and o.status not in ${GONE}`;

interface QueueRow extends Omit<WaitingListing, 'town' | 'waitingSince'> {
  city: string;
  state: string;
  zip: string;
  since: Date;
}

/** A page of the listings that wait for an administrator, newest first. */
export async function waitingRows(
  ctx: Ctx,
  { limit, offset }: { limit: number; offset: number },
): Promise<WaitingListing[]> {
  const { rows } = await sql<QueueRow>`
    select p.id, p.address, p.city, p.state, p.zip, coalesce(t.name, 'Residential') as type, ${mainPicture('p')} as picture,
      p.price_cents as "priceCents", a.name as "sellerName", p.status, ${waitingSince} as since,
      p.changed_since_approval_at is not null as changed, ${versionOf('p')} as version,
      exists (select from properties o where ${sameAddress})
        or exists (select from ${samePhotos} where mine.property_id = p.id) as duplicate
    from (select p.id from properties p where ${waits} order by ${waitingSince} desc, p.id desc
        limit ${limit} offset ${offset}) page
      join properties p on p.id = page.id
      join agents a on a.id = p.agent_id
      left join property_types t on t.id = p.type_id
    order by ${waitingSince} desc, p.id desc`.execute(ctx.db.q());
  return rows.map(({ city, state, zip, since, ...row }) => ({
    ...row,
    town: townLine({ city, state, zip }),
    waitingSince: since.toISOString(),
  }));
}

/** The first of the listings that wait, newest first, and what they contain now. */
export async function waitingVersions(ctx: Ctx, { limit }: { limit: number }): Promise<SelectedListing[]> {
  const { rows } = await sql<SelectedListing>`
    select p.id as "propertyId", ${versionOf('p')} as version from properties p where ${waits}
    order by ${waitingSince} desc, p.id desc limit ${limit}`.execute(ctx.db.q());
  return rows;
}

interface DuplicateRow extends Omit<Duplicate, 'town'> {
  city: string;
  state: string;
  zip: string;
}

/** Other listings that may be the same property: at its address, or with one of its photos; at most ten. */
export async function duplicatesOf(ctx: Ctx, id: string): Promise<Duplicate[]> {
  const { rows } = await sql<DuplicateRow>`
    with alike as (
      select o.id, true as address, 0 as photos from properties p join properties o on ${sameAddress} where p.id = ${id}
      union all
      select theirs.property_id, false, count(distinct their_file.sha256)::integer from ${samePhotos}
        where mine.property_id = ${id} group by theirs.property_id)
    select o.id, o.address, o.city, o.state, o.zip, a.name as "sellerName", o.status, o.price_cents as "priceCents",
      o.agent_id = p.agent_id as "sameSeller", bool_or(alike.address) as "sameAddress",
      max(alike.photos) as "samePhotos"
    from alike join properties o on o.id = alike.id join agents a on a.id = o.agent_id
      join properties p on p.id = ${id}
    group by o.id, a.name, p.agent_id
    order by "sameAddress" desc, "samePhotos" desc, o.created_at desc limit 10`.execute(ctx.db.q());
  return rows.map(({ city, state, zip, ...row }) => ({ ...row, town: townLine({ city, state, zip }) }));
}
