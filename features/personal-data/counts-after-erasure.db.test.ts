import { afterAll, beforeAll, expect, it } from 'vitest';
import { foldReportEvents } from '#features/reports/commands/fold-events.ts';
import { sumsBetween } from '#features/reports/sums.ts';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { eraseAccount } from './commands/erase-account.ts';

const MONTH = [new Date('2026-01-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z')];

await describeOnDatabase('reports of a past month', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it.each([false, true])(
    'count the watches of an account that is erased since (folded: %s)',
    async (folded) => {
      const system = testContext(db, { actor: { kind: 'system', name: 'jobs' } });
      const watches = async () =>
        (await sumsBetween(system, { metrics: ['watches'], bounds: MONTH })).total('watches');
      const propertyId = await createListing(db, (await createUser(db, 'agent')).agentId);
      const [stays, goes, changesTheirMind] = [
        await createUser(db, 'buyer'),
        await createUser(db, 'buyer'),
        await createUser(db, 'buyer'),
      ];
      const before = await watches();
      const now = () => new Date('2026-01-10T12:00:00Z');
      for (const actor of [stays, goes, changesTheirMind])
        await setWatch(testContext(db, { actor, now }), { propertyId, watched: true });
      if (folded) await foldReportEvents(system);
      expect(await watches()).toBe(before + 3);
      const later = testContext(db, {
        actor: changesTheirMind,
        now: () => new Date(now().getTime() + 60 * DAY),
      });
      await setWatch(later, { propertyId, watched: false });
      await db.tx(() => eraseAccount(system, { id: goes.id, email: 'somebody@acre.test' }));
      if (folded) await foldReportEvents(system);
      const left = db
        .q()
        .selectFrom('property_watches')
        .select('user_id')
        .where('property_id', '=', propertyId);
      expect(await left.execute()).toEqual([{ user_id: stays.id }]);
      expect(await watches()).toBe(before + 2);
    },
  );
});
