import { startStripeDouble } from '#tests/support/stripe-double.ts';
import { paymentsContract } from './contract.ts';
import type { PaymentsBench } from './contract-bench.ts';
import { createStripe } from './stripe.ts';

const START = new Date('2026-11-20T12:00:00Z');

paymentsContract('Stripe', async (): Promise<PaymentsBench> => {
  let now = START;
  const double = await startStripeDouble({ now: () => now, refunds: 'pending' });
  const { test: mode, webhookSecret, url: apiBase } = double;
  const { people } = mode;
  return {
    port: createStripe({ secretKey: mode.secretKey, webhookSecret, apiBase, now: () => now, callMs: 2_000 }),
    now: () => now,
    advance(milliseconds) {
      now = new Date(now.getTime() + milliseconds);
    },
    pay: async (ref) => people.pay(ref),
    payLater: async (ref) => people.submitTransfer(ref),
    settle: async (ref) => people.settleTransfer(ref),
    bounce: async (ref) => people.bounceTransfer(ref),
    settleRefund: async (ref) => people.settleRefund(ref),
    failRefund: async (ref) => people.failRefund(ref),
    dispute: async (ref) => people.dispute(ref),
    signedWebhook: async (ref, secret) => double.signed(double.newest(mode, ref), secret),
    async sabotage(kind) {
      double.weather.fault = kind;
    },
    stop: double.stop,
  };
});
