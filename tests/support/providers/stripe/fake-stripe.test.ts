import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FakeStripe, startFakeStripe } from './fake-stripe.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const IN_AN_HOUR = NOW.getTime() / 1000 + 3_600;

/** A valid form, in the order of Stripe's documentation. */
const FORM = {
  mode: 'payment',
  ui_mode: 'hosted_page',
  'allowed_payment_method_types[0]': 'card',
  'line_items[0][quantity]': '1',
  'line_items[0][price_data][currency]': 'usd',
  'line_items[0][price_data][unit_amount]': '10000',
  'line_items[0][price_data][product_data][name]': '12 Elm Street',
  success_url: 'https://market.example/done',
  cancel_url: 'https://market.example/back',
  expires_at: String(IN_AN_HOUR),
};

describe("the fake Stripe follows Stripe's rules", () => {
  let fake: FakeStripe;
  let keys: number;
  beforeEach(async () => {
    fake = await startFakeStripe({ now: () => NOW });
    keys = 0;
  });
  afterEach(() => fake.stop());

  async function post(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
    keys += 1;
    const response = await fetch(`${fake.url}/v1/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${fake.test.secretKey}`,
        'stripe-version': '2026-10-28.endive',
        'idempotency-key': `key-${keys}`,
        ...headers,
      },
      body: new URLSearchParams(form),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }
  const create = (form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    post('checkout/sessions', { ...FORM, ...form }, headers);
  const refused = (code: string | undefined, param: string) => ({
    status: 400,
    body: { error: { type: 'invalid_request_error', param, ...(code ? { code } : {}) } },
  });

  test('opens a session for a valid form', async () => {
    expect(await create()).toMatchObject({
      status: 200,
      body: { object: 'checkout.session', status: 'open', amount_total: 10_000, payment_intent: null },
    });
  });

  test.each([
    ['color', 'green', 'parameter_unknown', 'color'],
    ['payment_method_types[0]', 'card', 'parameter_unknown', 'payment_method_types'],
    ['line_items[0][price_data][color]', 'red', 'parameter_unknown', 'line_items[0][price_data][color]'],
    ['ui_mode', 'hosted', undefined, 'ui_mode'],
    ['mode', 'gift', undefined, 'mode'],
    ['allowed_payment_method_types[0]', 'shells', undefined, 'allowed_payment_method_types[0]'],
    [
      'line_items[0][price_data][unit_amount]',
      '100.5',
      'parameter_invalid_integer',
      'line_items[0][price_data][unit_amount]',
    ],
    ['line_items[0][quantity]', 'two', undefined, 'line_items[0][quantity]'],
    ['line_items[0][price_data][unit_amount]', '49', 'amount_too_small', 'line_items'],
    ['line_items[0][price_data][unit_amount]', '100000000', 'amount_too_large', 'line_items'],
    ['expires_at', String(IN_AN_HOUR - 1_801), undefined, 'expires_at'],
    ['expires_at', String(IN_AN_HOUR + 82_801), undefined, 'expires_at'],
    ['success_url', 'somewhere', 'url_invalid', 'success_url'],
    ['customer_email', 'buyer', 'email_invalid', 'customer_email'],
    ['metadata[sale_id]', 'x'.repeat(501), undefined, 'metadata[sale_id]'],
    ['expand[0]', 'buyer', undefined, 'expand'],
  ])('rejects %s=%s', async (name, value, code, param) => {
    expect(await create({ [name]: value })).toMatchObject(refused(code, param));
  });

  test('reports missing parameters', async () => {
    const { mode: _, ...rest } = FORM;
    expect(await post('checkout/sessions', rest)).toMatchObject({ status: 400 });
    const line = 'line_items[0][price_data][currency]';
    const { [line]: __, ...priceless } = FORM;
    expect(await post('checkout/sessions', priceless)).toMatchObject(refused('parameter_missing', line));
  });

  test('requires the API version, a valid secret key and a known path', async () => {
    expect(await create({}, { 'stripe-version': '2020-08-27' })).toMatchObject({ status: 400 });
    expect(await create({}, { authorization: 'Bearer sk_test_other_key' })).toMatchObject({
      status: 401,
      body: { error: { message: 'Invalid API Key provided: sk_test_****_key' } },
    });
    expect(await post('charges', {})).toMatchObject({ status: 404 });
    expect(await post('refunds', { payment_intent: 'pi_none' })).toMatchObject({
      status: 404,
      body: { error: { code: 'resource_missing' } },
    });
  });

  test('repeats its response to an idempotency key, for the same path and form only', async () => {
    const headers = { 'idempotency-key': 'mine' };
    const first = await create({}, headers);
    const again = await create({}, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = { status: 400, body: { error: { type: 'idempotency_error' } } };
    expect(await create({ mode: 'setup' }, headers)).toMatchObject(other);
    expect(await post(`checkout/sessions/${first.body.id}/expire`, {}, headers)).toMatchObject(other);
    expect(fake.test.account.sessions.size).toBe(1);
  });

  test('a form that fails validation leaves its idempotency key free', async () => {
    const headers = { 'idempotency-key': 'mine' };
    expect(await create({ color: 'green' }, headers)).toMatchObject({ status: 400 });
    expect(await create({}, headers)).toMatchObject({ status: 200 });
  });

  test('expires only open sessions', async () => {
    const { body } = await create();
    const expire = () => post(`checkout/sessions/${body.id}/expire`, {});
    expect(await expire()).toMatchObject({ status: 200, body: { status: 'expired', url: null } });
    expect(await expire()).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('has a status of `expired`') } },
    });
    expect(fake.test.account.events.map(({ type }) => type)).toEqual(['checkout.session.expired']);
  });
});
