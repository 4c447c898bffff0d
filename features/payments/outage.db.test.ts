import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { CALL_TIMEOUT_MS } from '#gateways/payments/timeout.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  createSaleScenario,
  failingCall,
  paymentsOf,
  type SaleScenario,
} from '#tests/support/fixtures/sale-scenario.ts';
import { processMessages } from './commands/process-messages.ts';

await describeOnDatabase('messages while a provider is down', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    await db.q().deleteFrom('provider_events').execute();
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  const receive = (refs: readonly string[]) =>
    db
      .q()
      .insertInto('provider_events')
      .values(
        refs.map((ref) => ({
          provider: 'sandbox-card',
          event_id: `evt_${ref}`,
          event_type: 'checkout.session.completed',
          payload: '{}',
          ref,
          received_at: scenario.clock.now(),
          next_attempt_at: scenario.clock.now(),
        })),
      )
      .execute();
  /** A provider that is silent, and what happens while it is waited for. */
  const silent = (meanwhile: (ref: string) => Promise<void> = async () => undefined) => ({
    ...scenario.system,
    payments: paymentsOf({
      ...scenario.payments.forMethod('card'),
      async getCheckout(ref) {
        await meanwhile(ref);
        return failingCall('unavailable')();
      },
    }),
  });

  it('are not taken by another process while they wait for their turn', async () => {
    await receive(Array.from({ length: 100 }, (_, n) => `cs_${n}`));
    const asked = new Set<string>();
    let taken = 0;
    await processMessages(
      silent(async (ref) => {
        if (asked.has(ref)) return;
        asked.add(ref);
        // Four are waited for together.
        if (asked.size % 4 === 0) scenario.clock.advance(CALL_TIMEOUT_MS);
        const { due } = await db
          .q()
          .selectFrom('provider_events')
          .select((count) => count.fn.countAll<number>().as('due'))
          .where('attempts', '>', 0)
          .where('ref', 'not in', [...asked])
          .where('next_attempt_at', '<=', scenario.clock.now())
          .executeTakeFirstOrThrow();
        taken += Number(due);
      }),
    );
    expect(asked.size).toBe(100);
    expect(taken).toBe(0);
  });

  it('are tried again for a day before administrators are asked to look', async () => {
    await receive(['cs_1']);
    const state = async () =>
      (await db.q().selectFrom('provider_events').select('status').executeTakeFirstOrThrow()).status;
    for (let hour = 0; hour < 24; hour++) {
      await processMessages(silent());
      scenario.clock.advance(HOUR);
    }
    expect(await state()).toBe('received');
    await processMessages(silent());
    expect(await state()).toBe('dead');
  });
});
