import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  createSandboxHarness,
  SANDBOX_SECRET,
  sandboxEvents,
} from '#tests/support/providers/sandbox-harness.ts';
import { paymentsContract } from '../contract.ts';
import { fixtureRequest, type PaymentsFixture } from '../contract-fixture.ts';
import type { CheckoutRequest } from '../port.ts';
import { performSandboxAction, readSandboxCheckout } from './checkout-page.ts';
import { closeSandboxDispute, disputeSandbox } from './disputes.ts';
import { processDue } from './process-due.ts';
import { createSandbox } from './provider.ts';
import { payExpiredCrypto } from './settlement.ts';

const failure = (code: string) => ({ name: 'PaymentError', code });

await describeOnDatabase('sandbox', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  paymentsContract('sandbox-card', () => createSandboxHarness(db, 'card'), { wire: false });
  paymentsContract('sandbox-crypto', () => createSandboxHarness(db, 'crypto'), { wire: false });

  describe('sandbox specifics', () => {
    let card: PaymentsFixture;
    let crypto: PaymentsFixture;
    let keys = 0;
    beforeEach(async () => {
      card = await createSandboxHarness(db, 'card');
      crypto = await createSandboxHarness(db, 'crypto');
    });
    const opened = async (harness: PaymentsFixture, change: Partial<CheckoutRequest> = {}) =>
      (await harness.port.createCheckout(fixtureRequest(harness, change), `key:${++keys}`)).ref;
    const paid = async (harness: PaymentsFixture) => {
      const ref = await opened(harness);
      await harness.pay(ref);
      return ref;
    };
    const refundPayment = (harness: PaymentsFixture, ref: string, amountCents: number) =>
      harness.port.refund({ ref, amountCents, reason: 'canceled' }, `key:${++keys}`);
    const typesOf = async (ref: string) =>
      (await sandboxEvents(db)).filter((event) => event.ref === ref).map(({ type }) => type);

    it('rejects calls inside a transaction', async () => {
      const ref = await opened(card);
      const { port, now } = card;
      const calls = [
        () => port.createCheckout(fixtureRequest(card), 'inside'),
        () => port.getCheckout(ref),
        () => port.cancelCheckout(ref, 'inside'),
        () => refundPayment(card, ref, 100),
        () => port.check(),
        () => performSandboxAction(db, ref, 'pay', now()),
      ];
      for (const call of calls)
        await expect(db.tx(async () => call())).rejects.toThrow('called inside a transaction');
      expect((await port.getCheckout(ref)).status).toBe('open');
    });

    it('opens one checkout and refunds once for concurrent calls with the same key', async () => {
      const asked = fixtureRequest(card);
      const both = await Promise.all([1, 2, 3].map(() => card.port.createCheckout(asked, 'same')));
      expect(new Set(both.map(({ ref }) => ref)).size).toBe(1);
      const [{ ref } = { ref: '' }] = both;
      await card.pay(ref);
      const request = { ref, amountCents: 100, reason: 'canceled' };
      await Promise.all([1, 2, 3].map(() => card.port.refund(request, 'back')));
      expect((await card.port.getCheckout(ref)).refunds).toHaveLength(1);
    });

    it('binds a key to its operation; rejected requests do not use it up; payment methods do not share keys', async () => {
      const ref = await paid(card);
      const bad = fixtureRequest(card, { amountCents: 1, lines: [{ name: 'House', amountCents: 1 }] });
      await expect(card.port.createCheckout(bad, 'one')).rejects.toMatchObject(failure('limit'));
      await card.port.createCheckout(fixtureRequest(card), 'one');
      await expect(card.port.cancelCheckout(ref, 'one')).rejects.toMatchObject(failure('conflict'));
      const request = { ref, amountCents: 100, reason: 'canceled' };
      await expect(card.port.refund(request, 'one')).rejects.toMatchObject(failure('conflict'));
      await expect(crypto.port.createCheckout(fixtureRequest(crypto), 'one')).resolves.toBeDefined();
      for (const key of ['', ' ', 'x'.repeat(256)])
        await expect(card.port.createCheckout(fixtureRequest(card), key)).rejects.toMatchObject(
          failure('invalid'),
        );
    });

    it('rejects invalid return URLs and a missing buyer e-mail', async () => {
      for (const change of [
        { successUrl: '/buyer/transactions' },
        { cancelUrl: 'javascript:alert(1)' },
        { buyerEmail: '' },
      ])
        await expect(opened(card, change), JSON.stringify(change)).rejects.toMatchObject(failure('invalid'));
    });

    it('keeps the payment methods separate', async () => {
      const ref = await opened(card);
      await expect(crypto.port.getCheckout(ref)).rejects.toMatchObject(failure('not_found'));
      await expect(crypto.port.cancelCheckout(ref, 'other')).rejects.toMatchObject(failure('not_found'));
      expect(crypto.port.provider).toBe('sandbox-crypto');
    });

    it('is unavailable when its database is unavailable', async () => {
      const gone = { ...db, tx: async () => Promise.reject(new Error('connection refused')) };
      const { now } = card;
      const port = createSandbox({
        db: gone,
        method: 'card',
        secret: SANDBOX_SECRET,
        now,
        publicUrl: 'http://x',
      });
      await expect(port.check()).rejects.toMatchObject({ ...failure('unavailable'), retryable: true });
    });

    it('exactly one of concurrent payment and cancellation succeeds', async () => {
      for (let round = 0; round < 8; round++) {
        const ref = await opened(card);
        const [canceled, result] = await Promise.all([
          card.port.cancelCheckout(ref, `race:${round}`).then(
            () => true,
            (error) => {
              expect(error).toMatchObject(failure('conflict'));
              return false;
            },
          ),
          performSandboxAction(db, ref, 'pay', card.now()),
        ]);
        expect(result.ok).toBe(!canceled);
        expect((await card.port.getCheckout(ref)).status).toBe(canceled ? 'canceled' : 'paid');
        expect(await typesOf(ref)).toHaveLength(1);
      }
    });

    it('shows a checkout to its payer', async () => {
      const ref = await opened(card);
      const asked = fixtureRequest(card);
      const { saleId: _, ...shown } = asked;
      expect(await readSandboxCheckout(db, ref, card.now())).toEqual({
        ...shown,
        ref,
        method: 'card',
        status: 'open',
        notice: null,
        settleAt: null,
        transfer: null,
        actions: ['pay', 'pay_later', 'decline', 'expire', 'cancel'],
      });
      const goTo = asked.successUrl;
      expect(await performSandboxAction(db, ref, 'pay', card.now())).toEqual({ ok: true, goTo });
      expect(await readSandboxCheckout(db, ref, card.now())).toMatchObject({ status: 'paid', actions: [] });
      const again = await performSandboxAction(db, ref, 'pay', card.now());
      expect(again).toEqual({ ok: false, reason: 'This checkout is paid.' });
      expect(await readSandboxCheckout(db, 'nothing', card.now())).toBeNull();
      expect(await performSandboxAction(db, "'; --", 'pay', card.now())).toEqual({
        ok: false,
        reason: 'There is no such checkout.',
      });
    });

    it('a declined card leaves the checkout open; a declined wallet payment ends it', async () => {
      const ref = await opened(card);
      expect(await performSandboxAction(db, ref, 'decline', card.now())).toEqual({ ok: true, goTo: null });
      expect(await readSandboxCheckout(db, ref, card.now())).toMatchObject({
        status: 'open',
        notice: 'The card was declined. Try another one.',
      });
      expect(await typesOf(ref)).toEqual([]);
      await card.pay(ref);
      expect(await readSandboxCheckout(db, ref, card.now())).toMatchObject({ status: 'paid', notice: null });
      const wallet = await opened(crypto);
      const { cancelUrl } = fixtureRequest(crypto);
      expect(await performSandboxAction(db, wallet, 'decline', crypto.now())).toEqual({
        ok: true,
        goTo: cancelUrl,
      });
      expect((await crypto.port.getCheckout(wallet)).status).toBe('failed');
      expect(await typesOf(wallet)).toEqual(['checkout.payment.failed']);
    });

    it('leaving the page closes nothing; the expire button does', async () => {
      const ref = await opened(card);
      const { cancelUrl } = fixtureRequest(card);
      expect(await performSandboxAction(db, ref, 'cancel', card.now())).toEqual({
        ok: true,
        goTo: cancelUrl,
      });
      expect((await card.port.getCheckout(ref)).status).toBe('open');
      expect(await performSandboxAction(db, ref, 'expire', card.now())).toEqual({ ok: true, goTo: null });
      expect((await card.port.getCheckout(ref)).status).toBe('expired');
      expect(await performSandboxAction(db, ref, 'cancel', card.now())).toEqual({
        ok: true,
        goTo: cancelUrl,
      });
    });

    it('rejects a bank transfer over the limit of a new account, and still accepts a card', async () => {
      const harness = await createSandboxHarness(db, 'card', { bankDebitMaxCents: 600_000 });
      const ref = await opened(harness);
      expect((await readSandboxCheckout(db, ref, harness.now()))?.actions).toEqual([
        'pay',
        'decline',
        'expire',
        'cancel',
      ]);
      expect(await performSandboxAction(db, ref, 'pay_later', harness.now())).toEqual({
        ok: true,
        goTo: null,
      });
      expect(await readSandboxCheckout(db, ref, harness.now())).toMatchObject({
        status: 'open',
        notice: 'This bank transfer is over the limit of the account.',
      });
      const small = { amountCents: 600_000, lines: [{ name: 'Lot', amountCents: 600_000 }] };
      const smallRef = await opened(harness, small);
      expect((await readSandboxCheckout(db, smallRef, harness.now()))?.actions).toContain('pay_later');
      await harness.payLater(smallRef);
      await harness.pay(ref);
    });

    it('an expired crypto checkout can still be paid late, any other cannot', async () => {
      const ref = await opened(crypto);
      await expect(payExpiredCrypto(db, ref, crypto.now())).rejects.toMatchObject(failure('conflict'));
      crypto.advance(2 * HOUR);
      await processDue(db, crypto.now());
      await payExpiredCrypto(db, ref, crypto.now());
      expect(await crypto.port.getCheckout(ref)).toMatchObject({ status: 'paid', feeCents: 312_500 });
      expect(await typesOf(ref)).toEqual(['checkout.payment.expired', 'checkout.payment.success']);
      const other = await opened(card);
      card.advance(2 * HOUR);
      await expect(payExpiredCrypto(db, other, card.now())).rejects.toMatchObject(failure('conflict'));
    });

    it('a bank transfer can be returned for 60 days and cannot be contested', async () => {
      const ref = await opened(card);
      await card.payLater(ref);
      await card.settle(ref);
      expect(await card.port.getCheckout(ref)).toMatchObject({ feeCents: 500 });
      card.advance(60 * DAY);
      await disputeSandbox(db, ref, card.now(), { reason: 'debit_not_authorized' });
      const { disputes } = await card.port.getCheckout(ref);
      const lost = { status: 'lost', reason: 'debit_not_authorized', evidenceDueAt: null };
      expect(disputes).toMatchObject([lost]);
      const expectedTypes = ['charge.dispute.created', 'charge.dispute.closed'];
      expect((await typesOf(ref)).slice(-2)).toEqual(expectedTypes);
      const older = await opened(card);
      await card.payLater(older);
      await card.settle(older);
      card.advance(60 * DAY + 1);
      await expect(disputeSandbox(db, older, card.now())).rejects.toMatchObject(failure('conflict'));
    });

    it('a disputed card payment cannot be refunded unless the dispute was won', async () => {
      const ref = await paid(card);
      await disputeSandbox(db, ref, card.now());
      const { disputes } = await card.port.getCheckout(ref);
      expect(disputes).toMatchObject([{ evidenceDueAt: expect.any(Date) }]);
      await expect(refundPayment(card, ref, 100)).rejects.toMatchObject(failure('conflict'));
      await expect(disputeSandbox(db, ref, card.now())).rejects.toMatchObject(failure('conflict'));
      await closeSandboxDispute(db, ref, 'won', card.now());
      await expect(closeSandboxDispute(db, ref, 'lost', card.now())).rejects.toMatchObject(
        failure('conflict'),
      );
      await refundPayment(card, ref, 100);
      await expect(disputeSandbox(db, await paid(crypto), crypto.now())).rejects.toMatchObject(
        failure('conflict'),
      );
    });

    it('a succeeded card refund can still fail, a crypto refund cannot', async () => {
      const [ref, chain] = [await paid(card), await paid(crypto)];
      const refund = await refundPayment(card, ref, 25_000_000);
      await card.settleRefund(refund.ref);
      await expect(card.settleRefund(refund.ref)).rejects.toMatchObject(failure('conflict'));
      await card.failRefund(refund.ref);
      expect((await card.port.getCheckout(ref)).refunds).toMatchObject([{ status: 'failed' }]);
      expect((await typesOf(ref)).slice(-2)).toEqual(['refund.updated', 'refund.failed']);
      await refundPayment(card, ref, 25_000_000);
      const sent = await refundPayment(crypto, chain, 100);
      await crypto.settleRefund(sent.ref);
      await expect(crypto.failRefund(sent.ref)).rejects.toMatchObject(failure('conflict'));
      await expect(card.settleRefund('nothing')).rejects.toMatchObject(failure('not_found'));
    });

    it('expires, settles and refunds as time passes, with one webhook each', async () => {
      const [open, later] = [await opened(card), await opened(crypto)];
      await crypto.payLater(later);
      const refunded = await paid(card);
      await refundPayment(card, refunded, 100);
      const pass = async (milliseconds: number) => {
        card.advance(milliseconds);
        await Promise.all([processDue(db, card.now()), processDue(db, card.now())]);
      };
      await pass(4_999);
      expect((await card.port.getCheckout(refunded)).refunds).toMatchObject([{ status: 'pending' }]);
      await pass(1);
      expect((await card.port.getCheckout(refunded)).refunds).toMatchObject([{ status: 'succeeded' }]);
      expect((await crypto.port.getCheckout(later)).status).toBe('processing');
      await pass(55_000);
      expect((await crypto.port.getCheckout(later)).status).toBe('paid');
      expect(await typesOf(open)).toEqual([]);
      await pass(HOUR);
      await pass(HOUR);
      expect(await typesOf(open)).toEqual(['checkout.session.expired']);
      expect(await typesOf(later)).toEqual(['checkout.payment.success']);
      expect(await typesOf(refunded)).toEqual(['checkout.session.completed', 'refund.updated']);
    });
  });
});
