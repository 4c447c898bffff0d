import { expect } from 'vitest';
import { adminPaths } from '#routing/admin-paths.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { HttpResponse } from '#tests/support/server/http-request.ts';
import type { Addresses } from '../support/address.ts';
import { sharedSale } from '../support/sales.ts';
import { sameOriginForm } from '../support/test-app.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const login = `/admin?next=${encodeURIComponent('/admin/transactions')}`;

const file = `
  ${HEAD}
  GET  302 login  403  403  403  403  403  200
`;
const isDownload =
  (format: string) =>
  ({ status, headers }: Pick<HttpResponse, 'status' | 'headers'>) => {
    if (status !== 200) return;
    expect(headers['content-disposition']).toMatch(
      new RegExp(`^attachment; filename="transactions_\\d{4}-\\d\\d-\\d\\d\\.${format}"$`),
    );
    expect(headers['cache-control']).toBe('private, no-store');
  };

export const addresses: Addresses = {
  '/admin/transactions': {
    cells: `
      ${HEAD}
      GET        302 login  403  403  403  403  403  200
      GET .data  202 login  403  403  403  403  403  200
      GET drawer  302 login  403  403  403  403  403  200
      POST refund without an amount  302 login  403  403  403  403  403  422
      POST refund without a reason  302 login  403  403  403  403  403  422
      POST prepare_file  302 login  403  403  403  403  403  302 here
      POST nothing  302 login  403  403  403  403  403  400
    `,
    to: { login, here: '/admin/transactions' },
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

  '/admin/transactions.csv': {
    cells: file,
    to: { login },
    secret: 'Sale Price (USD)',
    verify: isDownload('csv'),
  },

  '/admin/transactions.xlsx': {
    cells: file,
    to: { login },
    secret: 'xl/worksheets/sheet1.xml',
    verify: isDownload('xlsx'),
  },

  '/admin/transaction-files/:id': {
    cells: `
      ${HEAD}
      GET                 302 login  403  403  403  403  403  200
      GET of a colleague  302 login  403  403  403  403  403  404
      GET unknown         302 login  403  403  403  403  403  404
    `,
    to: { login },
    async request({ row, app: { scenario } }) {
      if (row === 'GET unknown') return {};
      const { id: requested_by } =
        row === 'GET' ? scenario.cast.admin : await createUser(scenario.db, 'admin');
      const { id } = await scenario.db
        .q()
        .insertInto('transaction_files')
        .values({
          requested_by,
          format: 'csv',
          query: '{}',
          status: 'ready',
          sales: 0,
          bytes: 0,
          parts: 0,
          finished_at: new Date(),
          expires_at: new Date(Date.now() + 60_000),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return { path: adminPaths.transactionsFile(id) };
    },
    verify: (answer, { row }) => {
      if (row === 'GET') isDownload('csv')(answer);
    },
  },
};
