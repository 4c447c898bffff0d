import { startCoinbaseDouble } from '#tests/support/coinbase-double.ts';
import { createCoinbase } from './coinbase.ts';
import { paymentsContract } from './contract.ts';
import type { PaymentsBench } from './contract-bench.ts';

const START = new Date('2026-11-20T12:00:00Z');

paymentsContract('Coinbase', async (): Promise<PaymentsBench> => {
  let now = START;
  const double = await startCoinbaseDouble({ now: () => now });
  const { account, base: apiBase } = double.sandbox;
  const { webhookSecret, keys } = double;
  return {
    port: createCoinbase({ ...keys.ed25519, webhookSecret, apiBase, now: () => now, callMs: 1_500 }),
    now: () => now,
    advance(milliseconds) {
      now = new Date(now.getTime() + milliseconds);
    },
    pay: async (ref) => account.pay(ref),
    payLater: async (ref) => account.submit(ref),
    settle: async (ref) => account.settle(ref),
    bounce: async (ref) => account.bounce(ref),
    settleRefund: async (ref) => account.settleRefund(ref),
    failRefund: async (ref) => account.failRefund(ref),
    signedWebhook: async (ref, secret) => double.signed(double.newest(account, ref), secret),
    async sabotage(kind) {
      double.weather.fault = kind;
    },
    stop: double.stop,
  };
});
