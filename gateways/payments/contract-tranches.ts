import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { fixtureRequest } from './contract-fixture.ts';
import { failure, longReasons } from './contract-scene.ts';
import type { CheckoutState, PaymentsPort, ProviderTransaction, WebhookEvent } from './port.ts';

/** A provider of payments in parts with an injected clock, and what the payer's bank does. */
export interface TranchesFixture {
  port: PaymentsPort;
  now(): Date;
  advance(milliseconds: number): void;
  /** A transfer arrives and is in our balance. */
  send(ref: string, amountCents: number): Promise<void>;
  /** The parts of a refund, as the provider names them, in order. */
  partsOf(refundRef: string): Promise<string[]>;
  settlePart(part: string): Promise<void>;
  failPart(part: string): Promise<void>;
  refundInDashboard(ref: string, amountCents: number): Promise<void>;
  /** The latest webhook about the checkout, its transfers and its refunds. */
  signedWebhook(ref: string): Promise<{ rawBody: Uint8Array; headers: Headers }>;
  /** The same account without payments in parts: it hears the messages. */
  sibling: PaymentsPort;
  /** Whether the provider books with us what is too much or too late, or keeps it for the payer. */
  booksSurplus: boolean;
  stop(): Promise<void>;
}

const CAP = 99_999_999;
const PRICE = 299_999_996;
const REST = PRICE - 2 * CAP;
const PRICE_LINES = { amountCents: PRICE, lines: [{ name: '1 Long Lane', amountCents: PRICE }] };

