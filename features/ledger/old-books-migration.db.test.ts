import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { projectRoot } from '#platform/project-root.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { checkLedger } from './reads.ts';

// Books that the product wrote when one account stood for the clearing of all providers: the demo market's, and those of random
// operations.

type Rows = Record<string, object[]>;

const booksOf = (name: string): Rows =>
  JSON.parse(
    gunzipSync(readFileSync(join(projectRoot, 'tests/fixtures/books', `${name}.json.gz`))).toString(),
  ) as Rows;

/** Inserts rows as they were dumped, past the triggers of their tables. */
async function loadRows(db: Database, tables: Rows): Promise<void> {
  await db.tx(async () => {
    await sql`set local session_replication_role = replica`.execute(db.q());
    for (const [table, rows] of Object.entries(tables)) {
      const { rows: columns } = await sql<{
        name: string;
      }>`select quote_ident(attname) as name from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum`.execute(db.q());
      const given = new Set(rows.flatMap((row) => Object.keys(row)));
      const list = sql.raw(
        columns
          .map(({ name }) => name)
          .filter((name) => given.has(name))
          .join(', '),
      );
      if (rows.length > 0)
        await sql`insert into ${sql.table(table)} (${list}) overriding system value
          select ${list} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`.execute(
          db.q(),
        );
    }
    for (const table of ['sale_events', 'ledger_entries', 'ledger_postings'])
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.table(table)}`.execute(
        db.q(),
      );
  });
}

const query = async (db: Database, text: string) => (await db.pool.query(text)).rows;

const byAccount = (db: Database) =>
  query(
    db,
    `select case account when 'provider_clearing' then 'clearing' else account end as account, sum(amount_cents)::bigint as cents
      from ledger_postings group by 1 having sum(amount_cents) <> 0 order by 1`,
  );
const bySale = (db: Database) =>
  query(
    db,
    `select e.sale_id, case p.account when 'provider_clearing' then 'clearing' else p.account end as account,
        sum(p.amount_cents)::bigint as cents
      from ledger_entries e join ledger_postings p on p.entry_id = e.id group by 1, 2 having sum(p.amount_cents) <> 0 order by 1, 2`,
  );
const postings = (db: Database, until: number) =>
  query(
    db,
    `select e.id, e.idempotency_key, e.kind, e.sale_id, e.created_at, p.id as posting, p.account, p.amount_cents
      from ledger_entries e join ledger_postings p on p.entry_id = e.id where e.id <= ${until} order by e.id, p.id`,
  );

describe.each([
  { name: 'demo-market', exceptions: [] },
  // These random operations wrote the row of a refund for a lost dispute, too.
  { name: 'random-bookings', exceptions: ['every refund that was carried out is posted'] },
])('the books of old, $name', ({ name, exceptions }) => {
  it('are reclassified by balanced entries of their own: no sum and no old row changes', async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    const db = await openDatabase({ url: own?.url, dataDir: null });
    try {
      await migrateTo(db, '0020_admin_tasks');
      await loadRows(db, booksOf(name));
      const [{ last }] = await query(db, 'select max(id)::integer as last from ledger_entries');
      const [sums, sales, rows] = [await byAccount(db), await bySale(db), await postings(db, last)];
      await migrate(db);
      expect(await byAccount(db)).toEqual(sums);
      expect(await bySale(db)).toEqual(sales);
      expect(await postings(db, last)).toEqual(rows);
      expect(
        await query(
          db,
          `select account, sum(amount_cents) from ledger_postings where account = 'provider_clearing'
            group by account having sum(amount_cents) <> 0`,
        ),
      ).toEqual([]);
      expect(
        await query(
          db,
          `select id from ledger_postings where account = 'clearing' and provider_account_id is null`,
        ),
      ).toEqual([]);
      const system = testContext(db, { actor: { kind: 'system', name: 'test' } });
      const findings = await checkLedger(system);
      expect(findings.filter(({ check }) => !exceptions.some((one) => one === check))).toEqual([]);
    } finally {
      await db.close();
      await own?.drop();
    }
  });
});
