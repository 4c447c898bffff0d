import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { knownMigrations } from '#platform/db/migrate.ts';
import { productVersion } from '#platform/product-version.ts';

/** What runs. */
export interface Versions {
  /** of this program, with the build's mark */
  product: string;
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

// Read once: what is on the disk later, after an update, does not run yet.
const product = productVersion();

/** Reads the versions of what runs, and which migrations have run. */
export async function readVersions(ctx: Ctx): Promise<Versions> {
  const { rows } = await sql<{ version: string; done: string[] }>`
    select current_setting('server_version') as version,
      (select array_agg(name order by name) from kysely_migration) as done`.execute(ctx.db.q());
  const { version = 'unknown', done = [] } = rows[0] ?? {};
  return {
    product:
      product.build === null ? `${product.version}, not built` : `${product.version}, build ${product.build}`,
    node: process.versions.node,
    database: `PostgreSQL ${version}${ctx.db.embedded ? ', embedded' : ''}`,
    migration: { last: done.at(-1) ?? 'none', count: done.length },
    waiting: knownMigrations.filter((name) => !done.includes(name)),
    processSince: new Date(ctx.now().getTime() - process.uptime() * 1000).toISOString(),
  };
}
