import { sql, type UpdateObject } from 'kysely';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { setAuditActor } from '#platform/audit-actor.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { approvalMarks, mayUndoImports } from '../rules.ts';

/** What an import may have changed, so that it can be as it was before. */
const columns = [
  'type_id',
  'price_cents',
  'address',
  'title',
  'city',
  'state',
  'zip',
  'neighborhood',
  'mls_name',
  'mls_number',
  'description',
  'bedrooms',
  'bathrooms',
  'half_baths',
  'square_feet',
  'lot_square_feet',
  'year_built',
  'latitude',
  'longitude',
  'location_precision',
  'status',
  'off_market_at',
] as const;

/**
 * Gives a listing back the values that it had before an import changed it, with its history and audit row. Whoever calls this has held the
 * listing and found that no one has changed it since.
 * @throws Unauthenticated, Forbidden for everyone but jobs and the command line
 */
export async function undoListingChange(
  ctx: Ctx,
  { propertyId, before }: { propertyId: string; before: Readonly<Record<string, unknown>> },
): Promise<void> {
  authorize(ctx, mayUndoImports);
  const fields = columns.filter((name) => name in before);
  // The history tells of the listing, not of what waits for an administrator.
  const restored = [...fields, ...approvalMarks.filter((name) => name in before)];
  if (restored.length === 0) return;
  await ctx.db.tx(async () => {
    const q = ctx.db.q();
    await setAuditActor(ctx);
    const { status } = await q
      .selectFrom('properties')
      .select('status')
      .where('id', '=', propertyId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    // The values as text, as the history has them; afterwards they are others.
    await sql`
      insert into property_changes (property_id, field, previous_value, new_value, reason, created_at)
      select p.id, f.name, to_jsonb(p) ->> f.name, ${JSON.stringify(before)}::jsonb ->> f.name, 'import undone', ${ctx.now()}
      from properties p, unnest(${fields}::text[]) as f (name) where p.id = ${propertyId}`.execute(q);
    await q
      .updateTable('properties')
      .set(Object.fromEntries(restored.map((name) => [name, before[name]])) as UpdateObject<DB, 'properties'>)
      .where('id', '=', propertyId)
      .execute();
    await audit(ctx, {
      action: 'listing.undo_import_change',
      entity: 'property',
      entityId: propertyId,
      ...('status' in before && before.status !== status
        ? { before: { status }, after: { status: before.status, fields } }
        : { after: { fields } }),
    });
  });
}
