import { sql } from 'kysely';
import { holdListings } from '#features/listings/hold-listings.ts';
import type { Place } from '#gateways/geocoder/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { MINUTE } from '#platform/durations.ts';
import { mayPlaceListings } from '../rules.ts';

/** How many addresses are asked for together. */
const TOGETHER = 8;
/** A process that dies leaves its addresses to another one after this time. */
const LEASE_MS = 2 * MINUTE;
const WORK_MS = 4 * MINUTE;
const MAX_ATTEMPTS = 5;

interface Wanted {
  id: string;
  address: string;
  place: string;
}

/**
 * Looks up imported listings by their addresses until none is due, for at most four minutes. A place that was set meanwhile, or belongs to an
 * address that changed meanwhile, is not overwritten.
 * @returns how many were looked up
 * @throws Unauthenticated, Forbidden for everyone but jobs
 */
export async function findPlaces(
  ctx: CtxWith<'geocoder'>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<number> {
  authorize(ctx, mayPlaceListings);
  const end = ctx.now().getTime() + WORK_MS;
  let done = 0;
  while (!signal?.aborted && ctx.now().getTime() < end) {
    const wanted = await take(ctx);
    if (wanted.length === 0) break;
    const found = await Promise.all(
      wanted.map(async (one) => ({ ...one, found: await ctx.geocoder.locate(one.place) })),
    );
    await save(ctx, found);
    done += wanted.length;
  }
  return done;
}

async function take(ctx: CtxWith<'geocoder'>): Promise<Wanted[]> {
  const now = ctx.now();
  const { rows } = await sql<Wanted>`
    with due as (
      select property_id from listing_places where status = 'waiting' and due_at <= ${now}
      order by due_at limit ${TOGETHER} for update skip locked),
    taken as (
      update listing_places l set due_at = ${new Date(now.getTime() + LEASE_MS)}, attempts = l.attempts + 1,
        updated_at = ${now}, status = case when l.attempts >= ${MAX_ATTEMPTS} then 'unknown' else l.status end
      from due where l.property_id = due.property_id
      returning l.property_id, l.status)
    select p.id, p.address, concat_ws(', ', p.address, nullif(p.city, ''), nullif(concat_ws(' ', p.state, p.zip), '')) as place
    from taken t join properties p on p.id = t.property_id where t.status = 'waiting'`.execute(ctx.db.q());
  return rows;
}

/** Writes what was found, together: the center of a ZIP code only where nothing is known yet. */
async function save(
  ctx: CtxWith<'geocoder'>,
  results: readonly (Wanted & { found: Place | null })[],
): Promise<void> {
  const places = results.flatMap(({ found, ...of }) => (found ? [{ ...of, found }] : []));
  await ctx.db.tx(async () => {
    await holdListings(
      ctx,
      results.map(({ id }) => id),
    );
    const { rows: moved } = await sql<{ id: string }>`
      update properties p set latitude = v.latitude, longitude = v.longitude, location_precision = v.precision
      from unnest(${places.map(({ id }) => id)}::uuid[], ${places.map(({ address }) => address)}::text[],
        ${places.map(({ found }) => found.latitude)}::float8[], ${places.map(({ found }) => found.longitude)}::float8[],
        ${places.map(({ found }) => found.precision)}::text[]) as v (id, address, latitude, longitude, precision)
      where p.id = v.id and p.address = v.address and p.deleted_at is null
        and (p.latitude is null
          or (p.location_precision in ('zip', 'zip3', 'city') and v.precision in ('rooftop', 'street')))
      returning p.id`.execute(ctx.db.q());
    await sql`
      update listing_places l set updated_at = ${ctx.now()},
        status = case when p.latitude is null then 'unknown' else 'found' end
      from properties p where p.id = l.property_id and l.property_id = any(${results.map(({ id }) => id)}::uuid[])
      `.execute(ctx.db.q());
    if (moved.length === 0) return;
    await audit(ctx, {
      action: 'listings.place',
      entity: 'listing_place',
      entityId: moved[0]?.id ?? '',
      after: { placed: moved.map(({ id }) => id) },
    });
  });
}
