import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { withPayoutPorts } from './faults.ts';
import { payEveryone } from './payouts.ts';

// R5: faults lose no payout and repeat none. The full size is `npm run soak -- payouts`.

await describeOnDatabase(
  'payouts by schedule and by two administrators, with faults of every kind',
  (open) => {
    let db: Database;
    afterEach(() => db.close());

    it('pay each seller once, exactly what the ledger says', async () => {
      db = await open();
      const { counts, ...report } = await payEveryone(db, { size: 12, seed: 20_261_123 });
      expect(report).toEqual({ trials: 12, findings: [] });
      expect(Object.values(counts).every((count) => count > 0)).toBe(true);
    });

    it('are seen to fail with a new idempotency key for every call', async () => {
      db = await open();
      const { findings } = await payEveryone(db, {
        size: 4,
        seed: 1,
        soundDays: 2,
        wrapPayouts: (payouts) =>
          withPayoutPorts(payouts, (port) => ({
            async send(request) {
              const state = await port.send({ ...request, key: `${request.key}:${randomUUID()}` });
              return { ...state, key: request.key };
            },
          })),
      });
      expect(findings.join('\n')).toMatch(/owed \d+, the provider has paid \d+/);
    });
  },
  { timeout: 120_000 },
);
