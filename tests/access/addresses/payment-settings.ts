import { expect } from 'vitest';
import type { AddressCell, Addresses } from '../support/address.ts';
import { sameOriginForm } from '../support/test-app.ts';

const REFUSED = '302 login  403  403  403  403  403';

/** The fee of each cell, which nobody but the administrator changes. */
const fees = new WeakMap<AddressCell, string>();

const forms: Readonly<Record<string, Record<string, string>>> = {
  'POST fee': { intent: 'fee-save', type: 'fixed', amount: '1', buyer: '1' },
  'POST empty fee': { intent: 'fee-save' },
  'POST fee status': { intent: 'fee-status', active: '' },
  'POST same fee status': { intent: 'fee-status', active: '1' },
  'POST fee removal': { intent: 'fee-remove' },
  'POST no commission': { intent: 'commission-save' },
  'POST unseen commission': { intent: 'commission-save', percent: '33', when: 'now' },
  'POST no plan': { intent: 'commission-drop' },
  'POST no keys': { intent: 'stripe-keys' },
  'POST a key in the wrong box': { intent: 'stripe-keys', testSecret: 'pk_test_1', liveSecret: 'sk_test_1' },
  'POST connect': { intent: 'stripe-connect' },
  'POST check': { intent: 'stripe-check' },
  'POST unseen disconnect': { intent: 'stripe-disconnect' },
  'POST live mode': { intent: 'stripe-mode', mode: 'live' },
  'POST no mode': { intent: 'stripe-mode' },
  'POST webhooks': { intent: 'stripe-webhooks' },
  'POST rotation': { intent: 'stripe-rotate', mode: 'test' },
  'POST no schedule': { intent: 'schedule-save' },
  'POST unseen schedule': { intent: 'schedule-save', frequency: 'instant', minimum: '0' },
  'POST same schedule': {
    intent: 'schedule-save',
    frequency: 'manual',
    minimum: '0',
    requires: '1',
    approval: '5,000,000',
  },
  'POST nothing': {},
};

export const addresses: Addresses = {
  '/admin/payment-settings': {
    cells: `
      anonymous     buyerA  buyerB  sellerA  sellerB  suspended  admin
      GET        302 login  403  403  403  403  403  200
      GET .data  202 login  403  403  403  403  403  200
      GET fees   302 login  403  403  403  403  403  200
      GET schedule  302 login  403  403  403  403  403  200
      POST fee                ${REFUSED}  409
      POST empty fee          ${REFUSED}  422
      POST fee status         ${REFUSED}  302 fees
      POST same fee status    ${REFUSED}  409
      POST fee removal        ${REFUSED}  302 fees
      POST no commission      ${REFUSED}  422
      POST unseen commission  ${REFUSED}  409
      POST no plan            ${REFUSED}  302 fees
      POST no keys                 ${REFUSED}  422
      POST a key in the wrong box  ${REFUSED}  422
      POST connect                 ${REFUSED}  409
      POST check                   ${REFUSED}  409
      POST unseen disconnect       ${REFUSED}  302 stripe
      POST live mode               ${REFUSED}  409
      POST no mode                 ${REFUSED}  400
      POST webhooks                ${REFUSED}  409
      POST rotation                ${REFUSED}  409
      POST no schedule        ${REFUSED}  422
      POST unseen schedule    ${REFUSED}  409
      POST same schedule      ${REFUSED}  302 schedule
      POST nothing            ${REFUSED}  400
    `,
    to: {
      login: '/admin?next=*',
      fees: '/admin/payment-settings?tab=fees',
      stripe: '/admin/payment-settings',
      schedule: '/admin/payment-settings?tab=schedule',
    },
    secret: ({ row }) =>
      ({
        GET: '>Payment Settings</h1>',
        'GET .data': 'COINBASE_KEY_ID',
        'GET fees': 'Add New Fee',
        'GET schedule': 'Save Payout Settings',
      })[row] ?? '',
    async request(cell) {
      const tab = /^GET (fees|schedule)$/.exec(cell.row)?.[1];
      if (tab) return { path: `/admin/payment-settings?tab=${tab}` };
      if (cell.row.startsWith('GET')) return {};
      const name = `Fee ${Math.random()}`;
      const { id } = await cell.app.db
        .q()
        .insertInto('service_fees')
        .values({ name, fee_type: 'fixed', fixed_cents: 100 })
        .returning('id')
        .executeTakeFirstOrThrow();
      fees.set(cell, id);
      return sameOriginForm({ id, name, ...forms[cell.row] });
    },
    async verify(_, cell) {
      const id = fees.get(cell);
      if (id === undefined) return;
      const fee = await cell.app.db
        .q()
        .selectFrom('service_fees')
        .select('is_active')
        .where('id', '=', id)
        .executeTakeFirst();
      const done = (row: string) => cell.actor === 'admin' && cell.row === row;
      expect(fee === undefined, cell.actor).toBe(done('POST fee removal'));
      if (fee) expect(fee.is_active, cell.actor).toBe(!done('POST fee status'));
      // An active fee would change what buyers pay in the other cells.
      await cell.app.db.q().deleteFrom('service_fees').where('id', '=', id).execute();
    },
  },
};
