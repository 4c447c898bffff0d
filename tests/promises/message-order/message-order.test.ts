import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { believingMessages, everyOrder, randomOrders } from './delivery.ts';
import { longWalks, walks } from './walks.ts';

// R3: order, repeats and loss of messages do not matter. The whole size is `npm run soak -- message-order`.

const named = (name: string) => {
  const walk = [...walks, ...longWalks].find((one) => one.name === name);
  if (!walk) throw new Error(`There is no walk ${name}`);
  return walk;
};

describe('messages in any order, repeated and lost (embedded)', { timeout: 180_000 }, () => {
  let db: Database;
  beforeAll(async () => {
    db = await freshDatabase('embedded');
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
    '%s: all %i orders end alike',
    async (name, orders) => {
      const report = await everyOrder(db, named(name), { size: 1_000, seed: 1 });
      expect(report).toEqual({ trials: orders, findings: [] });
    },
    120_000,
  );

  it.each(['dispute won', 'dispute lost', 'closed, then disputed and lost', 'dispute won, then cancelled'])(
    '%s: the first orders of all end alike',
    async (name) => {
      const report = await everyOrder(db, named(name), { size: 40, seed: 2 });
      expect(report).toEqual({ trials: 40, findings: [] });
    },
  );

  it('eight messages, up to five times each, at random while the provider goes on', async () => {
    const report = await randomOrders(db, named('refund fails 4 times after a dispute'), {
      size: 5,
      seed: 3,
    });
    expect(report).toEqual({ trials: 5, findings: [] });
  });

  it('believed in place of the answer of their provider they would matter, and this harness sees it', async () => {
    const walk = named('bank transfer bounces');
    const { findings } = await everyOrder(db, walk, { size: 19, seed: 1, hearing: believingMessages });
    expect(findings[0]).toMatch(/completed\/in_escrow.* instead of failed\/cancelled/);
  });
});
