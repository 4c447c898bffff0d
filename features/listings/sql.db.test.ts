import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Actor, type UserActor, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { keysOf } from '#platform/typed-keys.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { statusLabel } from './display.ts';
import { pageVisibility } from './rules.ts';
import { isPubliclyVisible } from './sql.ts';

const statuses = keysOf(statusLabel);

await describeOnDatabase('the visibility of a property', (open) => {
  let db: Database;
  let seller: UserActor;
  let actors: Record<string, Actor>;
  beforeAll(async () => {
    db = await open();
    seller = await createUser(db, 'agent');
    actors = {
      visitor,
      buyer: await createUser(db, 'buyer'),
      'another seller': await createUser(db, 'agent'),
      seller,
      administrator: await createUser(db, 'admin'),
      'a job': { kind: 'system', name: 'test' },
    };
  });
  afterAll(() => db.close());

  it.each(statuses.flatMap((status) => [false, true].map((suspended) => ({ status, suspended }))))(
    'is the same in SQL and in the rule: $status, seller suspended: $suspended',
    async ({ status, suspended }) => {
      const id = await createListing(db, seller.agentId, { status, seller_suspended: suspended });
      const read = () =>
        db
          .q()
          .selectFrom('properties as p')
          .select(['p.is_public', isPubliclyVisible('p').as('visible')])
          .where('p.id', '=', id)
          .executeTakeFirstOrThrow();
      const { is_public, visible } = await read();
      const listing = { status, isPublic: is_public, seller: { id: seller.agentId ?? '' } };
      for (const [name, actor] of Object.entries(actors)) {
        const always = ['seller', 'administrator', 'a job'].includes(name);
        expect(pageVisibility(actor, listing) === 200, name).toBe(always || visible);
      }
      await db.q().updateTable('properties').set({ deleted_at: new Date() }).where('id', '=', id).execute();
      expect((await read()).visible).toBe(false);
    },
  );
});
