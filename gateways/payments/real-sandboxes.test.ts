import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { createCoinbase } from './coinbase/provider.ts';
import { unpaidContract } from './contract-unpaid.ts';
import type { PaymentsPort } from './port.ts';
import { createStripe } from './stripe/provider.ts';

const { STRIPE_SANDBOX_KEY, COINBASE_SANDBOX_KEY_ID, COINBASE_SANDBOX_KEY_SECRET } = process.env;

/**
 * The contract against a provider's real sandbox, as far as it needs no payer, no bank and no clock of ours: those are in the
 * hands of people and of the provider. `npm test` ends with a list of the sandboxes that were skipped.
 */
function sandboxContract(name: string, missing: string | null, open: () => PaymentsPort): void {
  describe.skipIf(missing !== null)(`the sandbox of ${name}${missing ? ` (needs ${missing})` : ''}`, () => {
    unpaidContract(async () => ({
      port: open(),
      // Providers keep whole seconds.
      now: () => new Date(Math.floor(Date.now() / 1000) * 1000),
      keyPrefix: `${randomUUID()}:`,
      stop: async () => undefined,
    }));
  });
}

const noWebhooks = { webhookSecret: '' };

sandboxContract('Stripe', STRIPE_SANDBOX_KEY ? null : 'STRIPE_SANDBOX_KEY', () =>
  createStripe({ ...noWebhooks, secretKey: STRIPE_SANDBOX_KEY ?? '' }),
);

const coinbaseKeys = 'COINBASE_SANDBOX_KEY_ID and COINBASE_SANDBOX_KEY_SECRET';
sandboxContract(
  'Coinbase',
  COINBASE_SANDBOX_KEY_ID && COINBASE_SANDBOX_KEY_SECRET ? null : coinbaseKeys,
  () =>
    createCoinbase({
      ...noWebhooks,
      keyId: COINBASE_SANDBOX_KEY_ID ?? '',
      keySecret: COINBASE_SANDBOX_KEY_SECRET ?? '',
      sandbox: true,
    }),
);
