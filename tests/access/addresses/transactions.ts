import { expect } from 'vitest';
import type { Addresses } from '../support/address.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const login = `/admin?next=${encodeURIComponent('/admin/transactions')}`;

export const addresses: Addresses = {
  '/admin/transactions': {
    cells: `
      ${HEAD}
      GET        302 login  403  403  403  403  403  200
      GET .data  202 login  403  403  403  403  403  200
    `,
    to: { login },
    secret: ({ row }) => (row === 'GET' ? '>Transactions &amp; Payouts</h1>' : ''),
    verify: ({ status, text }, { row }) => {
      if (status === 200 && row === 'GET') expect(text).toContain('Search property or seller');
    },
  },
};
