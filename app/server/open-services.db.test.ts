import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readConfig } from '#platform/config.ts';
import { freshDataDir } from '#tests/support/database/test-database.ts';
import { openServices } from './open-services.ts';

it('a server that is stopped while its background work starts ends in order', async () => {
  const dataDir = await freshDataDir();
  const services = await openServices(readConfig({ DATA_DIR: dataDir, DEMO: 'off', LOG_LEVEL: 'silent' }));
  const starting = services.startBackgroundWork();
  // Without DEMO a new database stays empty: the demo's password is published.
  expect(await services.db.q().selectFrom('users').selectAll().execute()).toEqual([]);
  await services.close();
  await expect(starting).resolves.toBeUndefined();
  rmSync(dataDir, { recursive: true });
});

it('the demo market is ready for its first visitors: nothing of it is left to be counted', async () => {
  const dataDir = await freshDataDir();
  const services = await openServices(readConfig({ DATA_DIR: dataDir, DEMO: 'on', LOG_LEVEL: 'silent' }));
  const q = services.db.q();
  expect(await q.selectFrom('report_events').select('id').execute()).toEqual([]);
  const days = q.selectFrom('report_days').select((day) => day.fn.countAll<number>().as('n'));
  expect(await days.executeTakeFirstOrThrow()).toEqual({ n: expect.toSatisfy((n: number) => n > 1_000) });
  await services.close();
  rmSync(dataDir, { recursive: true });
});
