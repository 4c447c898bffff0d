import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { everyOrder, randomOrders, trustingMessageTypes } from './delivery.ts';
import { longSequences, sequences } from './sequences.ts';

// R3: order, repeats and loss of messages do not matter. The full size is `npm run soak -- message-order`.

const sequenceNamed = (name: string) => {
  const sequence = [...sequences, ...longSequences].find((one) => one.name === name);
  if (!sequence) throw new Error(`There is no walk ${name}`);
  return sequence;
};

await describeOnDatabase(
  'messages in any order, repeated or lost',
  (open) => {
    let db: Database;
    beforeAll(async () => {
      db = await open();
    });
    afterAll(() => db.close());

    it.each([
      ['paid by card', 3],
      ['paid on the chain', 3],
      ['bank transfer', 19],
      ['bank transfer bounces', 19],
      ['cancelled', 19],
      ['paid late', 271],
    ])(
      '%s: all %i orders have the same result',
      async (name, orders) => {
        const report = await everyOrder(db, sequenceNamed(name), { size: 1_000, seed: 1 });
        expect(report).toEqual({ trials: orders, findings: [] });
      },
      120_000,
    );

    it.each(['dispute won', 'dispute lost', 'closed, then disputed and lost', 'dispute won, then cancelled'])(
      '%s: the first 40 orders have the same result',
      async (name) => {
        const report = await everyOrder(db, sequenceNamed(name), { size: 40, seed: 2 });
        expect(report).toEqual({ trials: 40, findings: [] });
      },
    );

    it('eight messages, up to five times each, in random order while the provider proceeds', async () => {
      const report = await randomOrders(db, sequenceNamed('refund fails 4 times after a dispute'), {
        size: 5,
        seed: 3,
      });
      expect(report).toEqual({ trials: 5, findings: [] });
    });

    it('detects different results when messages are trusted instead of asking the provider', async () => {
      const sequence = sequenceNamed('bank transfer bounces');
      const { findings } = await everyOrder(db, sequence, {
        size: 19,
        seed: 1,
        wrapPayments: trustingMessageTypes,
      });
      expect(findings[0]).toMatch(/completed\/in_escrow.* instead of failed\/cancelled/);
    });
  },
  { timeout: 180_000 },
);
