import { expect, it } from 'vitest';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { replayRandomOrders } from './replay.ts';

// R3: what is tried exhaustively in memory is what happens in the database. The full size is `npm run soak -- message-order`.

await describeOnDatabase('random orders of random walks', (open) => {
  it('come to the same in the database as in memory', async () => {
    const db = await open();
    try {
      expect(await replayRandomOrders(db, { size: 30, seed: 4 })).toEqual({ trials: 30, findings: [] });
    } finally {
      await db.close();
    }
  }, 120_000);
});
