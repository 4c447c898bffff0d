import { sql } from 'kysely';
import { formatSquareFeet } from '#features/listings/display.ts';
import type { EditableColumns } from '#features/listings/model.ts';
import type { Ctx } from '#platform/context.ts';
import { dollarsAndCents } from '#platform/money.ts';
import type { ChangedFact } from './model.ts';

interface ApprovalRow {
  at: Date;
  by: string | null;
}

/** The latest approval of a listing and who gave it; null when none was recorded, as for imported ones. */
export async function lastApproval(ctx: Ctx, id: string): Promise<ApprovalRow | null> {
  const row = await ctx.db
    .q()
    .selectFrom('audit_log')
    .leftJoin('users', 'users.id', 'audit_log.actor_id')
    .select(['audit_log.at', 'users.name as by'])
    .where('entity', '=', 'property')
    .where('entity_id', '=', id)
    .where('action', '=', 'listing.approve')
    .orderBy('audit_log.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

type Field = Exclude<keyof EditableColumns, 'location_precision' | 'latitude' | 'longitude'>;

const names: Record<Field, string> = {
  price_cents: 'Price',
  address: 'Address',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
  title: 'Title',
  type_id: 'Type',
  bedrooms: 'Bedrooms',
  bathrooms: 'Bathrooms',
  half_baths: 'Half baths',
  square_feet: 'Square feet',
  lot_square_feet: 'Lot size',
  year_built: 'Year built',
  neighborhood: 'Neighborhood',
  description: 'Description',
};

/** How a stored value of a field reads. */
function inWords(field: string, value: string | null, types: ReadonlyMap<string, string>): string | null {
  if (value === null || value === '') return null;
  if (field === 'price_cents') return dollarsAndCents(Number(value));
  if (field === 'type_id') return types.get(value) ?? value;
  if (field === 'square_feet' || field === 'lot_square_feet')
    return `${formatSquareFeet(Number(value))} sqft`;
  return value;
}

interface ChangeRow {
  field: string;
  approved: string | null;
  now: string | null;
}

/**
 * What has changed in a listing since a time: for each field the value then and now, without those that were changed
 * back. Its photos are `photoChangesSince`.
 */
export async function changesSince(ctx: Ctx, id: string, since: Date): Promise<ChangedFact[]> {
  const [{ rows: fields }, types, place, amenities] = await Promise.all([
    sql<ChangeRow>`
      select c.field, (array_agg(c.previous_value order by c.id))[1] as approved,
        (array_agg(c.new_value order by c.id desc))[1] as now
      from property_changes c
      where c.property_id = ${id} and c.created_at > ${since} and c.field <> 'status' group by c.field`.execute(
      ctx.db.q(),
    ),
    typeNames(ctx),
    placeNow(ctx, id),
    amenityChange(ctx, id, since),
  ]);
  const order = Object.keys(names);
  const facts = fields
    .filter(({ field, approved, now }) => Object.hasOwn(names, field) && approved !== now)
    .sort((one, other) => order.indexOf(one.field) - order.indexOf(other.field))
    .map(({ field, approved, now }) => ({
      field: names[field as Field],
      approved: inWords(field, approved, types),
      now: inWords(field, now, types),
    }));
  const moved = movedPin(fields, place);
  return [...facts, ...(moved ? [moved] : []), ...(amenities ? [amenities] : [])];
}

type Place = Record<'latitude' | 'longitude', number | null>;

const placeNow = (ctx: Ctx, id: string): Promise<Place> =>
  ctx.db
    .q()
    .selectFrom('properties')
    .select(['latitude', 'longitude'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

const inDegrees = ({ latitude, longitude }: Place): string | null =>
  latitude === null || longitude === null ? null : `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;

/** The pin's place then and now with the way between them; null when it has not moved. */
function movedPin(fields: readonly ChangeRow[], now: Place): ChangedFact | null {
  const then = { ...now };
  for (const { field, approved } of fields)
    if (field === 'latitude' || field === 'longitude')
      then[field] = approved === null ? null : Number(approved);
  const [before, after] = [inDegrees(then), inDegrees(now)];
  if (before === after) return null;
  const way = milesBetween(then, now);
  return {
    field: 'Place on the map',
    approved: before,
    now: way === null ? after : `${after}, ${way < 0.05 ? 'less than 0.1' : way.toFixed(1)} miles away`,
  };
}

const EARTH_RADIUS_MILES = 3958.8;

function milesBetween(one: Place, other: Place): number | null {
  if (one.latitude === null || one.longitude === null || other.latitude === null || other.longitude === null)
    return null;
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  const north = radians(other.latitude - one.latitude);
  const east = radians(other.longitude - one.longitude);
  const square =
    Math.sin(north / 2) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(east / 2) ** 2;
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.sqrt(square));
}

/** The amenities as the first change since then found them, and as they are now; null when they are the same. */
async function amenityChange(ctx: Ctx, id: string, since: Date): Promise<ChangedFact | null> {
  const { rows } = await sql<{ approved: string | null; now: string | null }>`
    with first as (
      select before -> 'amenities' as ids from audit_log
      where entity = 'property' and entity_id = ${id} and at > ${since} and action = 'listing.edit'
        and jsonb_typeof(before -> 'amenities') = 'array' order by id limit 1)
    select (select string_agg(a.name, ', ' order by a.name) from amenities a where first.ids ? a.id::text) as approved,
      (select string_agg(a.name, ', ' order by a.name) from property_amenities m join amenities a on a.id = m.amenity_id
        where m.property_id = ${id}) as now
    from first`.execute(ctx.db.q());
  const [change] = rows;
  return change && change.approved !== change.now ? { field: 'Amenities', ...change } : null;
}

async function typeNames(ctx: Ctx): Promise<ReadonlyMap<string, string>> {
  const rows = await ctx.db.q().selectFrom('property_types').select(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [String(id), name]));
}
