import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createTranchesHarness } from '#tests/support/providers/sandbox-harness.ts';
import { fixtureRequest } from '../contract-fixture.ts';
import { tranchesContract } from '../contract-tranches.ts';
import { performSandboxAction, readSandboxCheckout, type SandboxAction } from './checkout-page.ts';
import { processDue } from './process-due.ts';
import { sendTranche } from './tranches.ts';

await describeOnDatabase('payments in parts in the sandbox', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  tranchesContract('sandbox-transfers', () => createTranchesHarness(db));

  async function opened(amountCents: number) {
    const harness = await createTranchesHarness(db);
    const lines = [{ name: '1 Long Lane', amountCents }];
    const request = { ...fixtureRequest(harness), amountCents, lines };
    const { ref } = await harness.port.createCheckout(request, 'a');
    const press = (action: SandboxAction) => performSandboxAction(db, ref, action, harness.now());
    const page = async () => {
      const shown = await readSandboxCheckout(db, ref, harness.now());
      if (!shown?.transfer) throw new Error('The page shows no instructions');
      return { ...shown, transfer: shown.transfer };
    };
    return { harness, ref, press, page };
  }

  it('the page says where to send the transfers, what has arrived and what is missing', async () => {
    const { press, page } = await opened(240_000_000);
    expect(await page()).toMatchObject({
      status: 'open',
      actions: ['send', 'send_rest', 'send_too_much'],
      transfer: {
        bank: 'Sandbox Bank',
        routingNumber: expect.stringMatching(/^\d{9}$/),
        accountNumber: expect.stringMatching(/^\d{12}$/),
        reference: expect.stringMatching(/^\w{8}$/),
        receivedCents: 0,
        missingCents: 240_000_000,
        tranches: [],
      },
    });
    expect(await press('send')).toEqual({ ok: true, goTo: null });
    expect(await page()).toMatchObject({
      status: 'processing',
      transfer: { receivedCents: 99_999_999, missingCents: 140_000_001, trancheCents: 99_999_999 },
    });
    await press('send_rest');
    const { status, actions, transfer } = await page();
    expect({ status, actions }).toEqual({ status: 'paid', actions: ['send_late'] });
    expect(transfer.tranches.map(({ amountCents }) => amountCents)).toEqual([
      99_999_999, 99_999_999, 40_000_002,
    ]);
    expect(transfer).toMatchObject({ missingCents: 0 });
  });

  it('sends $1,000.00 too much, and late', async () => {
    const { press, page } = await opened(120_000_000);
    await press('send_too_much');
    await press('send_late');
    const { status, transfer } = await page();
    expect(status).toBe('paid');
    expect(transfer.receivedCents).toBe(120_200_000);
  });

  it('takes neither a card nor more in one transfer than it carries, and does not expire', async () => {
    const { harness, ref, press, page } = await opened(120_000_000);
    for (const action of ['pay', 'pay_later', 'decline', 'expire', 'cancel', 'send_late'] as const)
      expect(await press(action)).toMatchObject({ ok: false });
    await expect(sendTranche(db, ref, 100_000_000, harness.now())).rejects.toMatchObject({ code: 'limit' });
    harness.advance(30 * 86_400_000);
    await processDue(db, harness.now());
    expect(await page()).toMatchObject({ status: 'open' });
    const { ref: other } = await harness.sibling.createCheckout(fixtureRequest(harness), 'b');
    await expect(sendTranche(db, other, 100, harness.now())).rejects.toMatchObject({ code: 'conflict' });
    expect(await performSandboxAction(db, other, 'send', harness.now())).toMatchObject({ ok: false });
  });
});
