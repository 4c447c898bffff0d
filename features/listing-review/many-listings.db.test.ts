import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { explained } from '#tests/support/database/explained.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { allListings } from './reads.ts';

const LISTINGS = 5_000;
/** Of equal frequency; no listing has another one. */
const STATUSES = ['rejected', 'Active', 'withdrawn', 'Sold'];

await describeOnDatabase('the list of very many listings', (open) => {
  let db: Database;
  let ctx: Ctx;

  beforeAll(async () => {
    db = await open();
    ctx = testContext(db, { actor: await createUser(db, 'admin') });
    const { agentId } = await createUser(db, 'agent');
    const client = await db.pool.connect();
    try {
      // Without the triggers, which would take a minute.
      await client.query('set session_replication_role = replica');
      await client.query(
        `insert into properties (agent_id, type_id, address, city, state, zip, price_cents, status, created_at)
         select $1, (select min(id) from property_types), n || ' Larkspur Row', 'Port Alder', 'OR', '97031', n,
           ($2::text[])[n % 4 + 1], timestamptz '2026-01-01' + n * interval '1 minute'
         from generate_series(1, ${LISTINGS}) n`,
        [agentId, STATUSES],
      );
      await client.query('set session_replication_role = origin');
    } finally {
      client.release();
    }
    await db.pool.query('analyze');
  }, 60_000);
  afterAll(() => db.close());

  /** The numbers of listings, which are their prices in cents, by status, and the newest first within each. */
  function numbersByStatus(descending: boolean): number[] {
    const statuses = STATUSES.toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase()));
    const newest = Array.from({ length: LISTINGS }, (_, at) => LISTINGS - at);
    return (descending ? statuses.toReversed() : statuses).flatMap((status) =>
      newest.filter((n) => STATUSES[n % 4] === status),
    );
  }

  it.each([true, false])(
    'by status reads no listing of another status (descending: %s)',
    async (descending) => {
      const { result, plans } = await explained(db, 'unnest', (explaining) =>
        allListings({ ...ctx, db: explaining }, { sort: { by: 'status', descending } }),
      );
      const { rows } = result;
      expect(rows.map(({ priceCents }) => priceCents)).toEqual(
        numbersByStatus(descending).slice(0, rows.length),
      );
      expect(rows).toHaveLength(25);
      expect(plans).toHaveLength(1);
      expect(plans[0]).not.toContain('properties_all_newest');
    },
  );

  it.each([true, false])('shows matches by status (descending: %s)', async (descending) => {
    const { rows } = await allListings(ctx, { q: '400', sort: { by: 'status', descending }, size: 50 });
    expect(rows.map(({ priceCents }) => priceCents)).toEqual(
      numbersByStatus(descending).filter((n) => String(n).includes('400')),
    );
  });
});
