import { sql } from 'kysely';
import type { Database } from '#platform/db/database.ts';

/** A change of one row, or a truncated table. */
export interface Change {
  /** with its schema; of a partitioned table, the partition */
  table: string;
  operation: 'INSERT' | 'UPDATE' | 'DELETE' | 'TRUNCATE';
  /** the new row, of a deleted one the old row; null when truncated */
  row: Record<string, unknown> | null;
}

/** Attempt counters are not business data: a refused attempt counts too. */
const IGNORED_TABLES = ['public.rate_limits'];

/**
 * Makes a test database log every changed row of every table, the job queue's included, from now on. The log is a table, so
 * that a change that is rolled back leaves no entry; entries are only added, so that transactions do not wait for each other.
 * Row triggers, because those of a statement fire even when it changes nothing. Partitions inherit those of their parent.
 */
export async function logChanges(db: Database): Promise<void> {
  await db.pool.query(`
    create schema change_log;
    create unlogged table change_log.changes (
      xid xid8 not null default pg_current_xact_id(), "table" text not null, operation text not null, "row" jsonb);
    create index on change_log.changes (xid);
    create function change_log.add() returns trigger language plpgsql as $$
    begin
      insert into change_log.changes ("table", operation, "row") values
        (tg_table_schema || '.' || tg_table_name, tg_op, case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end);
      return null;
    end $$;
    do $$
    declare one record;
    begin
      for one in ${PRODUCT_TABLES} loop
        execute format('create trigger zz_log_truncate after truncate on %s
          for each statement execute function change_log.add()', one.name);
        continue when one.is_partition;
        execute format('create trigger zz_log_row after insert or update or delete on %s
          for each row execute function change_log.add()', one.name);
      end loop;
    end $$`);
}

const PRODUCT_TABLES = `select c.oid::regclass as name, c.relispartition as is_partition
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname not like 'pg\\_%' and n.nspname not in ('information_schema', 'change_log')`;

/** What is committed by now, as a point from which to ask `changesSince`. */
export async function now(db: Database): Promise<string> {
  const { rows } = await sql<{ now: string }>`select pg_current_snapshot()::text as now`.execute(db.q());
  return rows[0]?.now ?? '';
}

/** The changes committed since a point in time, whenever their transactions began. */
export async function changesSince(db: Database, point: string): Promise<Change[]> {
  const { rows } = await sql<Change>`select "table", operation, "row" from change_log.changes
    where xid >= pg_snapshot_xmin(${point}::pg_snapshot) and not pg_visible_in_snapshot(xid, ${point}::pg_snapshot)
      and "table" <> all(${IGNORED_TABLES}::text[])`.execute(db.q());
  return rows;
}

/** The changes since a point in time, of the job queue the jobs that were added: its counters change by themselves. */
export async function changesByRequestsSince(db: Database, point: string): Promise<Change[]> {
  const changes = await changesSince(db, point);
  return changes.filter(({ table, operation, row }) => {
    if (!table.startsWith('pgboss.')) return true;
    const added = isJob(table) || table === 'pgboss.queue';
    return added && operation === 'INSERT' && !String(row?.name).startsWith('__pgboss__');
  });
}

const isJob = (table: string) => /^pgboss\.job/.test(table);
