import { describe, expect, test } from 'vitest';
import { type FakeStripe, startFakeStripe } from '#tests/support/providers/stripe/fake-stripe.ts';
import { fixtureRequest } from '../contract-fixture.ts';
import { type TranchesFixture, tranchesContract } from '../contract-tranches.ts';
import type { CheckoutRequest } from '../port.ts';
import { createStripe } from './provider.ts';
import { createStripeTransfers, partsOf } from './transfers.ts';

const START = new Date('2026-11-20T12:00:00Z');
const CAP = 99_999_999;

async function openFixture(): Promise<TranchesFixture & { double: FakeStripe }> {
  let now = START;
  const double = await startFakeStripe({ now: () => now, refunds: 'pending' });
  const { account, actors } = double.test;
  const { webhookSecret, url: apiBase } = double;
  const { secretKey } = double.test;
  const config = { secretKey, webhookSecret, apiBase, now: () => now, callTimeoutMs: 4_000 };
  return {
    double,
    port: createStripeTransfers(config),
    sibling: createStripe(config),
    booksSurplus: false,
    now: () => now,
    advance(milliseconds) {
      now = new Date(now.getTime() + milliseconds);
    },
    send: async (ref, cents) => actors.transfers.send(ref, cents),
    partsOf: async (refundRef) =>
      [...account.refunds.values()]
        .filter(({ metadata }) => metadata.refund === refundRef)
        .map(({ id }) => id),
    settlePart: async (part) => actors.refunds.settle(part),
    failPart: async (part) => actors.refunds.fail(part),
    async refundInDashboard(ref, amount) {
      const [intent] = actors.transfers.intentsOf(ref);
      const charge = intent && account.chargeOf(intent);
      if (!charge) throw new Error(`${ref} has received nothing`);
      actors.refunds.create(charge, { amount, metadata: {}, reason: 'requested_by_customer' });
    },
    async signedWebhook(ref) {
      const ids = actors.transfers.intentsOf(ref).map(({ id }) => id);
      const event = account.events.findLast(({ type, data }) => {
        const { id, payment_intent: of }: { id?: string; payment_intent?: string } = data.object;
        return !type.startsWith('charge.') && (ids.includes(id ?? '') || ids.includes(of ?? ''));
      });
      if (!event) throw new Error(`Nothing has happened to ${ref}`);
      return double.signedWebhook(event);
    },
    stop: double.stop,
  };
}

tranchesContract('Stripe', openFixture);

