import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { migrate, migrateTo } from '#platform/db/migrate.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { searchListings, suggest } from './reads.ts';
import { parseCriteria } from './rules.ts';

describe('listings that were stored before addresses were written in every way', () => {
  let db: Database;
  let close = async () => {};
  const id = randomUUID();
  beforeAll(async () => {
    const own = (await serverIsReachable()) ? await createEmptyDatabase() : null;
    db = await openDatabase({ url: own?.url, dataDir: null });
    close = async () => {
      await db.close();
      await own?.drop();
    };
    await migrateTo(db, '0065_document_origins');
    const agentId = randomUUID();
    await sql`insert into agents (id, name, email) values (${agentId}, 'Ada Seller', 'ada@acre.test')`.execute(
      db.q(),
    );
    await sql`insert into properties (id, agent_id, address, city, state, zip, price_cents, status)
      values (${id}, ${agentId}, '12 N Elm St', 'St. Paul', 'MN', '55101', 100, 'Active')`.execute(db.q());
    await migrate(db);
  });
  afterAll(() => close());

  it('are found by them, and their places are counted once', async () => {
    const ctx = testContext(db);
    const q = '12 North Elm Street, Saint Paul, Minnesota';
    const { rows } = await searchListings(ctx, parseCriteria(new URLSearchParams({ q }), []));
    expect(rows.map((row) => row.id)).toEqual([id]);
    expect((await suggest(ctx, 'saint pa')).map(({ label }) => label)).toEqual(['St. Paul, MN']);
    const { rows: places } = await sql<{ place: string; entries: number }>`
      select place, sum(entries)::integer as entries from search_places group by 1 order by 1`.execute(
      db.q(),
    );
    expect(places).toEqual([
      { place: '=c:saint paul mn|St. Paul, MN', entries: 1 },
      { place: '=c:st paul mn|St. Paul, MN', entries: 1 },
      { place: '=z:55101|55101', entries: 1 },
    ]);
    await sql`update properties set status = 'Sold' where id = ${id}`.execute(db.q());
    const { rows: left } =
      await sql`select place from search_places group by place having sum(entries) <> 0`.execute(db.q());
    expect(left).toEqual([]);
  });
});
