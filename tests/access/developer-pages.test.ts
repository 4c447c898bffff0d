import { describe, expect, it } from 'vitest';
import { mainDatabase } from '#tests/support/database/test-database.ts';
import { actors } from './support/access-table.ts';
import { startTestApp } from './support/test-app.ts';

describe('the developer pages', () => {
  it('are available to everyone in the demo and in development', async () => {
    const app = await startTestApp({ ACRE_UNDECLARED: 'on' }, await mainDatabase());
    try {
      for (const path of ['/dev/mail', '/dev/payouts', '/dev/ui'])
        for (const as of actors)
          expect([path, as, (await app.call(path, { as })).status]).toEqual([path, as, 200]);
      expect((await app.call('/dev/mail?mail=nothing-of-this-name')).status).toBe(404);
    } finally {
      await app.close();
    }
  }, 60_000);
});
