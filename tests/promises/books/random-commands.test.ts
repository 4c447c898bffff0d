import { expect, it } from 'vitest';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { runRandomCommands } from './random-commands.ts';

// R4: the books balance, whatever people, providers and timers do. The full size is `npm run soak -- R4`.

await describeOnDatabase(
  'random operations through the commands',
  (open) => {
    it('keep the books in balance, and every sale where it belongs', async () => {
      const db = await open();
      try {
        expect(await runRandomCommands(db, { size: 150, seed: 1 })).toEqual({ trials: 150, findings: [] });
      } finally {
        await db.close();
      }
    });
  },
  { timeout: 180_000 },
);