describe("Stripe's bank transfers", () => {
  async function opened(amountCents = 240_000_000) {
    const fixture = await openFixture();
    const request: CheckoutRequest = {
      ...fixtureRequest(fixture),
      amountCents,
      lines: [{ name: '1 Long Lane', amountCents }],
    };
    const { ref, url } = await fixture.port.createCheckout(request, 'checkout:a');
    const { account, actors } = fixture.double.test;
    return { ...fixture, request, ref, url, account, intents: actors.transfers.intentsOf(ref) };
  }

  test('a customer stands for the payment, with an intent for each part, each named after the sale', async () => {
    const { account, ref, url, intents, request, stop } = await opened();
    expect(account.customers.get(ref)).toMatchObject({
      email: request.buyerEmail,
      metadata: { sale_id: request.saleId, amount_cents: '240000000' },
    });
    expect(intents.map(({ amount, metadata }) => [amount, metadata.part])).toEqual([
      [80_000_000, '0'],
      [80_000_000, '1'],
      [80_000_000, '2'],
    ]);
    for (const intent of intents)
      expect(intent).toMatchObject({
        metadata: { sale_id: request.saleId },
        transfer_group: `sale_${request.saleId}`,
      });
    expect(url).toContain(intents[0]?.id);
    await stop();
  });

  test.each([
    [50, [50]],
    [CAP, [CAP]],
    [CAP + 1, [50_000_000, 50_000_000]],
    [2 * CAP + 1, [66_666_667, 66_666_666, 66_666_666]],
  ])('%i cents are %j', (cents, parts) => {
    expect(partsOf(cents)).toEqual(parts);
  });

  test('a part that is funded in part is not in our balance, and shows the instructions for what is missing', async () => {
    const { port, ref, send, intents, stop } = await opened();
    await send(ref, 50_000_000);
    expect(await port.getCheckout(ref)).toMatchObject({ status: 'open', tranches: [] });
    expect(await port.balance()).toEqual({ availableCents: 0, pendingCents: 0 });
    await send(ref, 30_000_000);
    const state = await port.getCheckout(ref);
    expect(state).toMatchObject({ status: 'processing', tranches: [{ amountCents: 80_000_000 }] });
    expect(state.url).toContain(intents[1]?.id);
    await stop();
  });

  test('what is funded in part when it is closed, or arrives too much, Stripe returns; our balance never has it', async () => {
    const { port, ref, send, account, stop } = await opened();
    await send(ref, 80_012_345);
    expect(await port.cancelCheckout(ref, 'cancel')).toMatchObject({ status: 'canceled' });
    expect(account.customers.get(ref)?.cashCents).toBe(0);
    await send(ref, 777);
    expect(account.customers.get(ref)?.cashCents).toBe(777);
    await port.refund({ ref, amountCents: 80_000_000, reason: 'late' }, 'refund');
    expect(account.customers.get(ref)?.cashCents).toBe(0);
    expect((await port.balance()).availableCents).toBe(-500);
    await stop();
  });

  test('a payment that completes while it is being closed stays paid', async () => {
    const { port, ref, send, double, stop } = await opened(CAP + 1);
    await send(ref, 50_000_000);
    double.faultSettings.beforeExecute = (line) => {
      if (line.includes('/cancel')) double.test.actors.transfers.send(ref, 50_000_000);
    };
    await expect(port.cancelCheckout(ref, 'cancel')).rejects.toMatchObject({ code: 'conflict' });
    double.faultSettings.beforeExecute = null;
    expect(await port.getCheckout(ref)).toMatchObject({ status: 'paid' });
    await stop();
  });

  test('a payment that was closed by half is open still, and closed when asked again', async () => {
    const { port, ref, double, stop } = await opened();
    double.queuedFaults.push(null, null, null, 500, 500);
    await expect(port.cancelCheckout(ref, 'cancel')).rejects.toMatchObject({ code: 'unavailable' });
    expect(await port.getCheckout(ref)).toMatchObject({ status: 'open' });
    expect(await port.cancelCheckout(ref, 'cancel:again')).toMatchObject({ status: 'canceled' });
    await stop();
  });

  test('a refund that was begun is not told of, and finished when asked for again, also after a day', async () => {
    const { port, ref, send, double, account, advance, stop } = await opened();
    await send(ref, 240_000_000);
    const asked = { ref, amountCents: 240_000_000, reason: 'The sale was canceled' };
    // Customer, intents and the refunds of three, then the first part; the second is lost with its retry.
    double.queuedFaults.push(...Array.from({ length: 6 }, () => null), 500, 500);
    await expect(port.refund(asked, 'refund:a')).rejects.toMatchObject({ code: 'unavailable' });
    expect(account.refunds.size).toBe(1);
    expect((await port.getCheckout(ref)).refunds).toEqual([]);
    advance(2 * 86_400_000);
    expect(await port.refund(asked, 'refund:a')).toMatchObject({
      status: 'pending',
      amountCents: 240_000_000,
    });
    expect(await port.refund(asked, 'refund:a')).toMatchObject({ amountCents: 240_000_000 });
    expect(account.refunds.size).toBe(3);
    await stop();
  });

  test('a customer that stands for no payment is unknown', async () => {
    const { port, account, stop } = await opened();
    const other = {
      object: 'customer',
      created: 0,
      livemode: false,
      email: null,
      metadata: {},
      cashCents: 0,
    } as const;
    account.customers.set('cus_other', { id: 'cus_other', ...other });
    await expect(port.getCheckout('cus_other')).rejects.toMatchObject({ code: 'not_found' });
    await stop();
  });
});
