import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type StripeDouble, startStripeDouble } from './stripe-double.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const IN_AN_HOUR = NOW.getTime() / 1000 + 3_600;

/** A form that Stripe takes, in the order of its documentation. */
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

describe("the double of Stripe keeps Stripe's rules", () => {
  let double: StripeDouble;
  let keys: number;
  beforeEach(async () => {
    double = await startStripeDouble({ now: () => NOW });
    keys = 0;
  });
  afterEach(() => double.stop());

  async function post(path: string, form: Record<string, string>, headers: Record<string, string> = {}) {
    keys += 1;
    const response = await fetch(`${double.url}/v1/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${double.test.secretKey}`,
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

  test('opens a session for a form that is right', async () => {
    expect(await create()).toMatchObject({
      status: 200,
      body: { object: 'checkout.session', status: 'open', amount_total: 10_000, payment_intent: null },
    });
  });

  test.each([
    ['colour', 'green', 'parameter_unknown', 'colour'],
    ['payment_method_types[0]', 'card', 'parameter_unknown', 'payment_method_types'],
    ['line_items[0][price_data][colour]', 'red', 'parameter_unknown', 'line_items[0][price_data][colour]'],
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
  ])('refuses %s=%s', async (name, value, code, param) => {
    expect(await create({ [name]: value })).toMatchObject(refused(code, param));
  });

  test('misses what is missing', async () => {
    const { mode: _, ...rest } = FORM;
    expect(await post('checkout/sessions', rest)).toMatchObject({ status: 400 });
    const line = 'line_items[0][price_data][currency]';
    const { [line]: __, ...priceless } = FORM;
    expect(await post('checkout/sessions', priceless)).toMatchObject(refused('parameter_missing', line));
  });

  test('asks for the API version, a key of its own, and a known place', async () => {
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

  test('keeps the answer to a key, for that place and that form', async () => {
    const headers = { 'idempotency-key': 'mine' };
    const first = await create({}, headers);
    const again = await create({}, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = { status: 400, body: { error: { type: 'idempotency_error' } } };
    expect(await create({ mode: 'setup' }, headers)).toMatchObject(other);
    expect(await post(`checkout/sessions/${first.body.id}/expire`, {}, headers)).toMatchObject(other);
    expect(double.test.account.sessions.size).toBe(1);
  });

  test('a form that was refused at once leaves its key free', async () => {
    const headers = { 'idempotency-key': 'mine' };
    expect(await create({ colour: 'green' }, headers)).toMatchObject({ status: 400 });
    expect(await create({}, headers)).toMatchObject({ status: 200 });
  });

  test('closes only what is open', async () => {
    const { body } = await create();
    const expire = () => post(`checkout/sessions/${body.id}/expire`, {});
    expect(await expire()).toMatchObject({ status: 200, body: { status: 'expired', url: null } });
    expect(await expire()).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('has a status of `expired`') } },
    });
    expect(double.test.account.events.map(({ type }) => type)).toEqual(['checkout.session.expired']);
  });
});
