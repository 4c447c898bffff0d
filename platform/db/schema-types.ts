import type { Database } from './database.ts';

interface Column {
  table_name: string;
  column_name: string;
  udt_name: string;
  nullable: boolean;
  has_default: boolean;
  always_generated: boolean;
  allowed: string | null;
}

const scalar: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  bytea: 'Buffer',
  tsvector: 'string',
  xid8: 'string',
  date: 'string',
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  numeric: 'number',
  timestamptz: 'Timestamp',
  jsonb: 'Json',
};

const COLUMNS = `
  select c.relname as table_name, a.attname as column_name, t.typname as udt_name, not a.attnotnull as nullable,
    a.atthasdef or a.attidentity <> '' as has_default,
    a.attgenerated <> '' or a.attidentity = 'a' as always_generated,
    (select pg_get_constraintdef(k.oid) from pg_constraint k where k.conrelid = c.oid and k.contype = 'c'
      and k.conkey = array[a.attnum] and pg_get_constraintdef(k.oid) ~ '= ANY \\(ARRAY\\[''' limit 1) as allowed
  from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'v') and not c.relispartition
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    join pg_type t on t.oid = a.atttypid
  where a.attnum > 0 and not a.attisdropped and c.relname not like 'kysely_%'
  order by c.relname, a.attnum`;

/** Generates the TypeScript types of all tables from a migrated database. */
export async function generateSchemaTypes(database: Database): Promise<string> {
  const { rows } = await database.pool.query<Column>(COLUMNS);
  const tables = Map.groupBy(rows, (column) => column.table_name);
  const lines = [
    '// Written by `npm run db:types` from the migrated schema.',
    "import type { ColumnType, GeneratedAlways } from 'kysely';",
    '',
    'type Generated<T> =',
    '  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;',
    'export type Timestamp = ColumnType<Date, Date | string, Date | string>;',
    'export type Json = ColumnType<unknown, string, string>;',
    '',
  ];
  for (const [table, columns] of tables) {
    lines.push(`export interface ${typeName(table)} {`);
    for (const column of columns) lines.push(`  ${column.column_name}: ${columnType(column)};`);
    lines.push('}', '');
  }
  lines.push('export interface DB {');
  for (const table of tables.keys()) lines.push(`  ${table}: ${typeName(table)};`);
  lines.push('}', '');
  return lines.join('\n');
}

const typeName = (table: string) =>
  `${table.replace(/(^|_)([a-z0-9])/g, (_, _gap, letter: string) => letter.toUpperCase())}Table`;

function columnType(column: Column): string {
  const base = column.udt_name.startsWith('_')
    ? `${plain(column.udt_name.slice(1))}[]`
    : (allowedValues(column.allowed) ?? plain(column.udt_name));
  const type = column.nullable ? `${base} | null` : base;
  if (column.always_generated) return `GeneratedAlways<${type}>`;
  return column.has_default ? `Generated<${type}>` : type;
}

function plain(name: string): string {
  const type = scalar[name];
  if (!type) throw new Error(`No TypeScript type is known for the column type ${name}`);
  return type;
}

const allowedValues = (check: string | null) =>
  check
    ? [...check.matchAll(/'((?:[^']|'')*)'::text/g)].map(([, value]) => `'${value}'`).join(' | ') || null
    : null;
