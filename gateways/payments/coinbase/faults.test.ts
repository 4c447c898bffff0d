import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeCoinbase, startFakeCoinbase } from '#tests/support/providers/coinbase/fake-coinbase.ts';
import type { Fault } from '#tests/support/providers/provider-server.ts';
import { fixtureRequest } from '../contract-fixture.ts';
import type { PaymentErrorCode, PaymentsPort } from '../port.ts';
import { CALL_TIMEOUT_MS } from '../timeout.ts';
import { createCoinbase } from './provider.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const request = fixtureRequest({ now: () => NOW });

describe('Coinbase under faults', () => {
  let double: FakeCoinbase;
  let port: PaymentsPort;
  beforeEach(async () => {
    double = await startFakeCoinbase({ now: () => NOW });
    port = portWith(CALL_TIMEOUT_MS);
  });
  afterEach(() => double.stop());

  const portWith = (callTimeoutMs: number) =>
    createCoinbase({
      ...double.keys.ed25519,
      webhookSecret: double.webhookSecret,
      apiBase: double.sandbox.base,
      now: () => NOW,
      callTimeoutMs,
    });
  const create = (through = port) => through.createCheckout(request, 'sale:a');
  const checkouts = () => double.sandbox.account.checkouts.size;

  test.each<[Fault]>([['reset'], ['lost'], ['silence'], ['half'], [500], [503]])(
    'one %s is retried with the same key and opens one checkout',
    async (fault) => {
      double.queuedFaults.push(fault);
      await create();
      expect(double.requests).toHaveLength(2);
      expect(checkouts()).toBe(1);
    },
  );

  const whole = {
    id: '68f7a946db0529ea9b6d3a12',
    url: 'https://payments.coinbase.com/payment-links/pl_1',
    amount: '100.00',
    currency: 'USDC',
    network: 'base',
    status: 'ACTIVE',
    createdAt: NOW.toISOString(),
  };
  const odd = (change: object): Fault => ({ status: 201, body: JSON.stringify({ ...whole, ...change }) });
  test.each<[Fault, PaymentErrorCode]>([
    ['reset', 'unavailable'],
    ['lost', 'unavailable'],
    ['silence', 'unavailable'],
    ['half', 'unavailable'],
    ['garbage', 'unavailable'],
    [500, 'unavailable'],
    [429, 'rate_limited'],
    [401, 'auth'],
    [403, 'auth'],
    [{ status: 302, body: '' }, 'unavailable'],
    [{ status: 400, body: '<html>' }, 'invalid'],
    [{ status: 409, body: '{"errorType":"idempotency_error"}' }, 'conflict'],
    [{ status: 422, body: '{"errorType":"idempotency_error"}' }, 'conflict'],
    [{ status: 201, body: '{}' }, 'unavailable'],
    [{ status: 201, body: 'null' }, 'unavailable'],
    [odd({ status: 'GIVEN_AWAY' }), 'unavailable'],
    [odd({ amount: '100.005' }), 'unavailable'],
    [odd({ amount: '1e5' }), 'unavailable'],
    [odd({ createdAt: 'yesterday' }), 'unavailable'],
    [odd({ id: '../../refund' }), 'unavailable'],
  ])('%j is %s; retrying with the same key opens exactly one checkout', async (fault, code) => {
    double.faultSettings.fault = fault;
    const retryable = code === 'unavailable' || code === 'rate_limited';
    // Nothing answers a silent server's client, so a short timeout loses nothing there but the wait.
    const impatient = fault === 'silence' ? portWith(1_000) : port;
    await expect(create(impatient)).rejects.toMatchObject({ name: 'PaymentError', code, retryable });
    double.faultSettings.fault = null;
    const { ref } = await create();
    expect(await create()).toMatchObject({ ref });
    expect(checkouts()).toBe(1);
  });

  test('the text of an error is not quoted', async () => {
    const body = { errorType: 'invalid_request', errorMessage: 'buyer@acre.test', correlationId: '<b>' };
    double.faultSettings.fault = { status: 400, body: JSON.stringify(body) };
    await expect(create()).rejects.toMatchObject({ message: 'Coinbase: 400, invalid_request' });
  });

  test('an unreachable server is unavailable', async () => {
    await double.stop();
    await expect(port.check()).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });

  test('each call respects its timeout, however many requests it makes', async () => {
    const { ref } = await create();
    const hurried = portWith(300);
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
});
