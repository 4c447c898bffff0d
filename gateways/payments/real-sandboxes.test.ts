import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { HOUR } from '#platform/durations.ts';
import { createCoinbase } from './coinbase/provider.ts';
import { fixtureRequest } from './contract-fixture.ts';
import type { PaymentsPort } from './port.ts';
import { createStripe } from './stripe/provider.ts';

const { STRIPE_SANDBOX_KEY, COINBASE_SANDBOX_KEY_ID, COINBASE_SANDBOX_KEY_SECRET } = process.env;

/** Tests against a provider's real sandbox that need no payer. */
function sandboxTests(name: string, missing: string | null, open: () => PaymentsPort): void {
  describe.skipIf(missing !== null)(`the sandbox of ${name}${missing ? ` (needs ${missing})` : ''}`, () => {
    test('opens, reads, repeats, rejects and closes a checkout', async () => {
      const port = open();
      expect(port.livemode).toBe(false);
      await port.check();
      const expiresAt = new Date(Math.floor(Date.now() / 1000) * 1000 + HOUR);
      const cheap = { amountCents: 25_000, lines: [{ name: '12 Elm Street', amountCents: 25_000 }] };
      const request = fixtureRequest(
        { now: () => new Date() },
        { ...cheap, expiresAt, saleId: randomUUID() },
      );
      const key = `sandbox:${request.saleId}`;
      const { ref, url } = await port.createCheckout(request, key);
      const state = {
        ref,
        url,
        status: 'open',
        saleId: request.saleId,
        amountCents: 25_000,
        currency: 'usd',
        expiresAt,
      };
      expect(await port.getCheckout(ref)).toMatchObject({ ...state, livemode: false });
      expect(await port.createCheckout(request, key)).toMatchObject({ ref });
      const other = { ...request, description: 'Something else' };
      await expect(port.createCheckout(other, key)).rejects.toMatchObject({ code: 'conflict' });
      const refund = { ref, amountCents: 100, reason: 'nothing was paid' };
      await expect(port.refund(refund, `${key}:refund`)).rejects.toMatchObject({ code: 'conflict' });
      expect(await port.cancelCheckout(ref, `${key}:cancel`)).toMatchObject({
        status: 'canceled',
        url: null,
      });
      expect(await port.cancelCheckout(ref, `${key}:again`)).toMatchObject({ status: 'canceled' });
      const unknown = ref.slice(0, -4) + (ref.endsWith('0000') ? '1111' : '0000');
      await expect(port.getCheckout(unknown)).rejects.toMatchObject({ code: 'not_found' });
    });

    test('names our account, its balance, its settings and what moved it', async () => {
      const port = open();
      expect(await port.account()).toMatch(/^\S+$/);
      expect(await port.balance()).toEqual({
        availableCents: expect.any(Number),
        pendingCents: expect.any(Number),
      });
      expect(await port.accountSettings()).toHaveProperty('manualPayouts');
      const since = new Date(Date.now() - 7 * 24 * HOUR);
      const page = await port.listTransactions({ since });
      const refs = page.transactions.map(({ ref }) => ref);
      expect(new Set(refs).size).toBe(refs.length);
      expect(await port.listTransactions({ since })).toEqual(page);
    });
  });
}

const noWebhooks = { webhookSecret: '' };

sandboxTests('Stripe', STRIPE_SANDBOX_KEY ? null : 'STRIPE_SANDBOX_KEY', () =>
  createStripe({ ...noWebhooks, secretKey: STRIPE_SANDBOX_KEY ?? '' }),
);

const coinbaseKeys = 'COINBASE_SANDBOX_KEY_ID and COINBASE_SANDBOX_KEY_SECRET';
sandboxTests('Coinbase', COINBASE_SANDBOX_KEY_ID && COINBASE_SANDBOX_KEY_SECRET ? null : coinbaseKeys, () =>
  createCoinbase({
    ...noWebhooks,
    keyId: COINBASE_SANDBOX_KEY_ID ?? '',
    keySecret: COINBASE_SANDBOX_KEY_SECRET ?? '',
    sandbox: true,
  }),
);
