import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#platform/durations.ts';
import type { PaymentsFixture } from './contract-fixture.ts';
import { contractScene, failure } from './contract-scene.ts';
import type { PaymentsPort, ProviderTransaction } from './port.ts';

const PRICE = 25_000_000;

/** Everything that the provider says moved our balance, each once. */
async function allTransactions(port: PaymentsPort, since: Date): Promise<ProviderTransaction[]> {
  const found = new Map<string, ProviderTransaction>();
  let cursor: string | undefined;
  do {
    const page = await port.listTransactions({ since, ...(cursor ? { cursor } : {}) });
    for (const transaction of page.transactions) found.set(transaction.ref, transaction);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return [...found.values()];
}

const netOf = (transactions: readonly ProviderTransaction[]): number =>
  transactions.reduce((sum, { amountCents, feeCents }) => sum + amountCents - feeCents, 0);

/** What every provider says about our balance and all that moves it, and about refunds that nobody here asked for. */
export function booksContract(openFixture: () => Promise<PaymentsFixture>): void {
  describe('books', () => {
    const scene = contractScene(openFixture);
    const { open, paid, refund } = scene;
    const everything = () => allTransactions(scene.port, new Date(0));
    const kinds = async () => (await everything()).map(({ kind }) => kind).sort();
    const expectSum = async () => {
      const { availableCents, pendingCents } = await scene.port.balance();
      expect(availableCents + pendingCents).toBe(netOf(await everything()));
    };

    test('are empty at first, and not moved by what is not paid', async () => {
      await open();
      await scene.fixture.payLater(await open());
      expect(await scene.port.balance()).toEqual({ availableCents: 0, pendingCents: 0 });
      expect(await everything()).toEqual([]);
    });

    test('a payment is one transaction with its fee, and names what it is about', async () => {
      const ref = await paid();
      const { feeCents, paymentRef } = await scene.port.getCheckout(ref);
      const [payment, ...others] = await everything();
      expect(others).toEqual([]);
      expect(payment).toMatchObject({
        ref: expect.stringMatching(/./),
        kind: 'payment',
        amountCents: PRICE,
        feeCents,
        paymentRef,
        saleId: scene.request().saleId,
        at: expect.any(Date),
      });
      // Each names the checkout or the payment, so that the sale is found even without its id.
      expect(payment?.checkoutRef === ref || payment?.paymentRef !== null).toBe(true);
      expect(await scene.port.balance()).toEqual({
        availableCents: PRICE - Number(feeCents),
        pendingCents: 0,
      });
    });

    test('a refund leaves, and comes back when it fails', async () => {
      const ref = await paid();
      const [first, second] = [await refund(ref, 10_000_000), await refund(ref, 5_000_000)];
      await scene.fixture.settleRefund(first.ref);
      await scene.fixture.failRefund(second.ref);
      const moved = (await everything()).filter(({ objectRef }) => objectRef !== null);
      const isCard = scene.port.method === 'card';
      const left = moved.filter(({ kind }) => kind === 'refund');
      expect(left).toContainEqual(
        expect.objectContaining({ amountCents: -10_000_000, objectRef: first.ref }),
      );
      // In crypto a failed refund has never left.
      expect(netOf(moved.filter(({ objectRef }) => objectRef === second.ref))).toBe(0);
      expect(moved.filter(({ kind }) => kind === 'refund_return')).toHaveLength(isCard ? 1 : 0);
      await expectSum();
    });

    test('a repeated list is the same, and goes on page by page', async () => {
      await scene.fixture.payMany(103);
      const ref = await paid();
      const { ref: refundRef } = await refund(ref, 100);
      await scene.fixture.settleRefund(refundRef);
      const first = await scene.port.listTransactions({ since: new Date(0) });
      expect(first.next).not.toBeNull();
      const all = await everything();
      expect(all).toHaveLength(105);
      expect(await everything()).toEqual(all);
      await expectSum();
      await expect(
        scene.port.listTransactions({ since: new Date(0), cursor: 'not a cursor' }),
      ).rejects.toMatchObject({ name: 'PaymentError' });
    });

    test('begin at the time asked for', async () => {
      const early = await paid();
      scene.fixture.advance(HOUR);
      const since = scene.fixture.now();
      const late = await paid();
      const { ref: refundRef } = await refund(late, 100);
      await scene.fixture.settleRefund(refundRef);
      const earlier = await scene.port.getCheckout(early);
      const found = await allTransactions(scene.port, since);
      expect(found.map(({ kind }) => kind).sort()).toEqual(['payment', 'refund']);
      expect(found.some(({ checkoutRef }) => checkoutRef === early)).toBe(false);
      expect(found.some(({ paymentRef }) => paymentRef !== null && paymentRef === earlier.paymentRef)).toBe(
        false,
      );
      scene.fixture.advance(MINUTE);
      expect(await allTransactions(scene.port, scene.fixture.now())).toEqual([]);
    });

    test('a refund made in the dashboard is reported like any other, without a key', async () => {
      const ref = await paid();
      await scene.fixture.refundInDashboard(ref, 700_000);
      const { refunds } = await scene.port.getCheckout(ref);
      expect(refunds).toEqual([
        { ref: expect.any(String), status: 'pending', amountCents: 700_000, key: null },
      ]);
      await scene.fixture.settleRefund(refunds[0]?.ref ?? '');
      expect(await kinds()).toEqual(['payment', 'refund']);
      await expect(refund(ref, PRICE - 699_999)).rejects.toMatchObject(failure('limit'));
    });

    test('a refund beyond the balance waits for it, or is asked for again later', async () => {
      const ref = await paid();
      scene.fixture.coverShortfall(false);
      const asked = refund(ref, PRICE, 'refund:a');
      if (scene.port.method === 'crypto') {
        await expect(asked).rejects.toMatchObject(failure('unavailable'));
        expect((await scene.port.getCheckout(ref)).refunds).toEqual([]);
        await paid();
        expect(await refund(ref, PRICE, 'refund:b')).toMatchObject({ status: 'pending' });
        return;
      }
      const waiting = await asked;
      expect(waiting.status).toBe('pending');
      await scene.fixture.passTime();
      expect(await kinds()).toEqual(['payment']);
      await expect(scene.fixture.settleRefund(waiting.ref)).rejects.toThrow();
      await paid();
      await scene.fixture.passTime();
      expect(await kinds()).toEqual(['payment', 'payment', 'refund']);
      await scene.fixture.settleRefund(waiting.ref);
      expect((await scene.port.getCheckout(ref)).refunds).toMatchObject([{ status: 'succeeded' }]);
      await expectSum();
    });

    test('a refund that waits for the buyer is pending', async ({ skip }) => {
      const { banks } = scene.fixture;
      if (!banks) return skip('refunds in crypto need no bank');
      const ref = await paid();
      const asked = await refund(ref, 100);
      await banks.holdRefund(asked.ref);
      expect((await scene.port.getCheckout(ref)).refunds).toMatchObject([{ status: 'pending' }]);
      await scene.fixture.failRefund(asked.ref);
      expect(await kinds()).toEqual(['payment', 'refund', 'refund_return']);
      await expectSum();
    });

    test('money sent to our bank and to others leaves the balance, and may come back', async ({ skip }) => {
      const { treasury } = scene.fixture;
      if (!treasury) return skip('the provider does not list it');
      await paid();
      const saleId = scene.request().saleId;
      const [payout, transfer] = [
        await treasury.payOut(1_000_000),
        await treasury.transfer(2_000_000, saleId),
      ];
      await expect(treasury.payOut(PRICE)).rejects.toThrow();
      const sent = (await everything()).filter(({ objectRef }) => objectRef !== null);
      expect(sent).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ kind: 'bank_payout', amountCents: -1_000_000, objectRef: payout }),
          expect.objectContaining({ kind: 'transfer', amountCents: -2_000_000, objectRef: transfer, saleId }),
        ]),
      );
      await treasury.sendBack(payout);
      await treasury.sendBack(transfer);
      await expect(treasury.sendBack(payout)).rejects.toThrow();
      const returns = ['bank_payout', 'bank_payout_return', 'payment', 'transfer', 'transfer_return'];
      expect(await kinds()).toEqual(returns);
      await expectSum();
    });
  });
}
