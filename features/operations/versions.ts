import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { knownMigrations } from '#platform/db/migrate.ts';

/** What runs. */
export interface Versions {
  /** of Node.js */
  node: string;
  database: string;
  /** the latest migration that has run, and how many have */
  migration: { last: string; count: number };
  /** migrations of this version that have not run */
  waiting: string[];
  /** ISO, UTC */
  processSince: string;
}

/** Reads the versions of what runs, and which migrations have run. */
export async function readVersions(ctx: Ctx): Promise<Versions> {
  const { rows } = await sql<{ version: string; done: string[] }>`
    select current_setting('server_version') as version,
      (select array_agg(name order by name) from kysely_migration) as done`.execute(ctx.db.q());
  const { version = 'unknown', done = [] } = rows[0] ?? {};
  return {
    node: process.versions.node,
    database: `PostgreSQL ${version}${ctx.db.embedded ? ', embedded' : ''}`,
    migration: { last: done.at(-1) ?? 'none', count: done.length },
    waiting: knownMigrations.filter((name) => !done.includes(name)),
    processSince: new Date(ctx.now().getTime() - process.uptime() * 1000).toISOString(),
  };
}
