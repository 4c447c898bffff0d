import type { Scenario } from './scenario.ts';

/** Does the work while the database lacks a table, so that whatever needs it fails unexpectedly. */
export async function withoutTable({ db }: Scenario, name: string, work: () => Promise<void>): Promise<void> {
  await db.pool.query(`alter table ${name} rename to ${name}_away`);
  try {
    await work();
  } finally {
    await db.pool.query(`alter table ${name}_away rename to ${name}`);
  }
}

/** Does the work while a table has no rows. */
export async function withEmptyTable(
  { db }: Scenario,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  await db.pool.query(
    `alter table ${name} rename to ${name}_away; create table ${name} (like ${name}_away including all)`,
  );
  try {
    await work();
  } finally {
    await db.pool.query(`drop table ${name}; alter table ${name}_away rename to ${name}`);
  }
}
