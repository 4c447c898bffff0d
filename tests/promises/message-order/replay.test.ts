import { expect, it } from 'vitest';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { replayRandomOrders } from './replay.ts';

// R3. The sales of these walks stay in the database, and no provider knows their checkouts: nothing else shares it.

await describeOnDatabase('walks replayed in the database', (open) => {
  it('come to the same as in memory: thirty random orders', async () => {
    const db = await open();
    try {
      expect(await replayRandomOrders(db, { size: 30, seed: 4 })).toEqual({ trials: 30, findings: [] });
    } finally {
      await db.close();
    }
  });
});
