import { expect } from 'vitest';
import { adminPaths } from '#routing/admin-paths.ts';
import type { Addresses } from '../support/address.ts';
import { sharedSale } from '../support/sales.ts';
import { sameOriginForm } from '../support/test-app.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const login = `/admin?next=${encodeURIComponent('/admin/transactions')}`;

export const addresses: Addresses = {
  '/admin/transactions': {
    cells: `
      ${HEAD}
      GET        302 login  403  403  403  403  403  200
      GET .data  202 login  403  403  403  403  403  200
      GET drawer  302 login  403  403  403  403  403  200
      POST refund without an amount  302 login  403  403  403  403  403  422
      POST refund without a reason  302 login  403  403  403  403  403  422
      POST nothing  302 login  403  403  403  403  403  400
    `,
    to: { login },
    async request({ row, app, actor }) {
      if (row === 'GET' || row === 'GET .data') return {};
      const { saleId } = await sharedSale(app.scenario, 'in escrow');
      if (row === 'GET drawer' && actor === 'anonymous') return {};
      if (row === 'GET drawer') return { path: adminPaths.transactions({ sale: saleId, do: 'refund' }) };
      const [intent = ''] = row.slice(5).split(' ');
      return sameOriginForm({
        intent,
        id: saleId,
        key: 'k',
        ...(row.endsWith('amount') && { note: 'Agreed.' }),
      });
    },
    secret: ({ row }) => (row === 'GET' ? '>Transactions &amp; Payouts</h1>' : ''),
    verify: ({ status, text }, { row }) => {
      if (status === 200 && row === 'GET') expect(text).toContain('Search property or seller');
      if (status === 200 && row === 'GET drawer')
        for (const part of [
          'Parties',
          'Paid by buyer',
          'Held in escrow',
          'Timeline',
          'Refunded to the buyer',
        ])
          expect(text).toContain(part);
    },
  },
};
