import { sql } from 'kysely';
import type { PropertyStatus } from '#features/listings/model.ts';
import { type ApprovalMarks, approvalMarks } from '#features/listings/rules.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { keysOf } from '#platform/typed-keys.ts';
import { storableText } from '#platform/typed-text.ts';
import { type StoredValues, storedColumns } from './changes.ts';

export interface NewListing {
  sourceId: string;
  values: StoredValues;
  status: PropertyStatus;
  /** when it was sold */
  soldAt: Date | null;
}

export interface Change {
  propertyId: string;
  field: string;
  from: unknown;
  to: unknown;
}

/** A text that is cut to its length can end with half a character, which PostgreSQL's JSON refuses. */
const jsonOf = (records: readonly object[]): string =>
  JSON.stringify(records, (_, value: unknown) => (typeof value === 'string' ? storableText(value) : value));

/** Stores new listings and returns their ids by the rows' ids. */
export async function insertListings(
  ctx: Ctx,
  agentId: string,
  listings: readonly NewListing[],
): Promise<Map<string, string>> {
  if (listings.length === 0) return new Map();
  const at = ctx.now();
  const records = listings.map(({ sourceId, values, status, soldAt }) => ({
    ...values,
    agent_id: agentId,
    source_id: sourceId,
    status,
    listed_at: status === 'Active' ? at : null,
    off_market_at: soldAt,
    created_at: at,
  }));
  const columns = sql.join(keysOf(records[0] ?? {}).map((name) => sql.ref(name)));
  // One value instead of thousands, which take longer to prepare; the record set has the types of the table's own columns.
  const { rows } = await sql<{ id: string; source_id: string }>`insert into properties (${columns})
    select ${columns} from jsonb_populate_recordset(null::properties, ${jsonOf(records)}::jsonb)
    returning id, source_id`.execute(ctx.db.q());
  return new Map(rows.map(({ id, source_id }) => [source_id, id]));
}

/** Writes the columns of listings that are there, in one statement; marks that are not given stay. */
export async function updateListings(
  ctx: Ctx,
  listings: readonly { id: string; values: StoredValues; marks: ApprovalMarks }[],
): Promise<void> {
  if (listings.length === 0) return;
  // A column that is written wakes the triggers that watch it, so marks are written only where there are some.
  const given = approvalMarks.filter((name) => listings.some(({ marks }) => marks[name]));
  const columns = sql.join([
    ...storedColumns.map((name) => sql`${sql.ref(name)} = new.${sql.ref(name)}`),
    ...given.map((name) => sql`${sql.ref(name)} = coalesce(new.${sql.ref(name)}, p.${sql.ref(name)})`),
  ]);
  const records = jsonOf(listings.map(({ id, values, marks }) => ({ id, ...values, ...marks })));
  // The record set has the types of the table's own columns.
  await sql`update properties p set ${columns} from jsonb_populate_recordset(null::properties, ${records}::jsonb) new
    where p.id = new.id`.execute(ctx.db.q());
}

/** Records the history: each changed column with its stored values (prices in cents) as text. */
export async function recordChanges(ctx: Ctx, changes: readonly Change[]): Promise<void> {
  const text = (value: unknown) => (value === null ? null : String(value));
  // A batch can change every column of every listing, which would exceed the parameter limit of one statement.
  for (let start = 0; start < changes.length; start += 1_000) {
    const rows = changes.slice(start, start + 1_000).map((change) => ({
      property_id: change.propertyId,
      changed_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
      field: change.field,
      previous_value: text(change.from),
      new_value: text(change.to),
      reason: 'import',
      created_at: ctx.now(),
    }));
    await ctx.db.q().insertInto('property_changes').values(rows).execute();
  }
}

/** Switches on property types that are off, each with a row in the audit log; returns their names. */
export async function activateTypes(ctx: Ctx, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const activated = await ctx.db
    .q()
    .updateTable('property_types')
    .set({ is_active: true })
    .where('id', 'in', [...ids])
    .where('is_active', '=', false)
    .returning(['id', 'name'])
    .execute();
  for (const { id, name } of activated)
    await audit(ctx, {
      action: 'property_type.change',
      entity: 'property_type',
      entityId: String(id),
      before: { name, isActive: false },
      after: { name, isActive: true },
    });
  return activated.map(({ name }) => name);
}
