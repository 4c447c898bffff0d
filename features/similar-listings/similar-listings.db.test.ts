import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { SIMILAR_SHOWN, similarListings } from './reads.ts';

await describeOnDatabase('similar listings', (open) => {
  let db: Database;
  let seller: UserActor;
  beforeAll(async () => {
    db = await open();
    seller = await createUser(db, 'agent');
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    await sql`delete from properties`.execute(db.q());
  });

  const at = { latitude: 45.7, longitude: -121.5 };
  const add = (address: string, facts: Parameters<typeof createListing>[2] = {}) =>
    createListing(db, seller.agentId, {
      price_cents: 500_000_00,
      ...at,
      address: `${address} Road`,
      ...facts,
    });
  const found = async (id: string) =>
    (await similarListings(testContext(db), id)).map((card) => card.address.replace(' Road', ''));

  it('are of the type, at most twice and at least half its price, and public', async () => {
    const id = await add('subject');
    const lot = await db
      .q()
      .selectFrom('property_types')
      .select('id')
      .where('slug', '=', 'vacant-lot')
      .executeTakeFirstOrThrow();
    await add('half', { price_cents: 250_000_00 });
    await add('twice', { price_cents: 1_000_000_00 });
    await add('too cheap', { price_cents: 249_999_99 });
    await add('too dear', { price_cents: 1_000_000_01 });
    await add('lot', { type_id: lot.id });
    await add('pending', { status: 'pending' });
    await add('sold', { status: 'Sold' });
    await add('far', { state: 'NV' });
    expect((await found(id)).sort()).toEqual(['half', 'twice']);
  });

  it('come by price and distance together, those of the city first, and fill up from the state', async () => {
    const id = await add('subject');
    await add('near and dearer', { price_cents: 540_000_00 });
    await add('same price, 5 miles', { latitude: 45.772 });
    await add('same price, next door', { latitude: 45.7001 });
    await add('other city, same price', { city: 'Bend', latitude: 44.05 });
    await add('other city, nearer', { city: 'Mosier', latitude: 45.69 });
    expect(await found(id)).toEqual([
      'same price, next door',
      'near and dearer',
      'same price, 5 miles',
      'other city, nearer',
      'other city, same price',
    ]);
  });

  it('are found without a type, and where positions are unknown', async () => {
    const id = await add('subject', { type_id: null, latitude: null, longitude: null });
    await add('also none', { type_id: null });
    await add('a house');
    expect(await found(id)).toEqual(['also none']);
  });

  it('are at most six', async () => {
    const id = await add('subject');
    for (let number = 0; number < 9; number += 1) await add(`other ${number}`);
    expect(await found(id)).toHaveLength(SIMILAR_SHOWN);
  });

  describe('reading', () => {
    it('follows the partial indexes', async () => {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select id from properties c
        where c.is_public and c.type_id = 2 and lower(c.state) = 'or' and lower(c.city) = 'bend' and c.price_cents between 1 and 2
        order by c.price_cents, c.id limit 24`.execute(db.q());
      expect(JSON.stringify(rows)).toContain('properties_similar_');
    });
  });
});
