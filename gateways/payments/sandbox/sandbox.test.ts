import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { SANDBOX_SECRET, sandboxBench, sandboxEvents } from '#tests/support/sandbox-bench.ts';
import { paymentsContract } from '../contract.ts';
import { benchRequest, type PaymentsBench } from '../contract-bench.ts';
import type { CheckoutRequest } from '../port.ts';
import { closeSandboxDispute, disputeSandbox, lateCrypto } from './banks.ts';
import { actOnSandbox, readSandboxCheckout } from './page.ts';
import { createSandbox } from './sandbox.ts';
import { letTimePass } from './time.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const failure = (code: string) => ({ name: 'PaymentError', code });

await describeOnEachDatabase('sandbox', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  paymentsContract('sandbox-card', () => sandboxBench(db, 'card'), { wire: false });
  paymentsContract('sandbox-crypto', () => sandboxBench(db, 'crypto'), { wire: false });

  describe('what only a sandbox can answer', () => {
    let card: PaymentsBench;
    let crypto: PaymentsBench;
    let keys = 0;
    beforeEach(async () => {
      card = await sandboxBench(db, 'card');
      crypto = await sandboxBench(db, 'crypto');
    });
    const opened = async (bench: PaymentsBench, change: Partial<CheckoutRequest> = {}) =>
      (await bench.port.createCheckout(benchRequest(bench, change), `key:${++keys}`)).ref;
    const paid = async (bench: PaymentsBench) => {
      const ref = await opened(bench);
      await bench.pay(ref);
      return ref;
    };
    const giveBack = (bench: PaymentsBench, ref: string, amountCents: number) =>
      bench.port.refund({ ref, amountCents, reason: 'canceled' }, `key:${++keys}`);
    const typesOf = async (ref: string) =>
      (await sandboxEvents(db)).filter((event) => event.ref === ref).map(({ type }) => type);

    it('is a world of its own: no call runs inside a transaction of ours', async () => {
      const ref = await opened(card);
      const { port, now } = card;
      const calls = [
        () => port.createCheckout(benchRequest(card), 'inside'),
        () => port.getCheckout(ref),
        () => port.cancelCheckout(ref, 'inside'),
        () => giveBack(card, ref, 100),
        () => port.check(),
        () => actOnSandbox(db, ref, 'pay', now()),
      ];
      for (const call of calls)
        await expect(db.tx(async () => call())).rejects.toThrow('called inside a transaction');
      expect((await port.getCheckout(ref)).status).toBe('open');
    });

    it('asked twice at the same time with one key, it opens one checkout and gives back once', async () => {
      const asked = benchRequest(card);
      const both = await Promise.all([1, 2, 3].map(() => card.port.createCheckout(asked, 'same')));
      expect(new Set(both.map(({ ref }) => ref)).size).toBe(1);
      const [{ ref } = { ref: '' }] = both;
      await card.pay(ref);
      const request = { ref, amountCents: 100, reason: 'canceled' };
      await Promise.all([1, 2, 3].map(() => card.port.refund(request, 'back')));
      expect((await card.port.getCheckout(ref)).refunds).toHaveLength(1);
    });

    it('knows a key by what it was used for; refused requests do not use it up; rails do not share keys', async () => {
      const ref = await paid(card);
      const bad = benchRequest(card, { amountCents: 1, lines: [{ name: 'House', amountCents: 1 }] });
      await expect(card.port.createCheckout(bad, 'one')).rejects.toMatchObject(failure('limit'));
      await card.port.createCheckout(benchRequest(card), 'one');
      await expect(card.port.cancelCheckout(ref, 'one')).rejects.toMatchObject(failure('conflict'));
      const request = { ref, amountCents: 100, reason: 'canceled' };
      await expect(card.port.refund(request, 'one')).rejects.toMatchObject(failure('conflict'));
      await expect(crypto.port.createCheckout(benchRequest(crypto), 'one')).resolves.toBeDefined();
      for (const key of ['', ' ', 'x'.repeat(256)])
        await expect(card.port.createCheckout(benchRequest(card), key)).rejects.toMatchObject(
          failure('invalid'),
        );
    });

    it('refuses addresses that lead nowhere, and a buyer without one', async () => {
      for (const change of [
        { successUrl: '/buyer/transactions' },
        { cancelUrl: 'javascript:alert(1)' },
        { buyerEmail: '' },
      ])
        await expect(opened(card, change), JSON.stringify(change)).rejects.toMatchObject(failure('invalid'));
    });

    it('has rails that do not know each other', async () => {
      const ref = await opened(card);
      await expect(crypto.port.getCheckout(ref)).rejects.toMatchObject(failure('not_found'));
      await expect(crypto.port.cancelCheckout(ref, 'other')).rejects.toMatchObject(failure('not_found'));
      expect(crypto.port.provider).toBe('sandbox-crypto');
    });

    it('is unavailable when its database is', async () => {
      const gone = { ...db, tx: async () => Promise.reject(new Error('connection refused')) };
      const { now } = card;
      const port = createSandbox({
        db: gone,
        rail: 'card',
        secret: SANDBOX_SECRET,
        now,
        publicUrl: 'http://x',
      });
      await expect(port.check()).rejects.toMatchObject({ ...failure('unavailable'), retryable: true });
    });

    it('of paying and canceling at the same time exactly one happens', async () => {
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
          actOnSandbox(db, ref, 'pay', card.now()),
        ]);
        expect(result.ok).toBe(!canceled);
        expect((await card.port.getCheckout(ref)).status).toBe(canceled ? 'canceled' : 'paid');
        expect(await typesOf(ref)).toHaveLength(1);
      }
    });

    it('shows a checkout to its payer', async () => {
      const ref = await opened(card);
      const asked = benchRequest(card);
      const { saleId: _, ...shown } = asked;
      expect(await readSandboxCheckout(db, ref, card.now())).toEqual({
        ...shown,
        ref,
        rail: 'card',
        status: 'open',
        notice: null,
        settleAt: null,
        actions: ['pay', 'pay_later', 'decline', 'expire', 'cancel'],
      });
      const goTo = asked.successUrl;
      expect(await actOnSandbox(db, ref, 'pay', card.now())).toEqual({ ok: true, goTo });
      expect(await readSandboxCheckout(db, ref, card.now())).toMatchObject({ status: 'paid', actions: [] });
      const again = await actOnSandbox(db, ref, 'pay', card.now());
      expect(again).toEqual({ ok: false, reason: 'This checkout is paid.' });
      expect(await readSandboxCheckout(db, 'nothing', card.now())).toBeNull();
      expect(await actOnSandbox(db, "'; --", 'pay', card.now())).toEqual({
        ok: false,
        reason: 'There is no such checkout.',
      });
    });

    it('a declined card leaves the checkout open for another; a wallet that declines ends it', async () => {
      const ref = await opened(card);
      expect(await actOnSandbox(db, ref, 'decline', card.now())).toEqual({ ok: true, goTo: null });
      expect(await readSandboxCheckout(db, ref, card.now())).toMatchObject({
        status: 'open',
        notice: 'The card was declined. Try another one.',
      });
      expect(await typesOf(ref)).toEqual([]);
      await card.pay(ref);
      expect(await readSandboxCheckout(db, ref, card.now())).toMatchObject({ status: 'paid', notice: null });
      const wallet = await opened(crypto);
      const { cancelUrl } = benchRequest(crypto);
      expect(await actOnSandbox(db, wallet, 'decline', crypto.now())).toEqual({ ok: true, goTo: cancelUrl });
      expect((await crypto.port.getCheckout(wallet)).status).toBe('failed');
      expect(await typesOf(wallet)).toEqual(['checkout.payment.failed']);
    });

    it('leaving the page closes nothing; its button for expiring does', async () => {
      const ref = await opened(card);
      const { cancelUrl } = benchRequest(card);
      expect(await actOnSandbox(db, ref, 'cancel', card.now())).toEqual({ ok: true, goTo: cancelUrl });
      expect((await card.port.getCheckout(ref)).status).toBe('open');
      expect(await actOnSandbox(db, ref, 'expire', card.now())).toEqual({ ok: true, goTo: null });
      expect((await card.port.getCheckout(ref)).status).toBe('expired');
      expect(await actOnSandbox(db, ref, 'cancel', card.now())).toEqual({ ok: true, goTo: cancelUrl });
    });

    it('refuses a bank transfer over the limit of a new account, and still takes a card', async () => {
      const bench = await sandboxBench(db, 'card', { bankLimitCents: 600_000 });
      const ref = await opened(bench);
      expect(await actOnSandbox(db, ref, 'pay_later', bench.now())).toEqual({ ok: true, goTo: null });
      expect(await readSandboxCheckout(db, ref, bench.now())).toMatchObject({
        status: 'open',
        notice: 'This bank transfer is over the limit of the account.',
      });
      const small = { amountCents: 600_000, lines: [{ name: 'Lot', amountCents: 600_000 }] };
      await bench.payLater(await opened(bench, small));
      await bench.pay(ref);
    });

    it('an expired checkout on the chain can still be paid late, any other cannot', async () => {
      const ref = await opened(crypto);
      await expect(lateCrypto(db, ref, crypto.now())).rejects.toMatchObject(failure('conflict'));
      crypto.advance(2 * HOUR);
      await letTimePass(db, crypto.now());
      await lateCrypto(db, ref, crypto.now());
      expect(await crypto.port.getCheckout(ref)).toMatchObject({ status: 'paid', feeCents: 312_500 });
      expect(await typesOf(ref)).toEqual(['checkout.payment.expired', 'checkout.payment.success']);
      const other = await opened(card);
      card.advance(2 * HOUR);
      await expect(lateCrypto(db, other, card.now())).rejects.toMatchObject(failure('conflict'));
    });

    it('a bank takes a transfer back for 60 days, and nobody can argue', async () => {
      const ref = await opened(card);
      await card.payLater(ref);
      await card.settle(ref);
      expect(await card.port.getCheckout(ref)).toMatchObject({ feeCents: 500 });
      card.advance(60 * DAY);
      await disputeSandbox(db, ref, card.now(), 'debit_not_authorized');
      const { dispute } = await card.port.getCheckout(ref);
      expect(dispute).toMatchObject({ status: 'lost', reason: 'debit_not_authorized', evidenceDueAt: null });
      const told = ['charge.dispute.created', 'charge.dispute.closed'];
      expect((await typesOf(ref)).slice(-2)).toEqual(told);
      const older = await opened(card);
      await card.payLater(older);
      await card.settle(older);
      card.advance(60 * DAY + 1);
      await expect(disputeSandbox(db, older, card.now())).rejects.toMatchObject(failure('conflict'));
    });

    it('a disputed card payment is not given back as well, unless the dispute was won', async () => {
      const ref = await paid(card);
      await disputeSandbox(db, ref, card.now());
      const { dispute } = await card.port.getCheckout(ref);
      expect(dispute?.evidenceDueAt).toBeInstanceOf(Date);
      await expect(giveBack(card, ref, 100)).rejects.toMatchObject(failure('conflict'));
      await expect(disputeSandbox(db, ref, card.now())).rejects.toMatchObject(failure('conflict'));
      await closeSandboxDispute(db, ref, 'won', card.now());
      await expect(closeSandboxDispute(db, ref, 'lost', card.now())).rejects.toMatchObject(
        failure('conflict'),
      );
      await giveBack(card, ref, 100);
      await expect(disputeSandbox(db, await paid(crypto), crypto.now())).rejects.toMatchObject(
        failure('conflict'),
      );
    });

    it('a refund to a card can come back after it had succeeded, one on the chain cannot', async () => {
      const [ref, chain] = [await paid(card), await paid(crypto)];
      const refund = await giveBack(card, ref, 25_000_000);
      await card.settleRefund(refund.ref);
      await expect(card.settleRefund(refund.ref)).rejects.toMatchObject(failure('conflict'));
      await card.failRefund(refund.ref);
      expect((await card.port.getCheckout(ref)).refunds).toMatchObject([{ status: 'failed' }]);
      expect((await typesOf(ref)).slice(-2)).toEqual(['refund.updated', 'refund.failed']);
      await giveBack(card, ref, 25_000_000);
      const sent = await giveBack(crypto, chain, 100);
      await crypto.settleRefund(sent.ref);
      await expect(crypto.failRefund(sent.ref)).rejects.toMatchObject(failure('conflict'));
      await expect(card.settleRefund('nothing')).rejects.toMatchObject(failure('not_found'));
    });

    it('time alone expires, settles and gives back, and tells of each once', async () => {
      const [open, later] = [await opened(card), await opened(crypto)];
      await crypto.payLater(later);
      const refunded = await paid(card);
      await giveBack(card, refunded, 100);
      const pass = async (milliseconds: number) => {
        card.advance(milliseconds);
        await Promise.all([letTimePass(db, card.now()), letTimePass(db, card.now())]);
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
