import { beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { boundTo } from './account.ts';
import type { UnpaidFixture } from './contract-fixture.ts';
import { failure, unpaidScene } from './contract-scene.ts';
import type { CheckoutRequest, PaymentsPort } from './port.ts';

/** What every provider does before anybody pays: the part of the contract that its real sandbox can be held to as well. */
export function unpaidContract(openFixture: () => Promise<UnpaidFixture>): void {
  describe('before anybody pays', () => {
    const scene = unpaidScene(openFixture);
    const { key, inMs, request, open, refund, expectStatus } = scene;
    let fixture: UnpaidFixture;
    let port: PaymentsPort;
    beforeEach(() => {
      ({ fixture, port } = scene);
    });

    const opened = async (amountCents: number) =>
      port.createCheckout(request({ amountCents, lines: [{ name: 'House', amountCents }] }), key());

    test('opens a checkout and reports its state', async () => {
      const asked = request();
      const created = await port.createCheckout(asked, key());
      expect(created).toEqual({
        ref: expect.any(String),
        url: expect.any(String),
        expiresAt: asked.expiresAt,
      });
      expect(URL.canParse(created.url)).toBe(true);
      expect(await port.getCheckout(created.ref)).toEqual({
        ref: created.ref,
        url: created.url,
        status: 'open',
        saleId: asked.saleId,
        amountCents: 25_000_000,
        currency: 'usd',
        livemode: false,
        feeCents: null,
        paymentRef: null,
        paidWith: null,
        receiptUrl: null,
        txHash: null,
        network: null,
        expiresAt: asked.expiresAt,
        tranches: [],
        refunds: [],
        disputes: [],
      });
      await expect(port.check()).resolves.toBeUndefined();
      expect(port.livemode).toBe(false);
    });

    test('accepts exactly the amounts within its limits', async () => {
      const { minCents, maxCents } = port.limits;
      for (const cents of [minCents, maxCents]) {
        const { ref } = await opened(cents);
        expect(await port.getCheckout(ref)).toMatchObject({ amountCents: cents });
      }
      for (const cents of [minCents - 1, maxCents + 1])
        await expect(opened(cents)).rejects.toMatchObject(failure('limit'));
    });

    test('rejects lines that do not add up, and amounts that are not whole positive cents', async () => {
      const bad: Partial<CheckoutRequest>[] = [
        { lines: [] },
        { lines: [{ name: 'House', amountCents: 24_999_999 }] },
        {
          lines: [
            { name: 'House', amountCents: 25_000_001 },
            { name: 'Rebate', amountCents: -1 },
          ],
        },
        { amountCents: 100.5, lines: [{ name: 'House', amountCents: 100.5 }] },
        { amountCents: Number.NaN },
      ];
      for (const change of bad)
        await expect(
          port.createCheckout(request(change), key()),
          JSON.stringify(change),
        ).rejects.toMatchObject(failure('invalid'));
    });

    test('rejects an expiry that is too early or too late', async () => {
      const { minLifetimeMs, maxLifetimeMs } = port.limits;
      for (const milliseconds of [minLifetimeMs + MINUTE, maxLifetimeMs - MINUTE])
        await expect(open({ expiresAt: inMs(milliseconds) })).resolves.toEqual(expect.any(String));
      for (const milliseconds of [minLifetimeMs - MINUTE, maxLifetimeMs + MINUTE, -HOUR, Number.NaN])
        await expect(open({ expiresAt: inMs(milliseconds) })).rejects.toMatchObject(failure('invalid'));
    });

    test('the same key and content return the first response', async () => {
      const asked = request();
      const sameKey = key();
      const first = await port.createCheckout(asked, sameKey);
      expect(await port.createCheckout(structuredClone(asked), sameKey)).toEqual(first);
      expect((await port.createCheckout(asked, key())).ref).not.toBe(first.ref);
    });

    test('the same key with other content is a conflict', async () => {
      const asked = request();
      const sameKey = key();
      await port.createCheckout(asked, sameKey);
      const others: Partial<CheckoutRequest>[] = [
        { saleId: '0b6ad1a8-6f3f-4bb5-9a52-1d6a7b1d3f00' },
        { amountCents: 24_750_000, lines: asked.lines.slice(0, 1) },
        { successUrl: 'https://market.example/elsewhere' },
      ];
      for (const change of others)
        await expect(port.createCheckout({ ...asked, ...change }, sameKey)).rejects.toMatchObject(
          failure('conflict'),
        );
    });

    test('rejects unknown references', async () => {
      const known = await open();
      const unknown = known.slice(0, -4) + (known.endsWith('0000') ? '1111' : '0000');
      const missing = failure('not_found');
      await expect(port.getCheckout(unknown)).rejects.toMatchObject(missing);
      await expect(port.cancelCheckout(unknown, key())).rejects.toMatchObject(missing);
      await expect(refund(unknown, 100)).rejects.toMatchObject(missing);
      for (const odd of ['', '../checkouts', 'a/b?c=d', `${known}/refund`, 'ä'])
        await expect(port.getCheckout(odd), odd).rejects.toMatchObject({
          name: 'PaymentError',
          code: expect.stringMatching(/^(not_found|invalid)$/),
        });
    });

    test('cancel closes the checkout, and is idempotent', async () => {
      const ref = await open();
      const sameKey = key();
      for (const cancelKey of [sameKey, sameKey, key()])
        expect(await port.cancelCheckout(ref, cancelKey)).toMatchObject({
          ref,
          status: 'canceled',
          url: null,
        });
      await expectStatus(ref, 'canceled');
    });

    test('rejects a refund of what nobody paid', async () => {
      await expect(refund(await open(), 100)).rejects.toMatchObject(failure('conflict'));
    });

    test('our account has a name, the same every time', async () => {
      const account = await port.account();
      expect(account).toMatch(/^\S+$/);
      expect(await port.account()).toBe(account);
    });

    test('a payment that is bound to an account is read with the keys of that account only', async () => {
      const account = await port.account();
      const ref = await open();
      for (const bound of [account, null]) {
        const state = await boundTo(port, { livemode: false, account: bound }).getCheckout(ref);
        expect(state).toMatchObject({ ref });
      }
      const unavailable = failure('unavailable');
      const elsewhere = boundTo(port, { livemode: false, account: 'elsewhere' });
      const calls: Promise<unknown>[] = [
        elsewhere.getCheckout(ref),
        elsewhere.createCheckout(request(), key()),
        elsewhere.cancelCheckout(ref, key()),
        elsewhere.refund({ ref, amountCents: 100, reason: 'asked' }, key()),
        elsewhere.check(),
        elsewhere.balance(),
        elsewhere.accountSettings(),
        elsewhere.listTransactions({ since: fixture.now() }),
      ];
      if (elsewhere.submitEvidence)
        calls.push(elsewhere.submitEvidence({ disputeRef: 'dp_1', texts: {}, files: [] }, key()));
      for (const call of calls) await expect(call).rejects.toMatchObject(unavailable);
      expect(() => boundTo(port, { livemode: true, account })).toThrow(expect.objectContaining(unavailable));
      await expectStatus(ref, 'open');
    });

    test('says what our balance is, and what moved it, the same when it is asked again', async () => {
      expect(await port.balance()).toEqual({
        availableCents: expect.any(Number),
        pendingCents: expect.any(Number),
      });
      expect(await port.accountSettings()).toHaveProperty('manualPayouts');
      const since = inMs(-7 * DAY);
      const page = await port.listTransactions({ since });
      const refs = page.transactions.map((transaction) => transaction.ref);
      expect(new Set(refs).size).toBe(refs.length);
      expect(await port.listTransactions({ since })).toEqual(page);
    });
  });
}
