import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import {
  withoutIdempotencyKeys,
  withoutPayoutKeys,
  withoutTransactions,
} from '#tests/support/database/crash-injection.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { crashEverywhere } from './crash-everywhere.ts';
import { operationNames, operationOf } from './operations.ts';

// R5: a crash loses nothing and repeats nothing. `npm run soak -- crash-points kill` runs every point on both databases, and
// kills real processes.

/** Crash points tried of each operation. */
const SAMPLE = 6;

await describeOnDatabase(
  'a process that crashes at any step',
  (open) => {
    let db: Database;
    beforeAll(async () => {
      db = await open();
    });
    afterAll(() => db.close());

    it.each(operationNames)('%s', async (name) => {
      const { trials, findings } = await crashEverywhere(db, operationOf(name), { sample: SAMPLE });
      expect(findings).toEqual([]);
      expect(trials).toBe(SAMPLE);
    });

    it.each(['open checkout, card', 'agree to a cancellation, and refund, crypto'])(
      'detects duplicate provider calls when idempotency keys are missing: %s',
      async (name) => {
        const wrap = { payments: withoutIdempotencyKeys };
        const { findings } = await crashEverywhere(db, operationOf(name), { wrap, maxFindings: 1 });
        expect(findings.length).toBeGreaterThan(0);
      },
    );

    it('detects a seller who is paid twice when idempotency keys are missing', async () => {
      const operation = operationOf('send a payout by Stripe');
      const { findings } = await crashEverywhere(db, operation, {
        wrap: { payouts: withoutPayoutKeys },
        maxFindings: 1,
      });
      expect(findings.length).toBeGreaterThan(0);
    });

    it('detects a refund without a cancelled sale when transactions are missing', async () => {
      const wrap = { db: withoutTransactions };
      const operation = operationOf('agree to a cancellation, and refund, crypto');
      const { findings } = await crashEverywhere(db, operation, { wrap, maxFindings: 1 });
      expect(findings.length).toBeGreaterThan(0);
    });
  },
  { timeout: 180_000 },
);
