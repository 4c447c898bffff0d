import { type RawBuilder, sql } from 'kysely';
import type { Field, FieldContext, Resource } from './model.ts';

/** A record as it is sent. */
export type ResoRecord = Record<string, unknown>;

/** The fields of a record in SQL, each as JSON has it: times to the microsecond, so that replication misses none. */
export function recordColumns(
  resource: Resource,
  select: ReadonlySet<string> | null,
  context: FieldContext,
): RawBuilder<unknown> {
  const fields = resource.fields
    .filter(({ name }) => !select || select.has(name))
    .map((field) => sql`${outSql(field, context)} as ${sql.ref(field.name)}`);
  const collections = resource.collections
    .filter(({ name }) => !select || select.has(name))
    .map((field) => sql`${field.sql} as ${sql.ref(field.name)}`);
  return sql.join([...fields, ...collections]);
}

function outSql(field: Field, context: FieldContext): RawBuilder<unknown> {
  const value = field.sql(context);
  if (field.type === 'DateTimeOffset')
    return sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  if (field.type === 'Date') return sql`to_char(${value}, 'YYYY-MM-DD')`;
  return field.type === 'Decimal' ? sql`(${value})::float8` : value;
}

/** A row as a record, in the order of the metadata. */
export function toRecord(
  resource: Resource,
  select: ReadonlySet<string> | null,
  row: Record<string, unknown>,
): ResoRecord {
  const record: ResoRecord = {};
  for (const { name } of [...resource.fields, ...resource.collections])
    if (!select || select.has(name)) record[name] = row[name] ?? null;
  return record;
}
