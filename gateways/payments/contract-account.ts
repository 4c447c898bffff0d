import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import type { PaymentsFixture } from './contract-fixture.ts';
import { contractScene, failure } from './contract-scene.ts';

/** What every provider says about our account with it, and what it forgets. */
export function accountContract(openFixture: () => Promise<PaymentsFixture>): void {
  describe('account', () => {
    const scene = contractScene(openFixture);
    const { key, paid, refund } = scene;

    test('with keys of another account or mode its checkouts do not exist', async () => {
      const { otherKeys } = scene.fixture;
      const ref = await paid();
      expect(otherKeys.livemode).toBe(true);
      await expect(otherKeys.getCheckout(ref)).rejects.toMatchObject(failure('not_found'));
      const request = { ref, amountCents: 100, reason: 'asked' };
      await expect(otherKeys.refund(request, key())).rejects.toMatchObject(failure('not_found'));
      expect(await otherKeys.listTransactions({ since: new Date(0) })).toMatchObject({ transactions: [] });
      const theirs = await otherKeys.createCheckout(scene.request(), 'sale:1');
      expect(await otherKeys.getCheckout(theirs.ref)).toMatchObject({ livemode: true, status: 'open' });
      await expect(scene.port.getCheckout(theirs.ref)).rejects.toMatchObject(failure('not_found'));
    });

    test('says whether the balance leaves to our bank by itself', async ({ skip }) => {
      const { treasury } = scene.fixture;
      if (!treasury) {
        expect(await scene.port.accountSettings()).toMatchObject({ manualPayouts: null });
        return skip('the provider does not say');
      }
      for (const manual of [true, false]) {
        treasury.setManualPayouts(manual);
        expect(await scene.port.accountSettings()).toMatchObject({ manualPayouts: manual });
      }
    });

    test('forgets an idempotency key after a day: the same call is then another one', async () => {
      const first = await scene.port.createCheckout(scene.request(), 'sale:a');
      const ref = await paid();
      const given = await refund(ref, 100, 'refund:a');
      scene.fixture.advance(DAY - MINUTE);
      expect(await refund(ref, 100, 'refund:a')).toMatchObject({ ref: given.ref });
      scene.fixture.advance(HOUR);
      expect((await scene.port.createCheckout(scene.request(), 'sale:a')).ref).not.toBe(first.ref);
      expect((await refund(ref, 200, 'refund:a')).ref).not.toBe(given.ref);
      expect((await scene.port.getCheckout(ref)).refunds).toHaveLength(2);
    });
  });
}
