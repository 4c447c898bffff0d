import { sql } from 'kysely';
import { STATUS_REASON, type StoredColumns } from '#features/listing-import/model.ts';
import { moveListing } from '#features/listings/commands/move-listing.ts';
import { undoListingChange } from '#features/listings/commands/undo-listing-change.ts';
import { sweepJob } from '#features/photos/jobs.ts';
import { remotePhotoMessages } from '#features/remote-photos/rules.ts';
import { auditAll } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { holdImport, type LeasedImport } from './lease.ts';
import { type SparedReason, sparedBecause } from './rules.ts';

const BATCH_SIZE = 50;

/** SQL: whether an import wrote the change `c` of a listing, or undid one. What is left of it then shows in the listing's fingerprint. */
const byImports = sql<boolean>`(coalesce(c.reason, '') in ('import', 'import undone')
  or coalesce(c.reason, '') like ${`${STATUS_REASON}%`})`;

/** SQL: whether a person has done one of these to the listing `p` since the row `n`, also what changes none of its columns. */
const someoneDid = (
  ...actions: string[]
) => sql<boolean>`exists (select from audit_log a where a.entity = 'property'
  and a.entity_id = p.id::text and a.at > n.at and a.actor_id is not null and a.action = any(${actions}))`;

interface Row {
  line: number;
  property_id: string;
  outcome: 'added' | 'changed' | 'pictured';
  before: StoredColumns | null;
  touched: SparedReason | null;
}

type Outcome = { undone: 'removed' | 'restored'; because: null } | { undone: 'spared'; because: string };

/**
 * Undoes what an import did, the last rows first, batch by batch with a record of each. A listing that someone has touched since stays as
 * it is.
 * @returns false when the signal stopped it
 * @throws LeaseLost
 */
export async function undoRows(ctx: Ctx, leased: LeasedImport, signal?: AbortSignal): Promise<boolean> {
  // No photo is added anymore to what is removed.
  await ctx.db
    .q()
    .updateTable('remote_photos')
    .set({ status: 'skipped', reason: remotePhotoMessages.undone, updated_at: ctx.now() })
    .where('import_id', '=', leased.id)
    .where('status', '=', 'waiting')
    .execute();
  while (!signal?.aborted) {
    const undone = await ctx.db.tx(() => undoBatch(ctx, leased));
    if (undone === 0) return true;
  }
  return false;
}

async function undoBatch(ctx: Ctx, leased: LeasedImport): Promise<number> {
  const rows = await lockRows(ctx, leased.id);
  const outcomes: Outcome[] = [];
  for (const row of rows) outcomes.push(await undoRow(ctx, leased.id, row));
  const count = (undone: Outcome['undone']) => outcomes.filter((one) => one.undone === undone).length;
  await holdImport(ctx, leased, {
    removed: sql<number>`removed + ${count('removed')}`,
    restored: sql<number>`restored + ${count('restored')}`,
    spared: sql<number>`spared + ${count('spared')}`,
  });
  if (rows.length === 0) return 0;
  await sql`
    update listing_import_rows r set undone = v.undone, spared_because = v.because
    from unnest(${rows.map(({ line }) => line)}::integer[], ${outcomes.map(({ undone }) => undone)}::text[],
      ${outcomes.map(({ because }) => because)}::text[]) as v (line, undone, because)
    where r.import_id = ${leased.id} and r.line = v.line`.execute(ctx.db.q());
  return rows.length;
}

/**
 * The next rows with what has happened to their listings since, which are held until the transaction ends. Of several rows of one listing
 * the last comes alone: whether someone has touched the listing since the one before is seen once that one is undone. What imports wrote
 * into the history is no one's edit: the fingerprint tells whether it is still there, and `later` whose it is. Sales are kept for ever: one that
 * had failed before the import, such as an abandoned checkout, touches nothing; one that is under way or completed does, whenever it began.
 */
