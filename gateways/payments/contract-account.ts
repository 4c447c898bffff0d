import { describe, expect, test } from 'vitest';
import { boundTo } from './account.ts';
import type { PaymentsFixture } from './contract-fixture.ts';
import { contractScene, failure } from './contract-scene.ts';

/** What every provider says about our account with it. */
export function accountContract(openFixture: () => Promise<PaymentsFixture>): void {
  describe('account', () => {
    const scene = contractScene(openFixture);

    test('names our account, the same every time, and answers only about payments bound to it', async () => {
      const account = await scene.port.account();
      expect(account).toMatch(/^\S+$/);
      expect(await scene.port.account()).toBe(account);
      const ref = await scene.open();
      for (const bound of [account, null])
        expect(await boundTo(scene.port, { livemode: false, account: bound }).getCheckout(ref)).toMatchObject(
          {
            ref,
          },
        );
      const unavailable = failure('unavailable');
      const elsewhere = boundTo(scene.port, { livemode: false, account: 'another' });
      const request = { ref, amountCents: 100, reason: 'asked' };
      await expect(elsewhere.getCheckout(ref)).rejects.toMatchObject(unavailable);
      await expect(elsewhere.createCheckout(scene.request(), scene.key())).rejects.toMatchObject(unavailable);
      await expect(elsewhere.cancelCheckout(ref, scene.key())).rejects.toMatchObject(unavailable);
      await expect(elsewhere.refund(request, scene.key())).rejects.toMatchObject(unavailable);
      await expect(elsewhere.check()).rejects.toMatchObject(unavailable);
      expect(() => boundTo(scene.port, { livemode: true, account })).toThrow(
        expect.objectContaining(unavailable),
      );
      await scene.expectStatus(ref, 'open');
    });
  });
}
