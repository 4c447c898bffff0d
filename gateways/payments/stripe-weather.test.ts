import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '#tests/support/provider-server.ts';
import { type StripeDouble, startStripeDouble } from '#tests/support/stripe-double.ts';
import { benchRequest } from './contract-bench.ts';
import { CALL_MS } from './deadline.ts';
import type { PaymentErrorCode, PaymentsPort } from './port.ts';
import { createStripe } from './stripe.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const request = benchRequest({ now: () => NOW });

describe('Stripe in bad weather', () => {
  let double: StripeDouble;
  let port: PaymentsPort;
  beforeEach(async () => {
    double = await startStripeDouble({ now: () => NOW });
    port = portWith(2_000);
  });
  afterEach(() => double.stop());

  const portWith = (callMs: number) =>
    createStripe({
      secretKey: double.test.secretKey,
      webhookSecret: double.webhookSecret,
      apiBase: double.url,
      now: () => NOW,
      callMs,
    });
  const create = (key = 'sale:a') => port.createCheckout(request, key);
  const sessions = () => double.test.account.sessions.size;

  test.each<[Fault]>([['reset'], ['lost'], ['silence'], [500], [503], [409]])(
    'one %s is repeated with the same key, and opens one checkout',
    async (fault) => {
      double.faults.push(fault);
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
  ])('%j is %s; the same key then opens exactly one checkout', async (fault, code) => {
    double.weather.fault = fault;
    const retryable = code === 'unavailable' || code === 'rate_limited';
    await expect(create()).rejects.toMatchObject({ name: 'PaymentError', code, retryable });
    double.weather.fault = null;
    const { ref } = await create();
    expect(await create()).toMatchObject({ ref });
    expect(sessions()).toBe(1);
  });

  test('an answer of 500 that Stripe keeps comes again under its key, and not under another', async () => {
    double.weather.fault = 'kept500';
    await expect(create()).rejects.toMatchObject({ code: 'unavailable' });
    double.weather.fault = null;
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
  test.each(errors)('%i %s %s is %s, told without its text', async (status, type, code, ours) => {
    const message = 'Not for buyer@acre.test with sk_test_51DoubleOfStripe';
    double.weather.fault = { status, body: JSON.stringify({ error: { type, code, message } }) };
    const refusal = await create().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'PaymentError', code: ours });
    expect(String(refusal)).not.toMatch(/buyer@|sk_test/);
    expect(String(refusal)).toContain(code);
  });

  test('nobody there is unavailable', async () => {
    await double.stop();
    await expect(port.check()).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });

  test('each call ends in its time, however many requests it makes', async () => {
    expect(CALL_MS).toBeLessThan(8_000);
    const { ref } = await create();
    const hurried = portWith(400);
    double.weather.fault = 'silence';
    const calls = [
      () => hurried.createCheckout(request, 'sale:b'),
      () => hurried.getCheckout(ref),
      () => hurried.cancelCheckout(ref, 'cancel:a'),
      () => hurried.refund({ ref, amountCents: 100, reason: 'asked' }, 'refund:a'),
      () => hurried.check(),
    ];
    const begun = performance.now();
    for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'unavailable' });
    expect(performance.now() - begun).toBeLessThan(5 * 400 + 1_500);
  });

  test('a checkout that was closed though the answer was lost is closed', async () => {
    const { ref } = await create();
    double.requests.length = 0;
    double.faults.push(null, null, 'lost', 'lost');
    expect(await port.cancelCheckout(ref, 'cancel:a')).toMatchObject({ status: 'canceled' });
    expect(double.requests.filter((line) => line.endsWith('/expire'))).toHaveLength(2);
  });

  test('whoever pays while it is being closed has paid', async () => {
    const { ref } = await create();
    double.weather.before = (line) => {
      if (line.endsWith('/expire')) double.test.people.pay(ref);
    };
    await expect(port.cancelCheckout(ref, 'cancel:a')).rejects.toMatchObject({ code: 'conflict' });
    expect(await port.getCheckout(ref)).toMatchObject({ status: 'paid' });
  });
});
