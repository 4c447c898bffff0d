import { sql } from 'kysely';
import { isUuid } from '#features/accounts/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import type { ListingForm } from '../listing-form.ts';
import type { PropertyStatus } from '../model.ts';
import { type FormRow, formColumns, formOfListing } from './stored.ts';

/** A seller's own listing as the form and the commands need it. */
export interface OwnListing {
  id: string;
  status: PropertyStatus;
  reviewNote: string | null;
  listedAt: Date | null;
  row: FormRow;
  form: ListingForm;
}

/**
 * A listing of the seller's own that is not deleted; with `lock`, held until the transaction ends.
 * @throws NotFound for any other, so that nobody learns which ids there are
 */
export async function ownListing(
  ctx: Ctx,
  { agentId, propertyId }: { agentId: string | null; propertyId: string },
  lock = false,
): Promise<OwnListing> {
  if (!agentId || !isUuid(propertyId)) throw new NotFound('Property not found');
  const query = ctx.db
    .q()
    .selectFrom('properties')
    .select([...formColumns, 'id', 'status', 'review_note', 'listed_at'])
    .where('id', '=', propertyId)
    .where('agent_id', '=', agentId)
    .where('deleted_at', 'is', null);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  if (!row) throw new NotFound('Property not found');
  const amenities = await ctx.db
    .q()
    .selectFrom('property_amenities')
    .select('amenity_id')
    .where('property_id', '=', propertyId)
    .execute();
  return {
    id: row.id,
    status: row.status,
    reviewNote: row.review_note,
    listedAt: row.listed_at,
    row,
    form: formOfListing(
      row,
      amenities.map((one) => one.amenity_id),
    ),
  };
}

/** True while somebody is buying it: from the opened checkout until that ends or the sale is done (B-073). */
export async function isBeingBought(ctx: Ctx, propertyId: string): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select held_by_sale(${propertyId}) as held`.execute(
    ctx.db.q(),
  );
  return rows[0]?.held ?? false;
}

interface HistoryEntry {
  field: string;
  from: string | number | null;
  to: string | number | null;
  reason?: string;
}

/** Writes into the listing's history what was changed: stored values as text, prices in cents. */
export async function recordHistory(
  ctx: Ctx,
  propertyId: string,
  entries: readonly HistoryEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const text = (value: string | number | null) => (value === null ? null : String(value));
  await ctx.db
    .q()
    .insertInto('property_changes')
    .values(
      entries.map(({ field, from, to, reason }) => ({
        property_id: propertyId,
        changed_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
        field,
        previous_value: text(from),
        new_value: text(to),
        reason: reason ?? null,
        created_at: ctx.now(),
      })),
    )
    .execute();
}

/** Makes the listing's amenities those of the form; ids that no longer exist are left out. */
export async function setAmenities(ctx: Ctx, propertyId: string, ids: readonly number[]): Promise<void> {
  const q = ctx.db.q();
  await q.deleteFrom('property_amenities').where('property_id', '=', propertyId).execute();
  if (ids.length === 0) return;
  await q
    .insertInto('property_amenities')
    .columns(['property_id', 'amenity_id'])
    .expression(
      q
        .selectFrom('amenities')
        .select([sql<string>`${propertyId}::uuid`.as('property_id'), 'id as amenity_id'])
        .where('id', 'in', ids),
    )
    .execute();
}
