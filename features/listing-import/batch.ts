import { sql } from 'kysely';
import { isOwnershipMissing } from '#features/listings/ownership-fact.ts';
import { firstListingStatus } from '#features/listings/rules.ts';
import { audit, auditAll } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { applyRow, lockedReason, newListingValues, type StoredValues, storedColumns } from './changes.ts';
import type { Refusal, RowValues } from './rows.ts';

export interface BatchRow {
  line: number;
  sourceId: string;
  values: RowValues;
}

interface BatchOutcome {
  accepted: number;
  updated: number;
  unchanged: number;
  refused: { line: number; refusal: Refusal }[];
}

interface Change {
  propertyId: string;
  field: string;
  from: unknown;
  to: unknown;
}

/** Thrown to roll back a dry run. */
class DryRunRollback extends Error {}

/**
 * Writes rows of one file (each source_id once) in one transaction: new listings become Active, existing ones are
 * updated and keep their status. Imports for the same seller are serialised.
 * @param dryRun true to roll everything back; the outcome is the one that writing would have had
 */
export async function writeBatch(
  ctx: Ctx,
  target: { agentId: string; file: string },
  rows: readonly BatchRow[],
  dryRun: boolean,
): Promise<BatchOutcome> {
  const outcome: BatchOutcome = { accepted: 0, updated: 0, unchanged: 0, refused: [] };
  try {
    await ctx.db.tx(async () => {
      await writeRows(ctx, target, rows, outcome);
      if (dryRun) throw new DryRunRollback();
    });
  } catch (error) {
    if (!(error instanceof DryRunRollback)) throw error;
  }
  return outcome;
}

async function writeRows(
  ctx: Ctx,
  { agentId, file }: { agentId: string; file: string },
  rows: readonly BatchRow[],
  outcome: BatchOutcome,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`import ${agentId}`}, 0))`.execute(ctx.db.q());
  const sourceIds = rows.map((row) => row.sourceId);
  const existing = await existingListings(ctx, agentId, sourceIds);
  const toWrite: { sourceId: string; values: StoredValues }[] = [];
  const changes: Change[] = [];
  for (const { line, sourceId, values } of rows) {
    const before = existing.get(sourceId);
    if (!before) {
      outcome.accepted++;
      toWrite.push({ sourceId, values: newListingValues(values) });
      continue;
    }
    const { after, changed } = applyRow(before, values);
    const locked = lockedReason(before, changed.length > 0);
    if (locked) {
      outcome.refused.push({ line, refusal: { column: null, reason: locked, detail: sourceId } });
    } else if (changed.length === 0) {
      outcome.unchanged++;
    } else {
      outcome.updated++;
      toWrite.push({ sourceId, values: after });
      const of = (field: keyof StoredValues) => ({ field, from: before[field], to: after[field] });
      changes.push(...changed.map((field) => ({ propertyId: before.id, ...of(field) })));
    }
  }
  if (toWrite.length === 0) return;
  const written = await upsertListings(ctx, agentId, toWrite);
  await auditAll(
    ctx,
    written
      .filter(({ source_id }) => !existing.has(source_id))
      .map(({ id, status }) => ({
        action: 'listing.import',
        entity: 'property',
        entityId: id,
        after: { status, file },
      })),
  );
  await recordChanges(ctx, changes);
  const { accepted, updated } = outcome;
  await audit(ctx, {
    action: 'listings.import',
    entity: 'agent',
    entityId: agentId,
    after: { file, lines: [rows[0]?.line, rows.at(-1)?.line], accepted, updated },
  });
}

async function existingListings(ctx: Ctx, agentId: string, sourceIds: string[]) {
  const found = await ctx.db
    .q()
    .selectFrom('properties')
    .select(['id', 'source_id', 'status', 'deleted_at', ...storedColumns])
    .where('agent_id', '=', agentId)
    .where('source_id', 'in', sourceIds)
    .forUpdate()
    .execute();
  return new Map(found.map((row) => [row.source_id, row]));
}

async function upsertListings(ctx: Ctx, agentId: string, rows: { sourceId: string; values: StoredValues }[]) {
  const at = ctx.now();
  const status = firstListingStatus('import', await isOwnershipMissing(ctx, null));
  return ctx.db
    .q()
    .insertInto('properties')
    .values(
      rows.map(({ sourceId, values }) => ({
        ...values,
        agent_id: agentId,
        source_id: sourceId,
        status,
        listed_at: status === 'Active' ? at : null,
        created_at: at,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['agent_id', 'source_id'])
        .doUpdateSet((eb) =>
          Object.fromEntries(storedColumns.map((name) => [name, eb.ref(`excluded.${name}`)])),
        ),
    )
    .returning(['id', 'source_id', 'status'])
    .execute();
}

/** Records the history: each changed column with its stored values (prices in cents) as text. */
async function recordChanges(ctx: Ctx, changes: readonly Change[]): Promise<void> {
  const text = (value: unknown) => (value === null ? null : String(value));
  // A batch can change every column of every listing, which would exceed the parameter limit of one statement.
  for (let start = 0; start < changes.length; start += 1_000) {
    const rows = changes.slice(start, start + 1_000).map((change) => ({
      property_id: change.propertyId,
      field: change.field,
      previous_value: text(change.from),
      new_value: text(change.to),
      reason: 'import',
      created_at: ctx.now(),
    }));
    await ctx.db.q().insertInto('property_changes').values(rows).execute();
  }
}
