import { afterAll, beforeAll } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createPayoutsHarness } from '#tests/support/providers/payouts-harness.ts';
import { payoutsContract } from '../contract.ts';
import { payoutMethods } from '../port.ts';

await describeOnDatabase('the sandbox pays sellers', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());
  for (const method of payoutMethods)
    payoutsContract(`sandbox, as ${method}`, () => createPayoutsHarness(db, method));
});
