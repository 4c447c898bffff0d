import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { withoutKeys, withoutTransactions } from '#tests/support/dying-database.ts';
import { crashEverywhere } from './crashes.ts';
import { operationNames, operationOf } from './operations.ts';

// R5: a crash loses nothing and repeats nothing. `npm run soak -- crash-points kill` does it on PostgreSQL and with real processes.

describe('a process that dies at any step (embedded)', { timeout: 180_000 }, () => {
  let db: Database;
  beforeAll(async () => {
    db = await freshDatabase('embedded');
  });
  afterAll(() => db.close());

  it.each(operationNames)('%s', async (name) => {
    const { trials, findings } = await crashEverywhere(db, operationOf(name));
    expect(findings).toEqual([]);
    expect(trials).toBeGreaterThan(5);
  });

  it.each(['open checkout', 'agree to a cancellation, and refund'])(
    'without the same key for the same wish it is seen that a provider does it twice: %s',
    async (name) => {
      const through = { payments: withoutKeys };
      const { findings } = await crashEverywhere(db, operationOf(name), { through, most: 1 });
      expect(findings.length).toBeGreaterThan(0);
    },
  );

  it('without transactions it is seen that the refund is asked for and the sale goes on', async () => {
    const through = { db: withoutTransactions };
    const operation = operationOf('agree to a cancellation, and refund');
    const { findings } = await crashEverywhere(db, operation, { through, most: 1 });
    expect(findings.length).toBeGreaterThan(0);
  });
});
