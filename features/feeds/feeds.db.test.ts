import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { NotFound, TooManyRequests } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { feedLimits } from './limits.ts';
import { searchFeed } from './reads.ts';
import { signatureOf } from './signature.ts';

await describeOnDatabase('the feed of a saved search', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it('counts nothing for a wrong signature or a search that was made up, and has a limit for its readers', async () => {
    const ctx = testContext(db, { now: testClock().now });
    const user = await createUser(db, 'buyer');
    const { id: searchId } = await db
      .q()
      .insertInto('saved_searches')
      .values({ user_id: user.id, name: 'Near the lake' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const limits = () => db.q().selectFrom('rate_limits').selectAll().execute();
    const before = await limits();
    const signature = signatureOf(ctx.config, searchId);
    const wrong = '0'.repeat(32);
    for (const asked of [
      { searchId, signature: wrong },
      { searchId: randomUUID(), signature },
    ])
      await expect(searchFeed(ctx, asked)).rejects.toThrow(NotFound);
    expect(await limits()).toEqual(before);
    const [{ limit }] = feedLimits.search;
    for (let read = 0; read < limit; read += 1) await searchFeed(ctx, { searchId, signature });
    await expect(searchFeed(ctx, { searchId, signature })).rejects.toThrow(TooManyRequests);
  });
});
