import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { isMigrated } from '#platform/db/migrate.ts';
import { describeOnEachDatabase } from './test-database.ts';

await describeOnEachDatabase('a fresh database', (open, kind) => {
  let first: Database;
  let second: Database;
  beforeAll(async () => {
    first = await open();
    second = await open();
  });
  afterAll(() => Promise.all([first.close(), second.close()]));

  it('has the whole schema and its seed rows', async () => {
    expect(await isMigrated(first)).toBe(true);
    expect(await first.q().selectFrom('property_types').select('name').execute()).toHaveLength(7);
    expect(first.embedded).toBe(kind === 'embedded');
  });

  it('shares nothing with another database', async () => {
    await first.q().insertInto('property_types').values({ name: 'Houseboat', slug: 'houseboat' }).execute();
    expect(await second.q().selectFrom('property_types').select('name').execute()).toHaveLength(7);
  });
});
