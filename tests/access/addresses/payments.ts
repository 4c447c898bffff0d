import { expect } from 'vitest';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { sandboxWebhookSecret } from '#gateways/payments/sandbox/rules.ts';
import { signWebhook } from '#gateways/payments/sandbox/webhook.ts';
import { MINUTE } from '#platform/durations.ts';
import type { HttpResponse } from '#tests/support/server/http-request.ts';
import type { Address, AddressCell, Addresses } from '../support/address.ts';
import { newSale } from '../support/sales.ts';
import { sameForAll } from '../support/table-rows.ts';
import { type AppRequest, asJson, SECRET } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';

const jsonOf = ({ text }: HttpResponse) => JSON.parse(text) as Record<string, unknown>;

const expectAllowPost: Address['verify'] = ({ headers, status }) => {
  if (status === 405) expect(headers.allow).toBe('POST');
};
/** An address that accepts nothing but POST. */
const onlyPost = (cells = sameForAll(['GET', '405'])): Address => ({ cells, verify: expectAllowPost });

/** The request body for buyer A's purchase in the row's state; the amount is in dollars, as browsers send it. */
async function requestBodyFor({ app: { scenario }, row }: AddressCell) {
  const sale = await newSale(scenario, row.replace(/^POST A’s (.*?)(?:, .*)?$/, '$1'));
  const { total_cents } = await scenario.db
    .q()
    .selectFrom('property_sales')
    .select('total_cents')
    .where('id', '=', sale.saleId)
    .executeTakeFirstOrThrow();
  const another = row.endsWith('another property');
  return {
    propertyId: another ? await scenario.listing('A’s Active') : sale.propertyId,
    amount:
      total_cents / 100 + (row.endsWith('another amount') ? 1 : row.endsWith('half a cent') ? 0.005 : 0),
    transactionId: sale.saleId,
    // Ignored: the session decides who pays.
    buyerEmail: scenario.cast.buyerA.email,
  };
}

/** Only for the buyer's own purchase, whoever knows its id (R8). */
const createPayment: Address = {
  sandbox: true,
  cells: `
    ${columns}
    GET                             405  405  405  405  405  405  405
    POST A’s begun                  401  200  404  404  404  404  404
    POST A’s begun, another amount    401  409  404  404  404  404  404
    POST A’s begun, another property  401  404  404  404  404  404  404
    POST A’s open                   401  200  404  404  404  404  404
    POST A’s in escrow              401  409  404  404  404  404  404
    POST A’s cancelled              401  409  404  404  404  404  404
    POST no id at all               401  404  404  404  404  404  404
    POST A’s begun, half a cent     401  400  400  400  400  400  400
    POST nothing                    401  400  400  400  400  400  400
    POST no JSON                    401  400  400  400  400  400  400
  `,
  async request(cell) {
    const { row } = cell;
    if (row === 'GET') return {};
    if (row === 'POST no JSON') return asJson('{"propertyId":');
    if (row === 'POST nothing') return asJson({});
    if (row === 'POST no id at all')
      return asJson({ propertyId: 'x', amount: 1, transactionId: "' or 1=1 --" });
    return asJson(await requestBodyFor(cell));
  },
  verify(answer, cell) {
    expectAllowPost(answer, cell);
    const content = jsonOf(answer);
    expect(['url', 'error'].filter((name) => name in content)).toEqual([
      answer.status === 200 ? 'url' : 'error',
    ]);
    if (answer.status === 200) expect(content.url).toMatch(/\/sandbox\/checkout\/cs_\w+$/);
    if (answer.status === 404) expect(content.error).toBe('There is no such pending transaction');
    if (answer.status === 401) expect(content.error).toBe('Authentication required');
  },
};

/** Ends the name of a row that is sent to a server without the sandbox: nothing there can verify the message. */
const SWITCHED_OFF = ', sandbox switched off';