/** Contract tests for every provider of payments in parts. */
export function tranchesContract(name: string, openFixture: () => Promise<TranchesFixture>): void {
  describe(`payments in parts: ${name}`, () => {
    let fixture: TranchesFixture;
    let port: PaymentsPort;
    let keys: number;
    beforeEach(async () => {
      fixture = await openFixture();
      port = fixture.port;
      keys = 0;
    });
    afterEach(() => fixture.stop());

    const key = () => `sale:${++keys}`;
    const asked = () => ({ ...fixtureRequest(fixture), ...PRICE_LINES });
    const open = async () => (await port.createCheckout(asked(), key())).ref;
    const state = (ref: string) => port.getCheckout(ref);
    const refund = (ref: string, amountCents: number, refundKey = key()) =>
      port.refund({ ref, amountCents, reason: 'The sale was canceled' }, refundKey);
    const sent = async (...amounts: number[]) => {
      const ref = await open();
      for (const cents of amounts) await fixture.send(ref, cents);
      return ref;
    };
    const settleAll = async (refundRef: string) => {
      for (const part of await fixture.partsOf(refundRef)) await fixture.settlePart(part);
    };
    const amounts = ({ tranches }: CheckoutState) => tranches.map(({ amountCents }) => amountCents);
    const transactions = async (): Promise<ProviderTransaction[]> =>
      (await port.listTransactions({ since: new Date(0) })).transactions;
    const expectBalanced = async () => {
      const { availableCents, pendingCents } = await port.balance();
      const sum = (await transactions()).reduce((all, one) => all + one.amountCents - one.feeCents, 0);
      expect(availableCents + pendingCents).toBe(sum);
    };

    test('opens with nothing received, a page with instructions, and amounts above what one payment carries', async () => {
      const request = asked();
      const created = await port.createCheckout(request, 'sale:a');
      expect(URL.canParse(created.url)).toBe(true);
      expect(await port.createCheckout(request, 'sale:a')).toMatchObject({ ref: created.ref });
      expect(await state(created.ref)).toMatchObject({
        ref: created.ref,
        url: created.url,
        status: 'open',
        saleId: request.saleId,
        amountCents: PRICE,
        currency: 'usd',
        livemode: false,
        feeCents: null,
        paymentRef: null,
        paidWith: null,
        tranches: [],
        refunds: [],
        disputes: [],
      });
      expect(port.method).toBe('card');
      expect(port.limits).toMatchObject({ maxCents: 9_999_999_900, trancheCents: CAP });
      expect(await transactions()).toEqual([]);
      await expect(port.check()).resolves.toBeUndefined();
    });

    test('rejects amounts beyond its limits and a key that was used for something else', async () => {
      const costs = (amountCents: number) => ({
        ...asked(),
        amountCents,
        lines: [{ name: 'House', amountCents }],
      });
      for (const cents of [49, 10_000_000_000])
        await expect(port.createCheckout(costs(cents), key())).rejects.toMatchObject(failure('limit'));
      await port.createCheckout(asked(), 'sale:a');
      await expect(port.createCheckout(costs(PRICE + 1), 'sale:a')).rejects.toMatchObject(
        failure('conflict'),
      );
    });

    test('each transfer is in our balance at once, as a payment of its own that names the sale', async () => {
      const ref = await sent(CAP);
      const part = await state(ref);
      expect(part).toMatchObject({ status: 'processing', paidWith: 'transfer' });
      expect(part.url).not.toBeNull();
      expect(amounts(part)).toEqual([CAP]);
      const [payment, ...others] = await transactions();
      expect(others).toEqual([]);
      expect(payment).toMatchObject({
        kind: 'payment',
        amountCents: CAP,
        feeCents: part.tranches[0]?.feeCents,
        paymentRef: part.tranches[0]?.ref,
        saleId: asked().saleId,
      });
      expect(part.tranches[0]?.feeCents).toBeGreaterThan(0);
      await expectBalanced();
    });

    test('is paid when nothing is missing, and does not change by itself before', async () => {
      const ref = await sent(CAP, CAP);
      fixture.advance(20 * DAY);
      expect(await state(ref)).toMatchObject({ status: 'processing' });
      await fixture.send(ref, REST);
      const paid = await state(ref);
      expect(paid).toMatchObject({ status: 'paid', url: null, paymentRef: paid.tranches[0]?.ref });
      expect(amounts(paid)).toEqual([CAP, CAP, REST]);
      expect(new Set(paid.tranches.map((one) => one.ref)).size).toBe(3);
      expect(paid.feeCents).toBe(paid.tranches.reduce((sum, one) => sum + Number(one.feeCents), 0));
      await expect(port.cancelCheckout(ref, key())).rejects.toMatchObject(failure('conflict'));
      await expectBalanced();
    });

    test('is closed with nothing received, and with a part, as often as asked', async () => {
      const [empty, part] = [await open(), await sent(CAP)];
      for (const ref of [empty, part]) {
        expect(await port.cancelCheckout(ref, `cancel:a${ref}`)).toMatchObject({
          status: 'canceled',
          url: null,
        });
        expect(await port.cancelCheckout(ref, `cancel:a${ref}`)).toMatchObject({ status: 'canceled' });
        expect(await port.cancelCheckout(ref, key())).toMatchObject({ status: 'canceled' });
      }
      expect(amounts(await state(empty))).toEqual([]);
      expect(amounts(await state(part))).toEqual([CAP]);
    });

    test('what arrives too late or is too much leaves the state as it is', async () => {
      const closed = await sent(CAP);
      await port.cancelCheckout(closed, key());
      await fixture.send(closed, CAP);
      const paid = await sent(CAP, CAP, REST);
      await fixture.send(paid, 100_000);
      expect(await state(closed)).toMatchObject({ status: 'canceled' });
      expect(await state(paid)).toMatchObject({ status: 'paid' });
      const more = fixture.booksSurplus;
      expect(amounts(await state(closed))).toEqual(more ? [CAP, CAP] : [CAP]);
      expect(amounts(await state(paid))).toEqual(more ? [CAP, CAP, REST, 100_000] : [CAP, CAP, REST]);
      await expectBalanced();
    });

    test('a refund is one, on however many transfers it is drawn', async () => {
      const ref = await sent(CAP, CAP, REST);
      const made = await refund(ref, PRICE, 'refund:a');
      expect(made).toEqual({
        ref: expect.any(String),
        status: 'pending',
        amountCents: PRICE,
        key: 'refund:a',
      });
      expect(await refund(ref, PRICE, 'refund:a')).toMatchObject({ ref: made.ref });
      expect((await state(ref)).refunds).toEqual([made]);
      expect(await fixture.partsOf(made.ref)).toHaveLength(3);
      await settleAll(made.ref);
      expect((await state(ref)).refunds).toEqual([{ ...made, status: 'succeeded' }]);
      const back = (await transactions()).filter(({ kind }) => kind === 'refund');
      expect(back.map(({ objectRef }) => objectRef)).toEqual([made.ref, made.ref, made.ref]);
      expect(back.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(-PRICE);
      await expect(refund(ref, 1)).rejects.toMatchObject(failure('limit'));
      await expectBalanced();
    });

    test('what has arrived of an incomplete payment can be refunded, and no more', async () => {
      const ref = await open();
      await expect(refund(ref, 100)).rejects.toMatchObject(failure('conflict'));
      await fixture.send(ref, CAP);
      await port.cancelCheckout(ref, key());
      for (const cents of [0, -1, 0.5])
        await expect(refund(ref, cents)).rejects.toMatchObject(failure('invalid'));
      await expect(refund(ref, CAP + 1)).rejects.toMatchObject(failure('limit'));
      const first = await refund(ref, 40_000_000);
      await expect(refund(ref, CAP - 39_999_999)).rejects.toMatchObject(failure('limit'));
      const second = await refund(ref, CAP - 40_000_000);
      await settleAll(first.ref);
      await settleAll(second.ref);
      expect((await state(ref)).refunds).toHaveLength(2);
    });

    test('a refund is made whatever its reason says, and however long it is', async () => {
      const ref = await sent(CAP);
      for (const [at, reason] of longReasons.entries()) {
        const asked = { ref, amountCents: 100, reason };
        expect(await port.refund(asked, `refund:${at}`)).toMatchObject({
          status: 'pending',
          amountCents: 100,
        });
      }
    });

    test('the same key with other content is a conflict', async () => {
      const ref = await sent(CAP);
      await refund(ref, 100, 'refund:a');
      await expect(refund(ref, 101, 'refund:a')).rejects.toMatchObject(failure('conflict'));
      expect((await state(ref)).refunds).toHaveLength(1);
    });

    test('a refund of which a part fails has returned the others; it has failed only when all have', async () => {
      const ref = await sent(CAP, CAP, REST);
      const made = await refund(ref, PRICE);
      const [first = '', second = '', third = ''] = await fixture.partsOf(made.ref);
      await fixture.failPart(second);
      expect((await state(ref)).refunds).toMatchObject([{ status: 'pending' }]);
      await fixture.settlePart(first);
      await fixture.settlePart(third);
      const short = { ref: made.ref, status: 'succeeded', amountCents: PRICE - CAP };
      expect((await state(ref)).refunds).toMatchObject([short]);
      const again = await refund(ref, CAP);
      for (const part of await fixture.partsOf(again.ref)) await fixture.failPart(part);
      const { refunds } = await state(ref);
      const failed = { ref: again.ref, status: 'failed', amountCents: CAP };
      // Both were made in the same moment.
      expect(refunds).toHaveLength(2);
      for (const one of [short, failed]) expect(refunds).toContainEqual(expect.objectContaining(one));
      await settleAll((await refund(ref, CAP)).ref);
      const back = (await transactions()).filter(({ kind }) => kind === 'refund_return');
      expect(back.map(({ amountCents }) => amountCents)).toEqual([CAP, CAP]);
      expect(new Set(back.map(({ objectRef }) => objectRef))).toEqual(new Set([made.ref, again.ref]));
      await expectBalanced();
    });

    test('transfers older than 180 days cannot be refunded', async () => {
      const ref = await sent(CAP);
      fixture.advance(181 * DAY);
      await expect(refund(ref, 100)).rejects.toMatchObject(failure('conflict'));
    });

    test('a refund made in the dashboard is one more, without a key', async () => {
      const ref = await sent(CAP, CAP, REST);
      await fixture.refundInDashboard(ref, 700_000);
      expect((await state(ref)).refunds).toEqual([
        { ref: expect.any(String), status: 'pending', amountCents: 700_000, key: null },
      ]);
      await expect(refund(ref, PRICE - 699_999)).rejects.toMatchObject(failure('limit'));
    });

    test('messages name the checkout or one of its transfers, each with an id of its own', async () => {
      const ref = await open();
      const seen: WebhookEvent[] = [];
      const hear = async () => {
        const message = await fixture.signedWebhook(ref);
        seen.push(fixture.sibling.parseWebhook({ ...message, now: fixture.now() }));
      };
      await fixture.send(ref, CAP);
      await hear();
      await fixture.send(ref, CAP);
      await hear();
      const made = await refund(ref, 100);
      await settleAll(made.ref);
      await hear();
      await port.cancelCheckout(ref, key());
      await hear();
      const refs = (await state(ref)).tranches.map((one) => one.ref);
      expect(seen).toMatchObject([
        { ref, paymentRef: refs[0] },
        { ref, paymentRef: refs[1] },
        { ref: null, paymentRef: refs[0] },
        { ref },
      ]);
      expect(new Set(seen.map(({ eventId }) => eventId)).size).toBe(4);
    });

    test('shares the account and its balance with the payments in one piece, and nothing else', async () => {
      const { sibling } = fixture;
      const ref = await sent(CAP);
      expect(await port.account()).toBe(await sibling.account());
      expect(await port.balance()).toEqual(await sibling.balance());
      expect(await sibling.listTransactions({ since: new Date(0) })).toMatchObject({
        transactions: [{ kind: 'payment' }],
      });
      await expect(sibling.getCheckout(ref)).rejects.toMatchObject(failure('not_found'));
      const other = await sibling.createCheckout(
        fixtureRequest(fixture, { expiresAt: new Date(fixture.now().getTime() + HOUR + MINUTE) }),
        'another',
      );
      await expect(state(other.ref)).rejects.toMatchObject(failure('not_found'));
      await expect(state('cus_unknown')).rejects.toMatchObject(failure('not_found'));
    });
  });
}