async function lockRows(ctx: Ctx, importId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with next as (
      select distinct on (r.property_id) r.* from (
        select line, property_id, outcome, before, fingerprint, at from listing_import_rows
        where import_id = ${importId} and undone is null
        order by line desc limit ${BATCH_SIZE}) r
      order by r.property_id, r.line desc),
    held as materialized (
      select p.* from properties p where p.id in (select property_id from next) order by p.id for update)
    select n.line, n.property_id, n.outcome, n.before, case
      when p.deleted_at is not null then 'deleted'
      when held_by_sale(p.id) or exists (select from property_sales s
        where s.property_id = p.id and s.created_at >= n.at) then 'sale'
      when n.outcome = 'added' and exists (select from property_inquiries i
        where i.property_id = p.id and i.created_at >= n.at) then 'inquiry'
      when n.outcome = 'added' and exists (select from tours t
        where t.property_id = p.id and t.created_at >= n.at) then 'tour'
      when exists (select from listing_import_rows later where later.property_id = p.id and later.at > n.at
        and later.import_id <> ${importId} and later.undone is null
        and (later.outcome <> 'pictured' or n.outcome = 'pictured')) then 'later'
      when exists (select from property_changes c where c.property_id = p.id and c.created_at > n.at
        and c.field = 'status' and not ${byImports}) then 'status'
      when exists (select from ownership_proofs o where o.property_id = p.id and o.created_at >= n.at) then 'ownership'
      when exists (select from document_registry d where d.property_id = p.id and d.created_at >= n.at) then 'document'
      when exists (select from property_images f where f.property_id = p.id and f.created_at >= n.at
        and not exists (select from remote_photos r where r.id = f.upload_key))
        or ${someoneDid('photo.arrange', 'photo.delete', 'photo.describe', 'photo.main')} then 'photo'
      when listing_fingerprint(p) <> n.fingerprint
        or exists (select from property_changes c where c.property_id = p.id and c.created_at > n.at
          and not ${byImports})
        or ${someoneDid('listing.edit')} then 'edited'
      end as touched
    from next n join held p on p.id = n.property_id
    order by n.line desc`.execute(ctx.db.q());
  return rows;
}

async function undoRow(ctx: Ctx, importId: string, row: Row): Promise<Outcome> {
  const { property_id: propertyId, outcome, before, touched } = row;
  if (touched) return { undone: 'spared', because: sparedBecause[touched] };
  if (outcome === 'added') {
    const moved = await moveListing(ctx, { propertyId, event: 'undo_import' });
    if (moved.ok) return { undone: 'removed', because: null };
    return { undone: 'spared', because: sparedBecause[moved.reason === 'being_bought' ? 'sale' : 'status'] };
  }
  await undoListingChange(ctx, { propertyId, before: before ?? {} });
  // They belong to all rows of the listing, of which an earlier one can still be spared.
  if (!(await hasEarlierRow(ctx, importId, row))) await removeFetchedPhotos(ctx, importId, propertyId);
  return { undone: 'restored', because: null };
}

/** Whether the import has another row of the same listing, which is undone after this one. */
async function hasEarlierRow(ctx: Ctx, importId: string, { property_id, line }: Row): Promise<boolean> {
  const earlier = await ctx.db
    .q()
    .selectFrom('listing_import_rows')
    .select('line')
    .where('property_id', '=', property_id)
    .where('import_id', '=', importId)
    .where('line', '<', line)
    .where('undone', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return earlier !== undefined;
}

/** Photos that the import added to a listing that was there before. */
async function removeFetchedPhotos(ctx: Ctx, importId: string, propertyId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    delete from property_images f using remote_photos r
    where r.id = f.upload_key and r.import_id = ${importId} and r.property_id = ${propertyId}
      and f.property_id = ${propertyId}
    returning f.id`.execute(ctx.db.q());
  if (rows.length > 0) await enqueue(ctx, sweepJob, {}, { key: 'deleted' });
  await auditAll(
    ctx,
    rows.map(({ id }) => ({
      action: 'photo.delete',
      entity: 'property',
      entityId: propertyId,
      after: { photo: id, import: importId },
    })),
  );
  await sql`delete from remote_photos where import_id = ${importId} and property_id = ${propertyId}`.execute(
    ctx.db.q(),
  );
}
