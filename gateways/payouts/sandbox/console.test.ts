import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createPayoutsHarness } from '#tests/support/providers/payouts-harness.ts';
import { type PayoutsFixture, payoutRequest, SALE_ID } from '../contract-fixture.ts';
import { type ConsoleAction, performConsoleAction, readPayoutConsole } from './console.ts';

await describeOnDatabase('what developers let happen to payouts at the sandbox', (open) => {
  let db: Database;
  let fixture: PayoutsFixture;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  const act = (action: ConsoleAction, fields: Record<string, string>) =>
    performConsoleAction(db, action, (name) => fields[name] ?? '', fixture.now());
  const read = (search = '') => readPayoutConsole(db, search, fixture.now());

  describe('PayPal', () => {
    beforeEach(async () => {
      fixture = await createPayoutsHarness(db, 'paypal');
      await act('fund', { method: 'paypal', dollars: '$50,000' });
    });

    test('the balance is filled, and less is left of it once a payout is on its way', async () => {
      expect((await read()).balances.paypal.availableCents).toBe(5_000_000);
      const asked = payoutRequest(await fixture.destination(), 1);
      await fixture.port.send(asked);
      const { balances, payouts } = await read();
      expect(balances.paypal.availableCents).toBeLessThan(4_000_000);
      expect(payouts).toMatchObject([{ key: asked.key, status: 'processing', amountCents: 1_000_000 }]);
      for (const found of [SALE_ID, asked.key, ` ${asked.destination} `])
        expect((await read(found)).payouts).toHaveLength(1);
      expect((await read('another')).payouts).toEqual([]);
    });

    test('only what can happen to a payout is offered, and happens to all of its parts or to one', async () => {
      const { key } = payoutRequest('', 1);
      await fixture.port.send(payoutRequest(await fixture.destination(), 1, { amountCents: 3_000_000 }));
      const [before] = (await read()).payouts;
      expect(before?.outcomes).toEqual(['arrive', 'fail', 'hold', 'block', 'unclaim']);
      const [first] = before?.items ?? [];
      await act('settle', { item: first?.ref ?? '', outcome: 'unclaim', messages: 'never' });
      expect((await read()).payouts).toMatchObject([{ status: 'processing', failure: 'unclaimed' }]);
      await act('settle', { key, outcome: 'arrive' });
      const { payouts, messages } = await read();
      expect(payouts).toMatchObject([{ status: 'paid', outcomes: ['return', 'refund', 'reverse'] }]);
      const held = messages.find(({ nextAt }) => nextAt === null);
      expect(messages).toHaveLength(3);
      await act('send_message', { event: held?.eventId ?? '' });
      expect((await read()).messages.every(({ nextAt }) => nextAt !== null)).toBe(true);
      await act('settle', { key, outcome: 'return' });
      expect((await read()).payouts).toMatchObject([{ status: 'failed', failure: 'returned' }]);
    });

    test('refuses what cannot be', async () => {
      const refused: [ConsoleAction, Record<string, string>, string][] = [
        ['fund', { dollars: '-1' }, 'invalid'],
        ['fund', { dollars: '' }, 'invalid'],
        ['settle', { key: 'payout:nothing:1', outcome: 'arrive' }, 'conflict'],
        ['settle', { item: 'nothing', outcome: 'arrive' }, 'not_found'],
        ['settle', { key: 'payout:nothing:1', outcome: 'vanish' }, 'invalid'],
        ['account', { account: 'acct_nothing' }, 'not_found'],
        ['send_message', { event: 'nothing' }, 'not_found'],
      ];
      for (const [action, fields, code] of refused)
        await expect(act(action, fields), action).rejects.toMatchObject({ name: 'PaymentError', code });
    });
  });

  test('an account at Stripe lacks something, gets it, and is paid out', async () => {
    fixture = await createPayoutsHarness(db, 'stripe');
    const account = await fixture.destination();
    await act('fund', { method: 'stripe', dollars: '20000' });
    await fixture.port.send(payoutRequest(account, 1));
    await act('account', { account, requirement: ' Upload a document. ' });
    expect((await read()).accounts).toMatchObject([
      { ref: account, transfersActive: false, requirement: 'Upload a document.', balanceCents: 1_000_000 },
    ]);
    expect((await read()).messages[0]).toMatchObject({ about: account });
    await act('account', { account, requirement: '' });
    await act('pay_out', { account });
    expect((await read()).accounts).toMatchObject([{ transfersActive: true, balanceCents: 0 }]);
  });
});
