import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '#tests/support/providers/provider-server.ts';
import { type FakeStripe, startFakeStripe } from '#tests/support/providers/stripe/fake-stripe.ts';
import { fixtureRequest } from '../contract-fixture.ts';
import type { PaymentErrorCode, PaymentsPort } from '../port.ts';
import { CALL_TIMEOUT_MS } from '../timeout.ts';
import { createStripe } from './provider.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const request = fixtureRequest({ now: () => NOW });

describe('Stripe under faults', () => {
  let double: FakeStripe;
  let port: PaymentsPort;
  beforeEach(async () => {
    double = await startFakeStripe({ now: () => NOW });
    port = portWith(CALL_TIMEOUT_MS);
  });
  afterEach(() => double.stop());

  const portWith = (callTimeoutMs: number) =>
    createStripe({
      secretKey: double.test.secretKey,
      webhookSecret: double.webhookSecret,
      apiBase: double.url,
      now: () => NOW,
      callTimeoutMs,
    });
  const create = (key = 'sale:a', through = port) => through.createCheckout(request, key);
  const sessions = () => double.test.account.sessions.size;

  test.each<[Fault]>([['reset'], ['lost'], ['silence'], [500], [503], [409]])(
    'one %s is retried with the same key and opens one checkout',
    async (fault) => {
      double.queuedFaults.push(fault);
      await create();
      expect(double.requests).toEqual(['POST /v1/checkout/sessions', 'POST /v1/checkout/sessions']);
      expect(sessions()).toBe(1);
    },
  );

  test.each<[Fault, PaymentErrorCode]>([
    ['reset', 'unavailable'],
    ['lost', 'unavailable'],
    ['silence', 'unavailable'],
    ['half', 'unavailable'],
    ['garbage', 'unavailable'],
    [500, 'unavailable'],
    [429, 'rate_limited'],
    [402, 'declined'],
    [{ status: 502, body: '<html>Bad Gateway</html>' }, 'unavailable'],
    [{ status: 200, body: 'null' }, 'unavailable'],
    [{ status: 200, body: '{}' }, 'unavailable'],
    [{ status: 200, body: '{"id":"re_1","object":"refund"}' }, 'unavailable'],
    [{ status: 404, body: '{"message":"nope"}' }, 'unavailable'],
    [{ status: 429, body: '{"message":"slow down"}' }, 'rate_limited'],
    [{ status: 403, body: '{"message":"not you"}' }, 'auth'],
  ])('%j is %s; retrying with the same key opens exactly one checkout', async (fault, code) => {
    double.faultSettings.fault = fault;
    const retryable = code === 'unavailable' || code === 'rate_limited';
    // Nothing answers a silent server's client, so a short timeout loses nothing there but the wait.
    const impatient = fault === 'silence' ? portWith(2_000) : port;
    await expect(create('sale:a', impatient)).rejects.toMatchObject({
      name: 'PaymentError',
      code,
      retryable,
    });
    double.faultSettings.fault = null;
    const { ref } = await create();
    expect(await create()).toMatchObject({ ref });
    expect(sessions()).toBe(1);
  });

  test('a 500 that Stripe caches is returned again for its key, but not for another', async () => {
    double.faultSettings.fault = 'kept500';
    await expect(create()).rejects.toMatchObject({ code: 'unavailable' });
    double.faultSettings.fault = null;
    await expect(create()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(create('sale:b')).resolves.toHaveProperty('ref');
    expect(sessions()).toBe(1);
  });

  const errors: [number, string, string, PaymentErrorCode][] = [
    [400, 'invalid_request_error', 'resource_missing', 'not_found'],
    [400, 'invalid_request_error', 'amount_too_large', 'limit'],
    [400, 'invalid_request_error', 'amount_too_small', 'limit'],
    [400, 'invalid_request_error', 'charge_exceeds_transaction_limit', 'limit'],
    [402, 'card_error', 'charge_exceeds_transaction_limit', 'limit'],
    [402, 'card_error', 'card_declined', 'declined'],
    [400, 'invalid_request_error', 'url_invalid', 'invalid'],
    [400, 'idempotency_error', '', 'conflict'],
    [409, 'idempotency_error', 'idempotency_key_in_use', 'unavailable'],
    [400, 'invalid_request_error', 'charge_disputed', 'conflict'],
    [429, 'invalid_request_error', 'lock_timeout', 'rate_limited'],
    [401, 'invalid_request_error', 'api_key_expired', 'auth'],
    [403, 'invalid_request_error', '', 'auth'],
  ];
  test.each(errors)('%i %s %s is %s, reported without its text', async (status, type, code, ours) => {
    const message = 'Not for buyer@acre.test with sk_test_51DoubleOfStripe';
    double.faultSettings.fault = { status, body: JSON.stringify({ error: { type, code, message } }) };
    const refusal = await create().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'PaymentError', code: ours });
    expect(String(refusal)).not.toMatch(/buyer@|sk_test/);
    expect(String(refusal)).toContain(code);
  });

  test('an unreachable server is unavailable', async () => {
    await double.stop();
    await expect(port.check()).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });

  test('each call respects its timeout, however many requests it makes', async () => {
    expect(CALL_TIMEOUT_MS).toBeLessThan(6_000);
    const { ref } = await create();
    const hurried = portWith(400);
    double.faultSettings.fault = 'silence';
    const calls = [
      () => hurried.createCheckout(request, 'sale:b'),
      () => hurried.getCheckout(ref),
      () => hurried.cancelCheckout(ref, 'cancel:a'),
      () => hurried.refund({ ref, amountCents: 100, reason: 'asked' }, 'refund:a'),
      () => hurried.check(),
    ];
    const begun = performance.now();
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  test('a checkout counts as closed even when the response was lost', async () => {
    const { ref } = await create();
    double.requests.length = 0;
    double.queuedFaults.push(null, null, 'lost', 'lost');
    expect(await port.cancelCheckout(ref, 'cancel:a')).toMatchObject({ status: 'canceled' });
    expect(double.requests.filter((line) => line.endsWith('/expire'))).toHaveLength(2);
  });

  test('a payment made while the checkout is being closed counts', async () => {
    const { ref } = await create();
    double.faultSettings.beforeExecute = (line) => {
      if (line.endsWith('/expire')) double.test.actors.pay(ref);
    };
    await expect(port.cancelCheckout(ref, 'cancel:a')).rejects.toMatchObject({ code: 'conflict' });
    expect(await port.getCheckout(ref)).toMatchObject({ status: 'paid' });
  });
});
