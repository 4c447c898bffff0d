import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createPayPal } from './paypal/provider.ts';
import type { PayoutRequest, PayoutsPort } from './port.ts';
import { createStripeConnect } from './stripe/provider.ts';

const { STRIPE_SANDBOX_KEY, PAYPAL_SANDBOX_CLIENT_ID, PAYPAL_SANDBOX_SECRET } = process.env;

/** Tests against a provider's real sandbox that need no recipient. */
function sandboxTests(
  name: string,
  missing: string | null,
  open: () => PayoutsPort,
  more: (open: () => PayoutsPort) => void,
): void {
  describe.skipIf(missing !== null)(`the sandbox of ${name}${missing ? ` (needs ${missing})` : ''}`, () => {
    test('names our account and its balance, and knows nothing of what was never sent', async () => {
      const port = open();
      expect(port.livemode).toBe(false);
      await port.check();
      expect(await port.account()).toMatch(/^\S+$/);
      expect(await port.balance()).toEqual({
        availableCents: expect.any(Number),
        pendingCents: expect.any(Number),
      });
      const key = `payout:${randomUUID()}:1`;
      expect(await port.find({ key, ref: null, sentAt: new Date() })).toBeNull();
    });
    more(open);
  });
}

const request = (change: Partial<PayoutRequest>): PayoutRequest => {
  const saleId = randomUUID();
  return {
    key: `payout:${saleId}:1`,
    saleId,
    amountCents: 100,
    destination: '',
    sources: [],
    description: 'A payout of a test',
    ...change,
  };
};

sandboxTests(
  'Stripe Connect',
  STRIPE_SANDBOX_KEY ? null : 'STRIPE_SANDBOX_KEY',
  () => createStripeConnect({ secretKey: STRIPE_SANDBOX_KEY ?? '', webhookSecrets: [] }),
  (open) => {
    test('opens an account for a seller, which is paid nothing before it is set up', async () => {
      const port = open();
      const { onboarding } = port;
      if (!onboarding) throw new Error('Sellers need an account');
      const agentId = randomUUID();
      const seller = { agentId, email: `${agentId}@market.example`, name: 'Sandra Seller' };
      const account = await onboarding.create(seller, `account:${agentId}`);
      expect(account).toMatchObject({ transfersActive: false, requirement: expect.stringMatching(/\.$/) });
      expect(await onboarding.create(seller, `account:${agentId}`)).toMatchObject({ ref: account.ref });
      expect(await onboarding.state(account.ref)).toMatchObject({ ref: account.ref, transfersActive: false });
      const urls = { returnUrl: 'https://market.example/back', refreshUrl: 'https://market.example/again' };
      expect(URL.canParse((await onboarding.link(account.ref, urls)).url)).toBe(true);
      await expect(onboarding.loginLink(account.ref)).rejects.toMatchObject({ code: 'conflict' });
      expect(await port.send(request({ destination: account.ref }))).toMatchObject({
        status: 'failed',
        items: [],
        failure: 'account_inactive',
      });
      await expect(onboarding.state('acct_1Nobody')).rejects.toMatchObject({ code: 'not_found' });
      expect(await port.send(request({ destination: 'acct_1Nobody' }))).toMatchObject({
        failure: 'destination_unknown',
      });
    });
  },
);

const paypalKeys = 'PAYPAL_SANDBOX_CLIENT_ID and PAYPAL_SANDBOX_SECRET';
sandboxTests(
  'PayPal',
  PAYPAL_SANDBOX_CLIENT_ID && PAYPAL_SANDBOX_SECRET ? null : paypalKeys,
  () =>
    createPayPal({
      clientId: PAYPAL_SANDBOX_CLIENT_ID ?? '',
      clientSecret: PAYPAL_SANDBOX_SECRET ?? '',
      webhookId: 'none',
      mode: 'sandbox',
    }),
  (open) => {
    test('sends a payout once for each key, and finds it', async () => {
      const port = open();
      const asked = request({ destination: `${randomUUID()}@market.example` });
      const { ref } = await port.send(asked);
      expect(ref).toMatch(/^\S+$/);
      expect(await port.send(asked)).toMatchObject({ ref, key: asked.key });
      await expect(port.send({ ...asked, amountCents: 101 })).rejects.toMatchObject({ code: 'conflict' });
      expect(await port.find({ key: asked.key, ref, sentAt: new Date() })).toMatchObject({ ref });
      const unknown = port.find({ key: asked.key, ref: 'AAAAAAAAAAAAA', sentAt: new Date() });
      await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
    });
  },
);
