import { beforeEach, describe, expect, test } from 'vitest';
import { DAY } from '#platform/durations.ts';
import type { BanksFixture, PaymentsFixture } from './contract-fixture.ts';
import { contractScene, failure } from './contract-scene.ts';
import type { DisputeEvidence, DisputeState, PaymentsPort } from './port.ts';

const PRICE = 25_000_000;
/** Stripe's fees in the United States: one for a chargeback, kept, and one for contesting it, returned to the winner. */
const FEE = 1_500;

const pdf = (kind: DisputeEvidence['files'][number]['kind'], text = 'Receipt 7') => ({
  kind,
  name: `${kind}.pdf`,
  contentType: 'application/pdf' as const,
  bytes: new TextEncoder().encode(text),
});

/** What a provider does whose payments can be disputed, in whole and in part, and how disputes are answered. */
export function disputeContract(openFixture: () => Promise<PaymentsFixture>): void {
  describe('disputes', () => {
    const scene = contractScene(openFixture);
    const { key, open, paid, refund } = scene;
    let banks: BanksFixture;
    let port: PaymentsPort;
    beforeEach(({ skip }) => {
      port = scene.port;
      if (!scene.fixture.banks) {
        expect(port.submitEvidence).toBeUndefined();
        return skip('payments by this method cannot be taken back');
      }
      banks = scene.fixture.banks;
    });

    const disputesOf = async (ref: string) => (await port.getCheckout(ref)).disputes;
    const newestDispute = async (ref: string): Promise<DisputeState> => {
      const newest = (await disputesOf(ref)).at(-1);
      if (!newest) throw new Error('There is no dispute');
      return newest;
    };
    const held = async () => {
      const { availableCents, pendingCents } = await port.balance();
      return availableCents + pendingCents;
    };
    const bankPaid = async () => {
      const ref = await open();
      await scene.fixture.payLater(ref);
      await scene.fixture.settle(ref);
      return ref;
    };
    const submit = (evidence: Partial<DisputeEvidence> & { disputeRef: string }, evidenceKey = key()) => {
      if (!port.submitEvidence) throw new Error('The provider takes no evidence');
      const texts = { statement: 'The buyer moved in.' };
      return port.submitEvidence({ texts, files: [pdf('receipt')], ...evidence }, evidenceKey);
    };

    test('a chargeback takes the payment and a fee at once', async () => {
      const ref = await paid();
      const before = await held();
      await banks.dispute(ref);
      expect(await disputesOf(ref)).toEqual([
        {
          ref: expect.any(String),
          kind: 'chargeback',
          status: 'open',
          amountCents: PRICE,
          returnedCents: 0,
          feeCents: FEE,
          reason: expect.stringMatching(/./),
          evidenceDueAt: new Date(scene.fixture.now().getTime() + 9 * DAY),
        },
      ]);
      expect(await held()).toBe(before - PRICE - FEE);
      await expect(refund(ref, 100)).rejects.toMatchObject(failure('conflict'));
    });

    test('a chargeback that is won gives the payment back but not its fee, and then the payment can be refunded', async () => {
      const ref = await paid();
      const before = await held();
      await banks.dispute(ref);
      await banks.decide((await newestDispute(ref)).ref, 'won');
      expect(await disputesOf(ref)).toMatchObject([
        { status: 'won', amountCents: PRICE, returnedCents: PRICE, feeCents: FEE, evidenceDueAt: null },
      ]);
      expect(await held()).toBe(before - FEE);
      await expect(refund(ref, 100)).resolves.toMatchObject({ amountCents: 100 });
    });

    test('a chargeback that is lost keeps what it took, sometimes without a part', async () => {
      const [whole, part] = [await paid(), await paid()];
      const before = await held();
      for (const ref of [whole, part]) await banks.dispute(ref);
      await banks.decide((await newestDispute(whole)).ref, 'lost');
      await banks.decide((await newestDispute(part)).ref, 'lost', 1_000_000);
      expect(await disputesOf(whole)).toMatchObject([{ status: 'lost', returnedCents: 0, feeCents: FEE }]);
      expect(await disputesOf(part)).toMatchObject([
        { status: 'lost', amountCents: PRICE, returnedCents: 1_000_000, feeCents: FEE },
      ]);
      expect(await held()).toBe(before - 2 * (PRICE + FEE) + 1_000_000);
      await expect(banks.decide((await newestDispute(whole)).ref, 'won')).rejects.toThrow();
    });

    test('a part of a payment can be disputed, and later another part', async () => {
      const ref = await paid();
      await banks.dispute(ref, { amountCents: 10_000_000 });
      scene.fixture.advance(DAY);
      await banks.dispute(ref, { amountCents: 5_000_000 });
      await expect(banks.dispute(ref, { amountCents: 10_000_001 })).rejects.toThrow();
      const [first, second] = await disputesOf(ref);
      expect([first, second]).toMatchObject([
        { status: 'open', amountCents: 10_000_000 },
        { status: 'open', amountCents: 5_000_000 },
      ]);
      await banks.decide(first?.ref ?? '', 'won');
      await banks.decide(second?.ref ?? '', 'lost');
      expect(await disputesOf(ref)).toMatchObject([
        { ref: first?.ref, status: 'won', returnedCents: 10_000_000 },
        { ref: second?.ref, status: 'lost', returnedCents: 0 },
      ]);
      const { transactions } = await port.listTransactions({ since: new Date(0) });
      const moved = transactions.filter(({ kind }) => kind.startsWith('dispute'));
      const { paymentRef } = await port.getCheckout(ref);
      expect(moved.every((one) => one.paymentRef === paymentRef)).toBe(true);
      const amounts = moved.map(({ objectRef, amountCents, feeCents }) => [objectRef, amountCents, feeCents]);
      expect(amounts).toHaveLength(3);
      expect(amounts).toEqual(
        expect.arrayContaining([
          [first?.ref, -10_000_000, FEE],
          [first?.ref, 10_000_000, 0],
          [second?.ref, -5_000_000, FEE],
        ]),
      );
    });

    test('an inquiry takes nothing and blocks no refund; escalated it is a chargeback of the same name', async () => {
      const [closed, escalated] = [await paid(), await paid()];
      const before = await held();
      for (const ref of [closed, escalated])
        await banks.dispute(ref, { inquiry: true, amountCents: 9_000_000 });
      const inquiry = { kind: 'inquiry', status: 'open', amountCents: 9_000_000, feeCents: 0 };
      expect(await disputesOf(closed)).toMatchObject([{ ...inquiry, evidenceDueAt: expect.any(Date) }]);
      expect(await held()).toBe(before);
      await expect(refund(closed, 100)).resolves.toMatchObject({ amountCents: 100 });
      await banks.decide((await newestDispute(closed)).ref, 'won');
      expect(await disputesOf(closed)).toMatchObject([{ kind: 'inquiry', status: 'won', returnedCents: 0 }]);
      const { ref: disputeRef } = await newestDispute(escalated);
      await banks.escalate(disputeRef);
      expect(await disputesOf(escalated)).toMatchObject([
        { ref: disputeRef, kind: 'chargeback', status: 'open', amountCents: 9_000_000, feeCents: FEE },
      ]);
      await expect(refund(escalated, 100)).rejects.toMatchObject(failure('conflict'));
      expect(await held()).toBe(before - 100 - 9_000_000 - FEE);
    });

    test('a bank debit that is returned is lost at once and cannot be answered', async () => {
      const ref = await bankPaid();
      const before = await held();
      scene.fixture.advance(59 * DAY);
      await banks.dispute(ref);
      const [dispute] = await disputesOf(ref);
      expect(dispute).toMatchObject({
        kind: 'chargeback',
        status: 'lost',
        evidenceDueAt: null,
        feeCents: FEE,
      });
      expect(await held()).toBe(before - PRICE - FEE);
      await expect(banks.dispute(ref)).rejects.toThrow();
      await expect(submit({ disputeRef: dispute?.ref ?? '' })).rejects.toMatchObject(failure('conflict'));
      await expect(refund(ref, 100)).rejects.toMatchObject(failure('conflict'));
    });

    test('a bank debit that is returned while its refund runs leaves twice', async () => {
      const ref = await bankPaid();
      const before = await held();
      const running = await refund(ref, PRICE);
      await banks.dispute(ref);
      await scene.fixture.settleRefund(running.ref);
      expect(await held()).toBe(before - 2 * PRICE - FEE);
      expect(await port.getCheckout(ref)).toMatchObject({
        refunds: [{ status: 'succeeded', amountCents: PRICE }],
        disputes: [{ status: 'lost', amountCents: PRICE }],
      });
    });

    test('a bank debit can be given back for 180 days', async () => {
      const ref = await bankPaid();
      scene.fixture.advance(180 * DAY);
      await expect(refund(ref, 100)).resolves.toMatchObject({ amountCents: 100 });
      scene.fixture.advance(1_000);
      await expect(refund(ref, 100)).rejects.toMatchObject(failure('conflict'));
    });

    test('a card payment given back in full cannot be disputed; a refund that waits fails instead', async () => {
      const ref = await paid();
      await refund(ref, PRICE);
      await expect(banks.dispute(ref)).rejects.toThrow();
      const short = await paid();
      scene.fixture.coverShortfall(false);
      await refund(short, PRICE);
      await banks.dispute(short);
      const state = await port.getCheckout(short);
      expect(state).toMatchObject({ refunds: [{ status: 'failed' }], disputes: [{ status: 'open' }] });
    });

    test('evidence is submitted once; contesting costs a fee that the winner gets back', async () => {
      const ref = await paid();
      await banks.dispute(ref);
      const { ref: disputeRef } = await newestDispute(ref);
      const files = [
        pdf('receipt'),
        pdf('service_documentation'),
        pdf('customer_communication'),
        pdf('other'),
      ];
      const before = await held();
      const answered = await submit({ disputeRef, files }, 'evidence:a');
      expect(answered).toMatchObject({ ref: disputeRef, status: 'open', evidenceDueAt: null });
      expect(await disputesOf(ref)).toEqual([answered]);
      expect(answered.feeCents).toBe(2 * FEE);
      expect(await held()).toBe(before - FEE);
      expect(await submit({ disputeRef, files }, 'evidence:a')).toEqual(answered);
      scene.fixture.advance(2 * DAY);
      expect(await submit({ disputeRef, files }, 'evidence:a')).toEqual(answered);
      await expect(submit({ disputeRef }, 'evidence:a')).rejects.toMatchObject(failure('conflict'));
      await expect(submit({ disputeRef, files }, 'evidence:b')).rejects.toMatchObject(failure('conflict'));
      await banks.decide(disputeRef, 'won');
      expect(await disputesOf(ref)).toMatchObject([{ status: 'won', returnedCents: PRICE, feeCents: FEE }]);
      expect(await held()).toBe(before + PRICE);
    });

    test('an inquiry is answered for nothing, and again once it is a chargeback', async () => {
      const ref = await paid();
      await banks.dispute(ref, { inquiry: true });
      const { ref: disputeRef } = await newestDispute(ref);
      expect(await submit({ disputeRef })).toMatchObject({
        kind: 'inquiry',
        feeCents: 0,
        evidenceDueAt: null,
      });
      await banks.escalate(disputeRef);
      expect(await submit({ disputeRef })).toMatchObject({ kind: 'chargeback', feeCents: 2 * FEE });
    });

    test('what is not answered in time is lost, and evidence comes too late', async () => {
      const ref = await paid();
      await banks.dispute(ref);
      const { ref: disputeRef } = await newestDispute(ref);
      scene.fixture.advance(9 * DAY + 1_000);
      await expect(submit({ disputeRef })).rejects.toMatchObject(failure('conflict'));
      await scene.fixture.passTime();
      expect(await disputesOf(ref)).toMatchObject([{ status: 'lost' }]);
      await expect(submit({ disputeRef })).rejects.toMatchObject(failure('conflict'));
    });

    test('rejects evidence that nobody accepts, and about unknown disputes', async () => {
      const ref = await paid();
      await banks.dispute(ref);
      const { ref: disputeRef } = await newestDispute(ref);
      const bad: Partial<DisputeEvidence>[] = [
        { texts: {}, files: [] },
        { texts: { statement: 'x'.repeat(20_001) } },
        { texts: Object.fromEntries(['statement', 'accessLog'].map((name) => [name, 'y'.repeat(80_000)])) },
        { files: [pdf('receipt'), pdf('receipt')] },
        { files: [pdf('receipt', '')] },
        { files: [{ ...pdf('receipt'), bytes: new Uint8Array(4_500_001) }] },
      ];
      for (const change of bad)
        await expect(submit({ disputeRef, ...change })).rejects.toMatchObject(failure('invalid'));
      const unknown = disputeRef.slice(0, -4) + (disputeRef.endsWith('0000') ? '1111' : '0000');
      for (const other of [unknown, '', '../disputes'])
        await expect(submit({ disputeRef: other })).rejects.toMatchObject(failure('not_found'));
      expect(await newestDispute(ref)).toMatchObject({ status: 'open', evidenceDueAt: expect.any(Date) });
    });
  });
}
