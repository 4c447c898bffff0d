import { expect, it } from 'vitest';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { longWalks } from './long-walks.ts';
import { replayRandomOrders } from './replay.ts';
import { walks } from './walks.ts';

// R3: what is tried in memory is what happens in the database. The full size is `npm run soak -- R3`.

await describeOnDatabase('random orders of random walks', (open) => {
  it.each([
    ['short', { walks, deliveries: 2, size: 30 }],
    ['long', { walks: longWalks, deliveries: 5, size: 4 }],
  ])(
    '%s ones come to the same in the database as in memory',
    async (_, options) => {
      const db = await open();
      try {
        const { trials, findings } = await replayRandomOrders(db, { ...options, seed: 4 });
        expect({ trials, findings }).toEqual({ trials: options.size, findings: [] });
      } finally {
        await db.close();
      }
    },
    120_000,
  );
});
