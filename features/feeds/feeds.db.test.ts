import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import type { Database } from '#platform/db/database.ts';
import { NotFound, TooManyRequests } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { feedLimits } from './limits.ts';
import { closingDates, searchFeed } from './reads.ts';
import { signatureOf } from './signature.ts';

await describeOnDatabase('the feed of a saved search', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  it('counts nothing for a wrong signature or a search that was made up, and has a limit for its readers', async () => {
    const ctx = testContext(db, { now: testClock().now });
    const user = await createUser(db, 'buyer');
    const { id: searchId } = await db
      .q()
      .insertInto('saved_searches')
      .values({ user_id: user.id, name: 'Near the lake' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const limits = () => db.q().selectFrom('rate_limits').selectAll().execute();
    const before = await limits();
    const signature = signatureOf(ctx.config, searchId);
    const wrong = '0'.repeat(32);
    for (const asked of [
      { searchId, signature: wrong },
      { searchId: randomUUID(), signature },
    ])
      await expect(searchFeed(ctx, asked)).rejects.toThrow(NotFound);
    expect(await limits()).toEqual(before);
    const [{ limit }] = feedLimits.search;
    for (let read = 0; read < limit; read += 1) await searchFeed(ctx, { searchId, signature });
    await expect(searchFeed(ctx, { searchId, signature })).rejects.toThrow(TooManyRequests);
  });
});

await describeOnDatabase('the calendar of closing dates', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  const checkoutOf = async (saleId: string) => (await scenario.sale(saleId)).provider_session_id ?? '';

  it.each([
    [
      'a problem is reported',
      (saleId: string) => scenario.act(scenario.buyer, saleId, 'report_problem', 'The roof leaks.'),
      (saleId: string) => scenario.act(scenario.buyer, saleId, 'withdraw_problem'),
    ],
    [
      'a cancellation is asked for',
      (saleId: string) => scenario.act(scenario.buyer, saleId, 'request_cancellation', 'We move elsewhere.'),
      (saleId: string) => scenario.act(scenario.seller, saleId, 'decline_cancellation'),
    ],
    [
      "the buyer's bank disputes the payment",
      async (saleId: string) => {
        await disputeSandbox(db, await checkoutOf(saleId), scenario.clock.now());
        await scenario.sync(saleId);
      },
      async (saleId: string) => {
        await closeSandboxDispute(db, await checkoutOf(saleId), 'won', scenario.clock.now());
        await scenario.sync(saleId);
      },
    ],
  ])('has no date of a sale while %s', async (_, block, settle) => {
    const saleId = await scenario.createPaidSale();
    const parties = [scenario.buyer, scenario.seller];
    const shown = async () => {
      const dates = await Promise.all(parties.map((party) => closingDates(scenario.contextFor(party))));
      return dates.map((all) => all.some((date) => date.saleId === saleId));
    };
    expect(await shown()).toEqual([true, true]);
    await block(saleId);
    expect(await shown()).toEqual([false, false]);
    await settle(saleId);
    expect(await shown()).toEqual([true, true]);
  });
});
