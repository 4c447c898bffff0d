import { sql } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { differencesOf, printDatabase } from '../rehearsal/prints.ts';

/** Rows copied at once. */
const BATCH = 1_000;
/** Live events are kept for minutes, and are ordered by numbers that mean something in their own database alone. */
const LEFT_OUT = ['live_events', 'kysely_migration', 'kysely_migration_lock'];

/** The target cannot be used, or the copy is not the same; nothing was changed in either. */
class MoveRefused extends Error {
  override readonly name = 'MoveRefused';
}

interface Column {
  name: string;
  type: string;
}
interface Table {
  name: string;
  columns: Column[];
}

/**
 * Copies everything into an empty database, in one transaction that compares every table in the end: the move of a market from
 * the embedded database to PostgreSQL. Nobody else may write to the source meanwhile. Jobs that wait are copied, and those that
 * are done are not.
 * @returns the number of tables and rows
 * @throws MoveRefused
 */
export async function moveDatabase(
  source: Database,
  target: Database,
): Promise<{ tables: number; rows: number }> {
  if ((await ownTables(target)).length > 0)
    throw new MoveRefused('The target has tables already. Create an empty database for the move.');
  await migrate(target);
  return source.tx(async () => {
    await sql`set local timezone = 'UTC'`.execute(source.q());
    return target.tx(async () => {
      await sql`set local timezone = 'UTC'`.execute(target.q());
      const tables = (await ownTables(target)).filter(({ name }) => !LEFT_OUT.includes(name));
      const restore = await withoutConstraints(target, tables);
      let rows = 0;
      for (const table of tables) {
        await sql`delete from ${sql.table(table.name)}`.execute(target.q());
        rows += await copyTable(source, target, table);
      }
      await copyJobs(source, target);
      await continueNumbers(source, target);
      await restore();
      const [before, after] = [await printDatabase(source), await printDatabase(target)];
      for (const print of [before, after]) for (const name of LEFT_OUT) print.tables.delete(name);
      const differences = differencesOf(before, after);
      if (differences.length > 0)
        throw new MoveRefused(`The copy is not the same: ${differences.join('; ')}`);
      return { tables: tables.length, rows };
    });
  });
}

const columnsOf = sql`json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)`;

/** Our tables with the columns that are written, generated ones left out. */
async function ownTables(db: Database): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select c.relname as name, ${columnsOf} as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition group by 1 order by 1`.execute(
    db.q(),
  );
  return rows;
}

/** Takes off what would refuse or repeat while tables are filled one after the other; returns what puts it back, and so checks it. */
async function withoutConstraints(db: Database, tables: readonly Table[]): Promise<() => Promise<void>> {
  const { rows: keys } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace`.execute(
    db.q(),
  );
  for (const { table, name } of keys)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.id(name)}`.execute(db.q());
  for (const { name } of tables)
    await sql`alter table ${sql.table(name)} disable trigger user`.execute(db.q());
  return async () => {
    for (const { name } of tables)
      await sql`alter table ${sql.table(name)} enable trigger user`.execute(db.q());
    for (const { table, name, definition } of keys)
      await sql`alter table ${sql.table(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(
        db.q(),
      );
  };
}

async function copyTable(
  source: Database,
  target: Database,
  { name, columns }: Table,
  condition = sql`true`,
): Promise<number> {
  // As texts, which every value has, and a null inside of JSON is not taken for a missing value.
  const texts = sql.join(columns.map((column) => sql`${sql.id(column.name)}::text`));
  const list = sql.join(columns.map((column) => sql.id(column.name)));
  const values = sql.join(columns.map(({ type }, at) => sql`(line ->> ${sql.lit(at)})::${sql.raw(type)}`));
  await sql`declare copying no scroll cursor for select json_build_array(${texts})::text as line
    from ${sql.table(name)} where ${condition}`.execute(source.q());
  let copied = 0;
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(BATCH)} from copying`.execute(source.q());
    if (rows.length === 0) break;
    const lines = `[${rows.map(({ line }) => line).join(',')}]`;
    await sql`insert into ${sql.table(name)} (${list}) overriding system value
      select ${values} from json_array_elements(${lines}::json) line`.execute(target.q());
    copied += rows.length;
  }
  await sql`close copying`.execute(source.q());
  return copied;
}

/** Numbers are given on from where the source is, also those of no column of their own, as of receipts: none is given twice. */
async function continueNumbers(source: Database, target: Database): Promise<void> {
  const { rows: sequences } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind = 'S' and relnamespace = 'public'::regnamespace order by 1`.execute(target.q());
  for (const { name } of sequences) {
    const { rows } = await sql<{ last: string; isGiven: boolean }>`
      select last_value::text as last, is_called as "isGiven" from ${sql.table(name)}`.execute(source.q());
    for (const { last, isGiven } of rows)
      await sql`select setval(quote_ident(${name})::regclass, ${last}::bigint, ${isGiven})`.execute(
        target.q(),
      );
  }
}

/** The queues, and the jobs that are still to be done. */
async function copyJobs(source: Database, target: Database): Promise<void> {
  for (const table of ['queue', 'job']) {
    const { rows } = await sql<{ columns: Column[] }>`
      select ${columnsOf} as columns from pg_attribute a where a.attrelid = ${`pgboss.${table}`}::regclass
      and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`.execute(target.q());
    const columns = rows[0]?.columns ?? [];
    await sql`delete from ${sql.table(`pgboss.${table}`)}`.execute(target.q());
    const waiting = table === 'job' ? sql`state < 'completed'` : sql`true`;
    await copyTable(source, target, { name: `pgboss.${table}`, columns }, waiting);
  }
}
