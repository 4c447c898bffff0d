import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { withoutIdempotencyKeys, withoutTransactions } from '#tests/support/database/crash-injection.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { crashEverywhere } from './crash-everywhere.ts';
import { operationNames, operationOf } from './operations.ts';

// R5: a crash loses nothing and repeats nothing. `npm run soak -- crash-points kill` runs this on PostgreSQL and with real processes.

await describeOnDatabase(
  'a process that crashes at any step',
  (open) => {
    let db: Database;
    beforeAll(async () => {
      db = await open();
    });
    afterAll(() => db.close());

    it.each(operationNames)('%s', async (name) => {
      // Reconciling has hundreds of steps, each of which reconciles twice; all of them are tried by `soak`.
      const every = name === 'reconcile' ? 12 : 1;
      const { trials, findings } = await crashEverywhere(db, operationOf(name), { every });
      expect(findings).toEqual([]);
      expect(trials).toBeGreaterThan(5);
    });

    it.each(['open checkout', 'agree to a cancellation, and refund'])(
      'detects duplicate provider calls when idempotency keys are missing: %s',
      async (name) => {
        const wrap = { payments: withoutIdempotencyKeys };
        const { findings } = await crashEverywhere(db, operationOf(name), { wrap, maxFindings: 1 });
        expect(findings.length).toBeGreaterThan(0);
      },
    );

    it('detects a refund without a cancelled sale when transactions are missing', async () => {
      const wrap = { db: withoutTransactions };
      const operation = operationOf('agree to a cancellation, and refund');
      const { findings } = await crashEverywhere(db, operation, { wrap, maxFindings: 1 });
      expect(findings.length).toBeGreaterThan(0);
    });
  },
  { timeout: 180_000 },
);
