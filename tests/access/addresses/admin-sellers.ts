import { expect } from 'vitest';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { sameOriginForm } from '../support/test-app.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const REFUSED = '302 login  403  403  403  403  403';

/** The seller of each cell, whom nobody but the administrator changes. */
const subjects = new WeakMap<AddressCell, string>();

const fields: Readonly<Record<string, Record<string, string>>> = {
  rate: { rate: '75', seen: '' },
  'wrong rate': { rate: '101', seen: '' },
  rateInList: { rate: '75', seen: '' },
  phone: { phone: '(425) 555-0148', seen: '' },
  suspend: { reason: 'For a reason' },
  'suspend without a reason': {},
  reactivate: { reason: 'For a reason' },
  delete: { way: 'archive' },
  resend: {},
  add: { name: 'I', email: 'nowhere' },
};

export const addresses: Addresses = {
  '/admin/agents': {
    cells: `
      ${HEAD}
      GET                            ${REFUSED}  200
      GET .data                      202 login  403  403  403  403  403  200
      POST add                       ${REFUSED}  422
      POST resend                    ${REFUSED}  302 here
      POST rate                      ${REFUSED}  302 here
      POST wrong rate                ${REFUSED}  422
      POST rateInList                ${REFUSED}  302 here
      POST phone                     ${REFUSED}  302 here
      POST suspend                   ${REFUSED}  302 here
      POST suspend without a reason  ${REFUSED}  422
      POST reactivate                ${REFUSED}  302 here
      POST delete                    ${REFUSED}  302 here
      POST nothing                   ${REFUSED}  400
    `,
    to: { login: '/admin?next=%2Fadmin%2Fagents', here: '/admin/agents' },
    secret: ({ row }) => (row === 'GET' ? '>Manage Sellers</h1>' : ''),
    async request(cell) {
      if (cell.row.startsWith('GET')) return {};
      const { agentId } = await createUser(cell.app.db, 'agent');
      await createListing(cell.app.db, agentId, { status: 'Active' });
      subjects.set(cell, agentId ?? '');
      const what = cell.row.replace('POST ', '');
      const [intent = ''] = what.replace('wrong ', '').split(' ');
      return sameOriginForm({ intent, id: agentId ?? '', ...fields[what] });
    },
    async verify(_, cell) {
      const id = subjects.get(cell);
      if (id === undefined) return;
      const seller = await cell.app.db
        .q()
        .selectFrom('agents')
        .select(['commission_rate', 'phone', 'status', 'archived_at'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const done = (...rows: string[]) => cell.actor === 'admin' && rows.includes(cell.row);
      expect(seller.commission_rate, cell.actor).toBe(done('POST rate', 'POST rateInList') ? 75 : null);
      expect(seller.phone, cell.actor).toBe(done('POST phone') ? '+14255550148' : null);
      expect(seller.status, cell.actor).toBe(done('POST suspend') ? 'suspended' : 'active');
      expect(seller.archived_at !== null, cell.actor).toBe(done('POST delete'));
    },
  },
};
