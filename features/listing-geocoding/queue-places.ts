import { sql } from 'kysely';
import type { Place } from '#gateways/geocoder/port.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { findPlacesJob } from './queues.ts';

interface Queued {
  propertyIds: readonly string[];
  /** whose progress they are part of */
  importId?: string | null;
}

interface Unplaced {
  id: string;
  zip: string;
  latitude: number | null;
}

/**
 * Puts imported listings without coordinates at the center of their ZIP codes, and queues them to be looked up by their addresses. Those
 * whose place is known are left alone. Runs in the transaction that writes them; the caller has authorised it.
 * @returns how many had no coordinates of their own
 */
export async function queuePlaces(ctx: Ctx, { propertyIds, importId = null }: Queued): Promise<number> {
  if (propertyIds.length === 0) return 0;
  const { rows } = await sql<Unplaced>`
    select id, zip, latitude from properties
    where id = any(${[...propertyIds]}::uuid[]) and deleted_at is null
      and (latitude is null or location_precision in ('zip', 'zip3', 'city'))`.execute(ctx.db.q());
  if (rows.length === 0) return 0;
  const places: { id: string; place: Place }[] = [];
  for (const { id, zip, latitude } of rows) {
    const place = latitude === null && zip !== '' ? await zipCodeGeocoder.locate(zip) : null;
    if (place) places.push({ id, place });
  }
  if (places.length > 0)
    await sql`
      update properties p set latitude = v.latitude, longitude = v.longitude, location_precision = v.precision
      from unnest(${places.map(({ id }) => id)}::uuid[], ${places.map(({ place }) => place.latitude)}::float8[],
        ${places.map(({ place }) => place.longitude)}::float8[], ${places.map(({ place }) => place.precision)}::text[])
        as v (id, latitude, longitude, precision)
      where p.id = v.id`.execute(ctx.db.q());
  const placed = new Set(places.map(({ id }) => id));
  // Without a geocoder of streets nothing closer than the ZIP code is known.
  const statusOf = ({ id, latitude }: Unplaced) =>
    ctx.config.geocoderUrl ? 'waiting' : latitude !== null || placed.has(id) ? 'found' : 'unknown';
  await sql`
    insert into listing_places (property_id, import_id, status, due_at, updated_at)
    select v.id, ${importId}::uuid, v.status, ${ctx.now()}, ${ctx.now()}
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(statusOf)}::text[]) as v (id, status)
    on conflict (property_id) do update set import_id = excluded.import_id, status = excluded.status, attempts = 0,
      due_at = excluded.due_at, updated_at = excluded.updated_at`.execute(ctx.db.q());
  if (ctx.config.geocoderUrl) await enqueue(ctx, findPlacesJob, {}, { key: 'all' });
  return rows.length;
}
