import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTokenSigner } from '#gateways/payments/coinbase/jwt.ts';
import { type FakeCoinbase, startFakeCoinbase } from './fake-coinbase.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const GOOD = { amount: '100.50', currency: 'USDC' };

describe("the fake Coinbase follows Coinbase's rules", () => {
  let fake: FakeCoinbase;
  beforeEach(async () => {
    fake = await startFakeCoinbase({ now: () => NOW });
  });
  afterEach(() => fake.stop());

  const PATH = '/sandbox/api/v1/checkouts';
  const token = (change: { method?: string; host?: string; path?: string; now?: Date } = {}) => {
    const { host } = new URL(fake.url);
    return createTokenSigner(fake.keys.ed25519)({ method: 'POST', host, path: PATH, now: NOW, ...change });
  };
  async function post(body: object, headers: Record<string, string> = {}, path = PATH) {
    const response = await fetch(fake.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token({ path })}`, ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }
  const unauthorized = { status: 401, body: { errorType: 'unauthorized' } };
  const invalid = { status: 400, body: { errorType: 'invalid_request', correlationId: expect.any(String) } };

  test('opens a checkout for a day when no expiry is given', async () => {
    expect(await post(GOOD)).toMatchObject({
      status: 201,
      body: {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        status: 'ACTIVE',
        amount: '100.50',
        expiresAt: '2026-11-21T12:00:00.000Z',
      },
    });
  });

  test('accepts a token only for its own request, within its lifetime and signed with its own key', async () => {
    const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
    const right = token();
    const [head, claims, signature = ''] = right.split('.');
    const other = signature.startsWith('A') ? 'B' : 'A';
    const wrong = [
      '',
      'nonsense',
      token({ method: 'GET' }),
      token({ path: `${PATH}/1` }),
      token({ host: 'business.coinbase.com' }),
      token({ now: later(-120) }),
      token({ now: later(1) }),
      `${head}.${claims}.${other}${signature.slice(1)}`,
      `${head}.${Buffer.from('{}').toString('base64url')}.${signature}`,
    ];
    for (const value of wrong)
      expect(await post(GOOD, { authorization: `Bearer ${value}` }), value).toMatchObject(unauthorized);
    expect(await post(GOOD, { authorization: `Bearer ${token({ now: later(-119) })}` })).toMatchObject({
      status: 201,
    });
  });

  test.each([
    [{ color: 'green' }],
    [{ amount: '100.505' }],
    [{ amount: 100 }],
    [{ amount: '0.00' }],
    [{ amount: '100000000.01' }],
    [{ currency: 'DOGE' }],
    [{ description: 'x'.repeat(501) }],
    [{ metadata: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`k${at}`, 'v'])) }],
    [{ successRedirectUrl: 'http://market.example' }],
    [{ expiresAt: NOW.toISOString() }],
    [{ expiresAt: 'soon' }],
  ])('rejects %j', async (change) => {
    expect(await post({ ...GOOD, ...change })).toMatchObject(invalid);
  });

  test('accepts only UUIDs of version 4 as idempotency keys, each for one request body', async () => {
    expect(await post(GOOD, { 'x-idempotency-key': 'sale:a' })).toMatchObject(invalid);
    expect(await post(GOOD, { 'x-idempotency-key': '8e03978e-40d5-13e8-bc93-6894a57f9324' })).toMatchObject(
      invalid,
    );
    const key = { 'x-idempotency-key': '8e03978e-40d5-43e8-bc93-6894a57f9324' };
    const first = await post(GOOD, key);
    expect(await post(GOOD, key)).toEqual(first);
    expect(await post({ ...GOOD, amount: '1.00' }, key)).toMatchObject({
      status: 422,
      body: { errorType: 'idempotency_error' },
    });
    expect(fake.sandbox.account.checkouts.size).toBe(1);
  });

  test('a checkout accepts one payment, and only an active one can be deactivated', async () => {
    const { body } = await post(GOOD);
    fake.sandbox.account.pay(body.id);
    expect(() => fake.sandbox.account.pay(body.id)).toThrow(/COMPLETED/);
    expect(await post({}, {}, `${PATH}/${body.id}/deactivate`)).toMatchObject(invalid);
    expect(await post({ amount: '100.51' }, {}, `${PATH}/${body.id}/refund`)).toMatchObject(invalid);
    expect(await post({ amount: '100.50' }, {}, `${PATH}/${body.id}/refund`)).toMatchObject({
      status: 200,
      body: { refund: { status: 'PENDING', amount: '100.50' }, checkout: { status: 'COMPLETED' } },
    });
  });
});
