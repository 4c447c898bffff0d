import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { crashChainWork } from '#tests/promises/crash-points/crash-chain.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';

await describeOnDatabase('a document and a token on their way to the chain', (open, kind) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it('are there once, whichever statement the process is killed at', async () => {
    // A sample, another one on each database; `npm run soak -- R5` kills it at every statement of both.
    const first = kind === 'server' ? 3 : 1;
    const { trials, findings } = await crashChainWork(db, { first, distance: 4 });
    expect(findings).toEqual([]);
    expect(trials).toBeGreaterThan(10);
  }, 120_000);
});
