import { describe, expect, it } from 'vitest';
import { mainDatabase } from '#tests/support/database/test-database.ts';
import { actors } from './support/access-table.ts';
import { sameOriginForm, startTestApp } from './support/test-app.ts';

describe('the developer pages', () => {
  it('are available to everyone in the demo and in development', async () => {
    const app = await startTestApp({ ACRE_UNDECLARED: 'on' }, await mainDatabase());
    try {
      for (const path of ['/dev/mail', '/dev/payouts', '/dev/ui'])
        for (const as of actors)
          expect([path, as, (await app.call(path, { as })).status]).toEqual([path, as, 200]);
      expect((await app.call('/dev/mail?mail=nothing-of-this-name')).status).toBe(404);
      const fund = sameOriginForm({ intent: 'fund', method: 'paypal', dollars: '12,345.67' });
      expect(await app.call('/dev/payouts?q=a', fund)).toMatchObject({
        status: 303,
        headers: { location: '/dev/payouts?q=a' },
      });
      expect((await app.call('/dev/payouts')).text).toContain('$12,345.67');
      const nothing = await app.call(
        '/dev/payouts',
        sameOriginForm({ intent: 'fund', dollars: 'all of it' }),
      );
      expect([nothing.status, nothing.text.includes('Enter an amount in dollars.')]).toEqual([422, true]);
    } finally {
      await app.close();
    }
  });
});
