import { inspect } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeCoinbase } from '#tests/support/providers/coinbase/fake-coinbase.ts';
import { createS3Store } from './files/s3.ts';
import { createSmtpMailer } from './mail/smtp.ts';
import { createCoinbase } from './payments/coinbase/provider.ts';
import { createStripe } from './payments/stripe/provider.ts';
import { createPayPal } from './payouts/paypal/provider.ts';

/** What our adapters need to make one call of a server. */
interface Place {
  host: string;
  https: string;
}

const now = () => new Date('2026-11-20T12:00:00Z');
const callTimeoutMs = 4_000;

/** With `secure` and no key the package uses a certificate of its own, which no authority has signed and which has expired. */
const server = new SMTPServer({ secure: true, authOptional: true, logger: false, closeTimeout: 50 });
let place: Place;
beforeAll(async () => {
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.server.address();
  const host = `localhost:${typeof address === 'object' ? address?.port : ''}`;
  place = { host, https: `https://${host}` };
});
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

test.each<[string, (at: Place) => Promise<unknown>]>([
  [
    'Stripe',
    ({ https }) =>
      createStripe({
        secretKey: 'sk_test_1',
        webhookSecret: 'whsec_1',
        apiBase: https,
        now,
        callTimeoutMs,
      }).getCheckout('cs_1'),
  ],
  [
    'Coinbase',
    async ({ https }) => {
      const { keys, stop } = await startFakeCoinbase({ now });
      await stop();
      const apiBase = `${https}/sandbox/api/v1`;
      const port = createCoinbase({ ...keys.ed25519, webhookSecret: 'hook', apiBase, now, callTimeoutMs });
      return port.getCheckout('68f7a946db0529ea9b6d3a12');
    },
  ],
  [
    'PayPal',
    ({ https }) =>
      createPayPal({
        clientId: 'id',
        clientSecret: 'secret',
        webhookId: 'hook',
        mode: 'sandbox',
        apiBase: https,
        now,
        callTimeoutMs,
      }).balance(),
  ],
  [
    'the file store',
    ({ https }) =>
      createS3Store(
        {
          endpoint: https,
          bucket: 'files',
          region: 'us-east-1',
          accessKeyId: 'id',
          secretAccessKey: 'secret',
        },
        { now, retries: 0, timeoutMs: callTimeoutMs },
      ).check(),
  ],
  [
    'mail',
    async ({ host }) => {
      const mailer = createSmtpMailer({
        url: `smtps://${host}`,
        sender: { address: 'post@acre.test' },
        timeoutMs: callTimeoutMs,
      });
      await mailer.check().finally(() => mailer.close());
    },
  ],
])('%s is not called where the certificate is not valid', async (_name, call) => {
  const refused = await call(place).then(
    () => 'it was called',
    (error: unknown) => inspect(error, { depth: 9 }),
  );
  expect(refused).toMatch(/self[- ]signed certificate|certificate has expired/i);
});
