import { beforeEach, describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#platform/durations.ts';
import { accountContract } from './contract-account.ts';
import { booksContract } from './contract-books.ts';
import { disputeContract } from './contract-disputes.ts';
import type { PaymentsFixture, ResponseFault } from './contract-fixture.ts';
import { contractScene, failure, longReasons } from './contract-scene.ts';
import { unpaidContract } from './contract-unpaid.ts';
import type { PaymentErrorCode, PaymentsPort } from './port.ts';

/** Contract tests for every payment provider; `wire: false` skips network faults. */
export function paymentsContract(
  name: string,
  openFixture: () => Promise<PaymentsFixture>,
  { wire = true } = {},
): void {
  describe(`payments: ${name}`, () => {
    unpaidContract(openFixture);
    checkoutContract(openFixture, wire);
    accountContract(openFixture);
    booksContract(openFixture);
    disputeContract(openFixture);
  });
}

function checkoutContract(openFixture: () => Promise<PaymentsFixture>, wire: boolean): void {
  describe('checkouts', () => {
    const scene = contractScene(openFixture);
    const { key, request, open, paid, refund, expectStatus } = scene;
    let fixture: PaymentsFixture;
    let port: PaymentsPort;
    beforeEach(() => {
      ({ fixture, port } = scene);
    });

    const refundKeyOf = (refundKey: string) => (fixture.keepsRefundKeys === false ? null : refundKey);
    const newestMessage = async (ref: string) =>
      port.parseWebhook({ ...(await fixture.signedWebhook(ref)), now: fixture.now() });

    test('the same key and content return the first response, also once it was paid', async () => {
      const asked = request();
      const first = await port.createCheckout(asked, 'sale:a');
      await fixture.pay(first.ref);
      expect(await port.createCheckout(asked, 'sale:a')).toMatchObject({ ref: first.ref });
      fixture.advance(HOUR - MINUTE);
      expect(await port.createCheckout(asked, 'sale:a')).toMatchObject({ ref: first.ref });
    });

    test('open, paid: with fee and proof of payment, and no checkout URL anymore', async () => {
      const ref = await paid();
      const state = await port.getCheckout(ref);
      expect(state).toMatchObject({ status: 'paid', url: null, amountCents: 25_000_000, disputes: [] });
      expect(state.paidWith).toBe(port.method === 'card' ? 'card' : 'chain');
      expect(Number.isInteger(state.feeCents) && Number(state.feeCents) > 0).toBe(true);
      expect(state.feeCents).toBeLessThan(25_000_000);
      if (port.method === 'card') expect(state.paymentRef).toEqual(expect.any(String));
      else
        expect(state).toMatchObject({
          txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          network: expect.any(String),
        });
      await expect(fixture.pay(ref)).rejects.toThrow();
    });

    test('open, processing, paid: a processing payment does not expire', async () => {
      const ref = await open();
      await fixture.payLater(ref);
      expect(await port.getCheckout(ref)).toMatchObject({ status: 'processing', url: null, feeCents: null });
      fixture.advance(2 * HOUR);
      await expectStatus(ref, 'processing');
      await fixture.settle(ref);
      expect(await port.getCheckout(ref)).toMatchObject({
        status: 'paid',
        feeCents: expect.any(Number),
        paidWith: port.method === 'card' ? 'bank' : 'chain',
      });
    });

    test('open, processing, failed', async () => {
      const ref = await open();
      await fixture.payLater(ref);
      await fixture.bounce(ref);
      expect(await port.getCheckout(ref)).toMatchObject({ status: 'failed', url: null, feeCents: null });
      await expect(fixture.settle(ref)).rejects.toThrow();
      await expect(refund(ref, 100)).rejects.toMatchObject(failure('conflict'));
    });

    test('expires on time, and then cannot be paid', async () => {
      const ref = await open();
      fixture.advance(HOUR - 1_000);
      await expectStatus(ref, 'open');
      fixture.advance(2_000);
      expect(await port.getCheckout(ref)).toMatchObject({ status: 'expired', url: null });
      await expect(fixture.pay(ref)).rejects.toThrow();
      await expectStatus(ref, 'expired');
      expect(await port.cancelCheckout(ref, key())).toMatchObject({ ref, status: 'expired' });
    });

    test('a canceled checkout cannot be paid', async () => {
      const ref = await open();
      await port.cancelCheckout(ref, key());
      await expect(fixture.pay(ref)).rejects.toThrow();
      await expect(fixture.payLater(ref)).rejects.toThrow();
      await expectStatus(ref, 'canceled');
    });

    test('cancel conflicts once the payment is processing or paid', async () => {
      const processing = await open();
      await fixture.payLater(processing);
      await expect(port.cancelCheckout(processing, key())).rejects.toMatchObject(failure('conflict'));
      await expectStatus(processing, 'processing');
      const done = await paid();
      await expect(port.cancelCheckout(done, key())).rejects.toMatchObject(failure('conflict'));
      await expectStatus(done, 'paid');
    });

    test('a refund is pending, then succeeds', async () => {
      const ref = await paid();
      const asked = await refund(ref, 25_000_000, 'refund:a');
      expect(asked).toEqual({
        ref: expect.any(String),
        status: 'pending',
        amountCents: 25_000_000,
        key: refundKeyOf('refund:a'),
      });
      expect(await port.getCheckout(ref)).toMatchObject({ status: 'paid', refunds: [asked] });
      await fixture.settleRefund(asked.ref);
      expect(await port.getCheckout(ref)).toMatchObject({
        status: 'paid',
        amountCents: 25_000_000,
        refunds: [{ ...asked, status: 'succeeded' }],
      });
    });

    test('partial refunds cannot exceed the payment; a failed one can be requested again', async () => {
      const ref = await paid();
      const first = await refund(ref, 10_000_000);
      await expect(refund(ref, 15_000_001)).rejects.toMatchObject(failure('limit'));
      const second = await refund(ref, 15_000_000);
      await expect(refund(ref, 1)).rejects.toMatchObject(failure('limit'));
      await fixture.settleRefund(first.ref);
      await fixture.failRefund(second.ref);
      await expect(refund(ref, 15_000_001)).rejects.toMatchObject(failure('limit'));
      const third = await refund(ref, 15_000_000);
      await fixture.settleRefund(third.ref);
      const { refunds } = await port.getCheckout(ref);
      expect(refunds.map(({ ref, status, amountCents }) => ({ ref, status, amountCents }))).toEqual(
        expect.arrayContaining([
          { ref: first.ref, status: 'succeeded', amountCents: 10_000_000 },
          { ref: second.ref, status: 'failed', amountCents: 15_000_000 },
          { ref: third.ref, status: 'succeeded', amountCents: 15_000_000 },
        ]),
      );
      expect(refunds).toHaveLength(3);
    });

    test('a repeated refund is one refund; different content under the same key is a conflict', async () => {
      const ref = await paid();
      const first = await refund(ref, 100, 'refund:a');
      expect(await refund(ref, 100, 'refund:a')).toMatchObject({ ref: first.ref, amountCents: 100 });
      await fixture.settleRefund(first.ref);
      expect(await refund(ref, 100, 'refund:a')).toMatchObject({ ref: first.ref, amountCents: 100 });
      await expect(refund(ref, 101, 'refund:a')).rejects.toMatchObject(failure('conflict'));
      expect((await port.getCheckout(ref)).refunds).toHaveLength(1);
      expect((await refund(ref, 100, 'refund:b')).ref).not.toBe(first.ref);
    });

    test('a refund is made whatever its reason says, and however long it is', async () => {
      const ref = await paid();
      for (const [at, reason] of longReasons.entries()) {
        const asked = { ref, amountCents: 100, reason };
        expect(await port.refund(asked, `refund:${at}`)).toMatchObject({
          status: 'pending',
          amountCents: 100,
        });
      }
    });

    test('rejects refunds of unpaid checkouts, and of invalid amounts', async () => {
      const ref = await open();
      await expect(refund(ref, 100)).rejects.toMatchObject(failure('conflict'));
      await fixture.payLater(ref);
      await expect(refund(ref, 100)).rejects.toMatchObject(failure('conflict'));
      await fixture.settle(ref);
      for (const cents of [0, -1, 0.5, Number.NaN])
        await expect(refund(ref, cents)).rejects.toMatchObject(failure('invalid'));
      expect((await port.getCheckout(ref)).refunds).toEqual([]);
    });

    test('a signed webhook identifies its event and its checkout', async () => {
      const ref = await paid();
      const message = await newestMessage(ref);
      expect(message).toMatchObject({
        eventId: expect.stringMatching(/./),
        type: expect.stringMatching(/./),
        ref,
      });
      expect(await newestMessage(ref)).toEqual(message);
    });

    test('each event has a unique id and names the checkout or its payment', async () => {
      const ref = await open();
      const seen: string[] = [];
      const take = async () => {
        const message = await newestMessage(ref);
        const { paymentRef } = await port.getCheckout(ref);
        expect(message.ref === ref || (message.ref === null && message.paymentRef === paymentRef)).toBe(true);
        seen.push(message.eventId);
      };
      await fixture.payLater(ref);
      await fixture.settle(ref);
      await take();
      const refunds = [await refund(ref, 100), await refund(ref, 200)] as const;
      await fixture.settleRefund(refunds[0].ref);
      await take();
      await fixture.failRefund(refunds[1].ref);
      await take();
      if (fixture.banks) {
        await fixture.banks.dispute(ref);
        await take();
      }
      const lost = await paid();
      seen.push((await newestMessage(lost)).eventId);
      expect(new Set(seen).size).toBe(seen.length);
    });

    test('rejects webhooks that were tampered with, are unsigned or have a wrong timestamp', async () => {
      const ref = await paid();
      const { rawBody, headers } = await fixture.signedWebhook(ref);
      const now = fixture.now();
      const refused = expect.objectContaining(failure('bad_signature'));
      const parse = (change: { rawBody?: Uint8Array; headers?: Headers; now?: Date }) =>
        port.parseWebhook({ rawBody, headers, now, ...change });
      expect(() => parse({ rawBody: rawBody.with(10, (rawBody.at(10) ?? 0) ^ 1) })).toThrow(refused);
      expect(() => parse({ rawBody: new Uint8Array() })).toThrow(refused);
      expect(() => parse({ headers: new Headers({ 'content-type': 'application/json' }) })).toThrow(refused);
      for (const seconds of [-310, 310, -86_400, 86_400])
        expect(() => parse({ now: new Date(now.getTime() + seconds * 1000) })).toThrow(refused);
      expect(() => parse({ now: new Date(now.getTime() + 280_000) })).not.toThrow();
      const other = await fixture.signedWebhook(ref, 'whsec_another_secret_of_somebody_else');
      expect(() => parse(other)).toThrow(refused);
    });

    if (!wire) return;
    const faults: [ResponseFault, PaymentErrorCode][] = [
      ['reset', 'unavailable'],
      ['silence', 'unavailable'],
      [500, 'unavailable'],
      [429, 'rate_limited'],
      ['garbage', 'unavailable'],
      ['half', 'unavailable'],
    ];
    test.for(faults)(
      'a response broken by %s is %s, and can be retried safely with the same key',
      async ([kind, code]) => {
        const { sabotage } = fixture;
        if (!sabotage) throw new Error('The harness cannot spoil answers');
        const ref = await paid();
        const asked = request();
        await sabotage(kind);
        const lost = failure(code);
        await expect(port.createCheckout(asked, 'sale:a')).rejects.toMatchObject(lost);
        await expect(port.getCheckout(ref)).rejects.toMatchObject(lost);
        await expect(refund(ref, 25_000_000, 'refund:a')).rejects.toMatchObject(lost);
        await expect(port.check()).rejects.toMatchObject(lost);
        await sabotage(null);
        const again = await port.createCheckout(asked, 'sale:a');
        await expectStatus(again.ref, 'open');
        await refund(ref, 25_000_000, 'refund:a');
        expect((await port.getCheckout(ref)).refunds).toHaveLength(1);
      },
    );
  });
}
