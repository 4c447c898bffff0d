import { expect } from 'vitest';
import type { Rail } from '#gateways/payments/port.ts';
import { signedMessage } from '#gateways/payments/sandbox/messages.ts';
import { sandboxSecret } from '#gateways/payments/sandbox/rules.ts';
import type { Answer } from '#tests/support/ask.ts';
import { type Address, type Addresses, all, type Visit } from '../address.ts';
import { type Call, SECRET } from '../house.ts';
import { newSale } from '../sales.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const MINUTE = 60_000;

const asJson = (body: unknown): Call => ({
  method: 'POST',
  headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const readable = ({ text }: Answer) => JSON.parse(text) as Record<string, unknown>;

const allowsPost: Address['holds'] = ({ headers, status }) => {
  if (status === 405) expect(headers.allow).toBe('POST');
};
/** Answers readers alone, and only with what they may do. */
const onlyPost = (cells = all(['GET', '405'])): Address => ({ cells, holds: allowsPost });

/** What a call says for buyer A's purchase of a row's state, in dollars as browsers do (S0 §7). */
async function callFor({ house: { stage }, row }: Visit) {
  const sale = await newSale(stage, row.replace(/^POST A’s (.*?)(?:, .*)?$/, '$1'));
  const { total_cents } = await stage.db
    .q()
    .selectFrom('property_sales')
    .select('total_cents')
    .where('id', '=', sale.saleId)
    .executeTakeFirstOrThrow();
  const another = row.endsWith('another property');
  return {
    propertyId: another ? await stage.listing('A’s Active') : sale.propertyId,
    amount: total_cents / 100 + (row.endsWith('another amount') ? 1 : 0),
    transactionId: sale.saleId,
    // Whoever asks: the session decides, never this.
    buyerEmail: stage.cast.buyerA.email,
  };
}

/** The buyer's own purchase alone, whoever knows its id (B-066, R8). */
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
    POST nothing                    401  400  400  400  400  400  400
    POST no JSON                    401  400  400  400  400  400  400
  `,
  async asks(visit) {
    const { row } = visit;
    if (row === 'GET') return {};
    if (row === 'POST no JSON') return asJson('{"propertyId":');
    if (row === 'POST nothing') return asJson({});
    if (row === 'POST no id at all')
      return asJson({ propertyId: 'x', amount: 1, transactionId: "' or 1=1 --" });
    return asJson(await callFor(visit));
  },
  holds(answer, visit) {
    allowsPost(answer, visit);
    const told = readable(answer);
    expect(['url', 'error'].filter((name) => name in told)).toEqual([
      answer.status === 200 ? 'url' : 'error',
    ]);
    if (answer.status === 200) expect(told.url).toMatch(/\/sandbox\/checkout\/cs_\w+$/);
    if (answer.status === 404) expect(told.error).toBe('There is no such pending transaction');
    if (answer.status === 401) expect(told.error).toBe('Authentication required');
  },
};

/** A message of the provider about a new checkout, sent as the provider sends it: no origin and no page behind it. */
async function messageFor(rail: Rail, { house: { stage }, row }: Visit): Promise<Call> {
  const { ref } = await newSale(stage, 'open', { rail });
  const type = rail === 'card' ? 'checkout.session.expired' : 'checkout.payment.expired';
  const object = { id: ref, object: 'checkout.session' };
  const event_id = `evt_${ref}`;
  const event = { id: event_id, object: 'event', livemode: false, type, data: { object } };
  const payload = JSON.stringify(rail === 'card' ? event : { id: ref, eventType: type });
  const other = rail === 'card' ? 'crypto' : 'card';
  const secret = sandboxSecret(SECRET, row.endsWith('other rail’s secret') ? other : rail);
  const at = new Date(Date.now() - (row.endsWith('six minutes old') ? 6 * MINUTE : 0));
  const { rawBody, headers } = signedMessage({ rail, event_id, type, payload }, secret, at);
  if (row === 'POST unsigned')
    for (const name of ['stripe-signature', 'x-hook0-signature']) headers.delete(name);
  const body = Buffer.from(rawBody);
  return {
    method: 'POST',
    headers: Object.fromEntries(headers),
    body: row === 'POST body changed' ? Buffer.concat([body, Buffer.from(' ')]) : body,
  };
}

/** Who signs is let in; a session opens nothing and closes nothing. */
const webhook = (rail: Rail): Address => ({
  sandbox: true,
  cells: all(
    ['GET', '405'],
    ['POST signed', '200'],
    ['POST unsigned', '400'],
    ['POST six minutes old', '400'],
    ['POST other rail’s secret', '400'],
    ['POST body changed', '400'],
  ),
  asks: async (visit) => (visit.row === 'GET' ? {} : messageFor(rail, visit)),
  holds(answer, visit) {
    allowsPost(answer, visit);
    expect(answer.headers['set-cookie']).toBeUndefined();
    if (visit.row === 'GET') return;
    const refused = { error: 'The message is not accepted' };
    expect(readable(answer)).toEqual(answer.status === 200 ? { received: true } : refused);
  },
});

export const addresses: Addresses = {
  '/api/payments/create-card-payment': createPayment,
  '/api/payments/create-coinbase-payment': createPayment,
  '/api/payments/create-crypto-payment': createPayment,
  '/api/payments/*': onlyPost(),
  '/api/webhooks/*': onlyPost(),
  '/api/webhooks/stripe': webhook('card'),
  '/api/webhooks/coinbase': webhook('crypto'),

  '/api/payment-diagnostics': {
    sandbox: true,
    cells: `
      ${columns}
      GET                405  405        405        405        405        405        405
      POST A’s Active    401  200        200        200        200        200        200
      POST A’s pending   401  200        200        200        200        200        200
      POST nothing       401  400        400        400        400        400        400
    `,
    async asks({ house: { stage }, row }) {
      if (row === 'GET') return {};
      if (row === 'POST nothing') return asJson({ paymentType: 'barter' });
      return asJson({ paymentType: 'card', propertyId: await stage.listing(row.replace('POST ', '')) });
    },
    holds(answer, visit) {
      allowsPost(answer, visit);
      if (answer.status !== 200) return;
      const sees = ['sellerA', 'admin'].includes(visit.actor) || visit.row === 'POST A’s Active';
      expect(answer.text.includes('Property not found'), `${visit.row}, ${visit.actor}`).toBe(!sees);
      expect(answer.text).not.toMatch(/whsec_|sk_|@/);
    },
  },
  '/api/stripe-config': {
    sandbox: true,
    cells: all(['GET', '200']),
    holds: (answer) => expect(readable(answer)).toEqual({ publishableKey: null, mode: 'sandbox' }),
  },
};
