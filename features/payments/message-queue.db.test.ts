import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, paymentsOf, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { processMessages } from './commands/process-messages.ts';

/** More than are taken from the queue at once. */
const OTHERS = 60;

await describeOnEachDatabase('messages that wait', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let asked: string[];
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    await db.q().deleteFrom('provider_events').execute();
    scenario = await createSaleScenario(db);
    asked = [];
  });
  afterAll(() => db.close());

  let received = 0;
  const receive = (about: readonly { ref?: string; payment_ref?: string }[]) =>
    db
      .q()
      .insertInto('provider_events')
      .values(
        about.map((refs) => ({
          provider: 'sandbox-card',
          event_id: `evt_queue_${received++}`,
          event_type: 'charge.succeeded',
          payload: '{}',
          received_at: scenario.clock.now(),
          next_attempt_at: scenario.clock.now(),
          ...refs,
        })),
      )
      .execute();
  const process = () => {
    const port = scenario.payments.forMethod('card');
    const payments = paymentsOf({
      ...port,
      getCheckout(ref) {
        asked.push(ref);
        return port.getCheckout(ref);
      },
    });
    return processMessages({ ...scenario.system, payments });
  };
  const statuses = async () =>
    (await db.q().selectFrom('provider_events').select('status').execute()).map(({ status }) => status);

  it('about one payment are answered by one request, however many others wait between them', async () => {
    const listing = await scenario.createListing();
    const { ref } = await scenario.checkout(scenario.buyer, listing);
    await scenario.actOnCheckoutPage(ref, 'pay');
    await db.q().deleteFrom('provider_events').execute();
    const others = Array.from({ length: OTHERS }, (_, n) => ({ ref: `cs_other_${n}` }));
    await receive([{ ref }, ...others, { ref }, { ref }]);
    await process();
    expect(asked.filter((one) => one === ref)).toEqual([ref]);
    const done = await db.q().selectFrom('provider_events').select('status').where('ref', '=', ref).execute();
    expect(done.map(({ status }) => status)).toEqual(['processed', 'processed', 'processed']);
  });

  it('are all answered, whether they name the checkout, the payment alone, or neither', async () => {
    await receive([
      ...Array.from({ length: OTHERS }, () => ({})),
      ...Array.from({ length: OTHERS }, (_, n) => ({ payment_ref: `pi_other_${n % 2}` })),
    ]);
    await process();
    expect(await statuses()).toEqual(Array.from({ length: 2 * OTHERS }, () => 'ignored'));
  });

  it('are not taken before their time with those whose turn it is', async () => {
    await receive([{ payment_ref: 'pi_later' }, { payment_ref: 'pi_later' }]);
    const first = await db.q().selectFrom('provider_events').select('id').orderBy('id').executeTakeFirst();
    await db
      .q()
      .updateTable('provider_events')
      .set({ next_attempt_at: new Date(scenario.clock.now().getTime() + 60_000) })
      .where('id', '=', first?.id ?? 0)
      .execute();
    await process();
    expect((await statuses()).toSorted()).toEqual(['ignored', 'received']);
  });
});