/** A message of the sandbox about a new checkout, sent without origin or session like a provider does. */
async function sandboxMessage(
  method: PaymentMethod,
  { app: { scenario }, row }: AddressCell,
): Promise<AppRequest> {
  const ref = row.endsWith(SWITCHED_OFF)
    ? 'cs_test_nothing'
    : (await newSale(scenario, 'open', { method })).ref;
  const type = method === 'card' ? 'checkout.session.expired' : 'checkout.payment.expired';
  const object = { id: ref, object: 'checkout.session' };
  const event_id = `evt_${ref}`;
  const event = { id: event_id, object: 'event', livemode: false, type, data: { object } };
  const payload = JSON.stringify(method === 'card' ? event : { id: ref, eventType: type });
  const other = method === 'card' ? 'crypto' : 'card';
  const secret = sandboxWebhookSecret(SECRET, row.endsWith('other method’s secret') ? other : method);
  const at = new Date(Date.now() - (row.endsWith('six minutes old') ? 6 * MINUTE : 0));
  const { rawBody, headers } = signWebhook({ method, event_id, type, payload }, secret, at);
  if (row.endsWith('unsigned'))
    for (const name of ['stripe-signature', 'x-hook0-signature']) headers.delete(name);
  const body = Buffer.from(rawBody);
  return {
    method: 'POST',
    headers: Object.fromEntries(headers),
    body: row.endsWith('body changed') ? Buffer.concat([body, Buffer.from(' ')]) : body,
  };
}

/** The signature authenticates a webhook; a session makes no difference. */
const webhook = (rows: [row: string, status: string][], railOf: (row: string) => PaymentMethod): Address => ({
  sandbox: (row) => !row.endsWith(SWITCHED_OFF),
  cells: sameForAll(['GET', '405'], ...rows),
  request: async (cell) => (cell.row === 'GET' ? {} : sandboxMessage(railOf(cell.row), cell)),
  verify(answer, cell) {
    expectAllowPost(answer, cell);
    expect(answer.headers['set-cookie']).toBeUndefined();
    if (cell.row === 'GET') return;
    const answers: Record<number, object> = {
      200: { received: true },
      400: { error: 'The message is not accepted' },
      503: { error: 'Not set up' },
    };
    expect(jsonOf(answer)).toEqual(answers[answer.status]);
  },
});

const sandboxWebhook = webhook(
  ['card', 'crypto'].flatMap((method): [string, string][] => [
    [`POST ${method}, signed`, '200'],
    [`POST ${method}, unsigned`, '400'],
    [`POST ${method}, six minutes old`, '400'],
    [`POST ${method}, other method’s secret`, '400'],
    [`POST ${method}, body changed`, '400'],
    [`POST ${method}, signed${SWITCHED_OFF}`, '503'],
  ]),
  (row) => (row.includes('crypto') ? 'crypto' : 'card'),
);
/** Without keys of its own nothing is accepted there, least of all what the sandbox signed. */
const realWebhook = (method: PaymentMethod) => webhook([['POST signed by the sandbox', '503']], () => method);

export const addresses: Addresses = {
  '/api/payments/create-card-payment': createPayment,
  '/api/payments/create-coinbase-payment': createPayment,
  '/api/payments/create-crypto-payment': createPayment,
  '/api/payments/*': onlyPost(),
  '/api/webhooks/*': onlyPost(),
  '/api/webhooks/stripe': realWebhook('card'),
  '/api/webhooks/coinbase': realWebhook('crypto'),
  '/api/webhooks/stripe-connect': realWebhook('card'),
  '/api/webhooks/paypal': realWebhook('card'),
  '/api/webhooks/sandbox': sandboxWebhook,
  '/api/webhooks/sandbox-payouts': {
    sandbox: true,
    cells: sameForAll(['GET', '405'], ['POST unsigned', '400']),
    request: async ({ row }) => (row === 'GET' ? {} : asJson({ id: 'evt_1' })),
    verify: expectAllowPost,
  },

  '/api/payment-diagnostics': {
    sandbox: true,
    cells: `
      ${columns}
      GET                405  405        405        405        405        405        405
      POST A’s Active    401  200        200        200        200        200        200
      POST A’s pending   401  200        200        200        200        200        200
      POST nothing       401  400        400        400        400        400        400
    `,
    async request({ app: { scenario }, row }) {
      if (row === 'GET') return {};
      if (row === 'POST nothing') return asJson({ paymentType: 'barter' });
      return asJson({ paymentType: 'card', propertyId: await scenario.listing(row.replace('POST ', '')) });
    },
    verify(answer, cell) {
      expectAllowPost(answer, cell);
      if (answer.status !== 200) return;
      const sees = ['sellerA', 'admin'].includes(cell.actor) || cell.row === 'POST A’s Active';
      expect(answer.text.includes('Property not found'), `${cell.row}, ${cell.actor}`).toBe(!sees);
      expect(answer.text).not.toMatch(/whsec_|sk_|@/);
    },
  },
  '/api/stripe-config': {
    sandbox: true,
    cells: sameForAll(['GET', '200']),
    verify: (answer) => expect(jsonOf(answer)).toEqual({ publishableKey: null, mode: 'sandbox' }),
  },
};
