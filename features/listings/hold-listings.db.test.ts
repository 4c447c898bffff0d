import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { holdListingsOfSeller } from './hold-listings.ts';

await describeOnDatabase('the hold on the listings of a seller', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  /** The listings that the current transaction has locked, as PostgreSQL notes in their rows. */
  async function heldNow(): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      select id from properties where xmax = pg_current_xact_id()::xid order by id`.execute(db.q());
    return rows.map(({ id }) => id);
  }

  it('takes all of theirs, and leaves those of others free', async () => {
    const [seller, other] = [await createUser(db, 'agent'), await createUser(db, 'agent')];
    const own = [await createListing(db, seller.agentId), await createListing(db, seller.agentId)];
    await createListing(db, other.agentId);
    const held = await db.tx(async () => {
      await holdListingsOfSeller(testContext(db), String(seller.agentId));
      return heldNow();
    });
    expect(held).toEqual(own.sort());
  });
});
