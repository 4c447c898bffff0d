import type { Addresses } from '../support/address.ts';
import { HEAD } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

const rows = `
  ${HEAD}
  GET                302 login  403  403  403  403  403  200
  GET .data          202 login  403  403  403  403  403  200
  GET tests          302 login  403  403  403  403  403  200
  GET contract       302 login  403  403  403  403  403  200
  POST retry-pin     302 login  403  403  403  403  403  302 here
  POST add-test      302 login  403  403  403  403  403  422
  POST check-test    302 login  403  403  403  403  403  404
  POST remove-test   302 login  403  403  403  403  403  404
  POST pause         302 login  403  403  403  403  403  409
  POST unknown       302 login  403  403  403  403  403  400
`;

/** The same page at two addresses; the server of these tests has no chain. */
const page = (path: string): Addresses[string] => ({
  cells: rows,
  to: { login: '/admin?next=*', here: '/admin/blockchain' },
  personal: true,
  async request({ row }) {
    const [method, what = ''] = row.split(' ');
    if (method === 'GET') return what === '' || what === '.data' ? {} : { path: `${path}?tab=${what}` };
    return sameOriginForm({ intent: what, cid: 'none', id: '00000000-0000-4000-8000-000000000000' });
  },
});

export const addresses: Addresses = {
  '/admin/blockchain': page('/admin/blockchain'),
  '/admin/blockchain-settings': page('/admin/blockchain-settings'),
};
