import { expect } from 'vitest';
import type { HttpResponse } from '#tests/support/server/http-request.ts';
import type { Addresses } from '../support/address.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const login = `/admin?next=${encodeURIComponent('/admin/reports')}`;
const range = 'from=2026-10-01&to=2026-10-31&grouping=weekly&zone=Asia%2FKathmandu';

const isDownload = (
  { status, headers }: Pick<HttpResponse, 'status' | 'headers'>,
  type: string,
  name: string,
) => {
  if (status !== 200) return;
  expect(headers['content-type']).toBe(type);
  expect(headers['content-disposition']).toBe(`attachment; filename="${name}"`);
  expect(headers['cache-control']).toBe('private, no-store');
};

export const addresses: Addresses = {
  '/admin/reports.csv': {
    cells: `
      ${HEAD}
      GET revenue        302 login  403  403  403  403  403  200
      GET unknown table  302 login  403  403  403  403  403  404
      GET no table       302 login  403  403  403  403  403  404
    `,
    to: { login },
    request: async ({ row }) => ({
      path: `/admin/reports.csv?tab=financial&${range}${row === 'GET no table' ? '' : `&table=${row.slice(4).replace(' ', '-')}`}`,
    }),
    secret: ({ row }) => (row === 'GET revenue' ? 'Revenue (USD)' : ''),
    verify: (answer) => {
      isDownload(answer, 'text/csv; charset=utf-8', 'report_financial_revenue_2026-10-01_2026-10-31.csv');
      if (answer.status === 200)
        expect(answer.text).toContain(
          '"Week 1 of October 2026, Oct 1 – Oct 3",2026-10-01,2026-10-03,0.00,0\r\n',
        );
    },
  },

  '/admin/reports.pdf': {
    cells: `
      ${HEAD}
      GET  302 login  403  403  403  403  403  200
    `,
    to: { login },
    request: async () => ({ path: `/admin/reports.pdf?tab=engagement&${range}` }),
    secret: '%PDF-1.7',
    verify: (answer) => isDownload(answer, 'application/pdf', 'report_engagement_2026-10-01_2026-10-31.pdf'),
  },
};
