import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Effect, transitions } from '#features/purchases/transitions.ts';
import type { Database } from '#platform/db/database.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { withoutKeys } from '#tests/support/dying-database.ts';
import { moneyBack } from './histories.ts';

// R2: a buyer is never charged twice and kept. The whole size is `npm run soak -- money-back`.

/** Takes an effect out of the machine while something runs. */
async function withoutEffect<T>(effect: Effect, work: () => Promise<T>): Promise<T> {
  const kept = transitions.map(({ effects }) => effects);
  for (const transition of transitions)
    Object.assign(transition, { effects: transition.effects.filter((one) => one !== effect) });
  try {
    return await work();
  } finally {
    for (const [at, transition] of transitions.entries()) Object.assign(transition, { effects: kept[at] });
  }
}

describe('random histories of two buyers and two houses (embedded)', { timeout: 180_000 }, () => {
  let db: Database;
  beforeAll(async () => {
    db = await freshDatabase('embedded');
  });
  afterAll(() => db.close());

  it('leave every payment with a sale that is kept, or give it back', async () => {
    expect(await moneyBack(db, { size: 60, seed: 20_261_121 })).toEqual({ trials: 60, findings: [] });
  });

  it('without the refund that the machine asks for they are seen not to', async () => {
    const { findings } = await withoutEffect('ask_refund', () =>
      moneyBack(db, { size: 100, seed: 1, shrink: false }),
    );
    expect(findings.join('\n')).toContain('unrefunded');
  });

  it('with another key for every call of a provider they are seen not to', async () => {
    const { findings } = await moneyBack(db, { size: 100, seed: 2, through: withoutKeys, shrink: false });
    expect(findings.join('\n')).toContain('not known as refunded');
  });
});
