import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Effect } from '#features/sales/transition.ts';
import { transitions } from '#features/sales/transitions.ts';
import type { Database } from '#platform/db/database.ts';
import { withoutIdempotencyKeys, withoutPayoutKeys } from '#tests/support/database/crash-injection.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { checkRandomHistories } from './random-histories.ts';

// R2: a buyer is never left charged twice. The full size is `npm run soak -- money-back`.

/** Removes an effect from the state machine while `work` runs. */
async function withoutEffect<T>(effect: Effect, work: () => Promise<T>): Promise<T> {
  const savedEffects = transitions.map(({ effects }) => effects);
  for (const transition of transitions)
    Object.assign(transition, { effects: transition.effects.filter((one) => one !== effect) });
  try {
    return await work();
  } finally {
    for (const [at, transition] of transitions.entries())
      Object.assign(transition, { effects: savedEffects[at] });
  }
}

await describeOnDatabase(
  'random histories of two buyers and two properties',
  (open) => {
    let db: Database;
    beforeAll(async () => {
      db = await open();
    });
    afterAll(() => db.close());

    it('leave every payment with a sale that stands, or refund it', async () => {
      expect(await checkRandomHistories(db, { size: 60, seed: 20_261_121 })).toEqual({
        trials: 60,
        findings: [],
      });
    });

    it('are seen to fail without the refund effect', async () => {
      const { findings } = await withoutEffect('ask_refund', () =>
        checkRandomHistories(db, { size: 100, seed: 1, shrink: false }),
      );
      expect(findings.join('\n')).toContain('unrefunded');
    });

    it('are seen to fail with a new idempotency key for every provider call', async () => {
      const { findings } = await checkRandomHistories(db, {
        size: 100,
        seed: 2,
        wrapPayments: withoutIdempotencyKeys,
        faults: ['refund unheard'],
        shrink: false,
      });
      expect(findings.join('\n')).toContain('not known as ours');
    });

    it('are seen to fail when a payout is sent under a new key each time', async () => {
      const { findings } = await checkRandomHistories(db, {
        size: 100,
        seed: 3,
        wrapPayouts: withoutPayoutKeys,
        faults: ['payout unheard'],
        shrink: false,
      });
      expect(findings.join('\n')).toContain('payouts: sale');
    });
  },
  { timeout: 180_000 },
);
