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

type Field = Exclude<keyof EditableColumns, 'location_precision' | 'longitude'>;

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
  latitude: 'Place on the map',
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
 * back. Photos and amenities are named without values.
 */
export async function changesSince(ctx: Ctx, id: string, since: Date): Promise<ChangedFact[]> {
  const [{ rows: fields }, { rows: actions }, types] = await Promise.all([
    sql<ChangeRow>`
      select c.field, (array_agg(c.previous_value order by c.id))[1] as approved,
        (array_agg(c.new_value order by c.id desc))[1] as now
      from property_changes c
      where c.property_id = ${id} and c.created_at > ${since} and c.field <> 'status' group by c.field`.execute(
      ctx.db.q(),
    ),
    sql<{ photos: number; amenities: number }>`
      select count(*) filter (where action like 'photo.%')::integer as photos,
        count(*) filter (where action = 'listing.edit' and before -> 'amenities' <> after -> 'amenities')::integer as amenities
      from audit_log where entity = 'property' and entity_id = ${id} and at > ${since}`.execute(ctx.db.q()),
    typeNames(ctx),
  ]);
  const order = Object.keys(names);
  const facts = fields
    .filter(({ field, approved, now }) => Object.hasOwn(names, field) && approved !== now)
    .sort((one, other) => order.indexOf(one.field) - order.indexOf(other.field))
    .map(({ field, approved, now }) => ({
      field: names[field as Field],
      approved: field === 'latitude' ? 'Another place' : inWords(field, approved, types),
      now: field === 'latitude' ? 'The place below' : inWords(field, now, types),
    }));
  const { photos = 0, amenities = 0 } = actions[0] ?? {};
  if (photos > 0) facts.push({ field: 'Photos', approved: 'Other photos', now: `Changed ${times(photos)}` });
  if (amenities > 0)
    facts.push({ field: 'Amenities', approved: 'Others', now: `Changed ${times(amenities)}` });
  return facts;
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

async function typeNames(ctx: Ctx): Promise<ReadonlyMap<string, string>> {
  const rows = await ctx.db.q().selectFrom('property_types').select(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [String(id), name]));
}
