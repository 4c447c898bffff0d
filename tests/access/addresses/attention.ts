import { expect } from 'vitest';
import type { Addresses } from '../support/address.ts';
import { sameForAll } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const login = (path: string) => `/admin?next=${encodeURIComponent(path)}`;
const heading = (text: string) => `>${text}</h1>`;
const forAdministrators = (...rows: string[]) => `
      ${columns}
      ${rows.join('\n      ')}
`;
const page = (row: string, first: string, admin: string) =>
  `${row}  ${first} login  403  403  403  403  403  ${admin}`;

export const addresses: Addresses = {
  // Who may hand over what came back the secret says, and none is configured here: tests/access/mail-bounces.test.ts.
  '/api/webhooks/mail-bounces': {
    cells: sameForAll(['GET', '405'], ['POST', '503']),
    request: async ({ row }) => (row === 'GET' ? {} : { method: 'POST', body: 'Subject: Undelivered' }),
    verify: ({ status, text }) => {
      if (status === 503) expect(JSON.parse(text)).toEqual({ error: 'Not set up' });
    },
  },

  '/admin/tasks': {
    cells: forAdministrators(
      page('GET', '302', '200'),
      page('GET .data', '202', '200'),
      page('POST take', '302', '404'),
      page('POST nothing', '302', '400'),
    ),
    to: { login: login('/admin/tasks') },
    secret: ({ row }) => (row === 'GET' ? heading('Tasks') : ''),
    request: async ({ row }) =>
      row.startsWith('GET')
        ? {}
        : sameOriginForm({ intent: row.slice(5), id: '00000000-0000-4000-8000-000000000000' }),
    verify: ({ status, text }, { row }) => {
      if (status === 200 && row === 'GET') expect(text).toContain('Needs attention');
    },
  },

  '/admin/operations': {
    cells: forAdministrators(
      page('GET', '302', '200'),
      page('GET .data', '202', '200'),
      page('POST retry-job', '302', '302 here'),
      page('POST drop-mail', '302', '422'),
      page('POST replay-message', '302', '302 here'),
      page('POST nothing', '302', '400'),
    ),
    to: { login: login('/admin/operations'), here: '/admin/operations' },
    secret: ({ row }) => (row === 'GET' ? heading('Operations') : ''),
    request: async ({ row }) =>
      row.startsWith('GET') ? {} : sameOriginForm({ intent: row.slice(5), id: '0' }),
    verify: ({ status, text }, { row }) => {
      if (status === 200 && row === 'GET') expect(text).toContain('Not configured');
    },
  },

  '/admin/reconciliation': {
    cells: forAdministrators(
      page('GET', '302', '200'),
      page('GET .data', '202', '200'),
      page('POST run', '302', '303 runs'),
      page('POST post', '302', '404'),
      page('POST nothing', '302', '400'),
    ),
    to: { login: login('/admin/reconciliation'), runs: '/admin/reconciliation?tab=runs' },
    secret: ({ row }) => (row === 'GET' ? heading('Reconciliation') : ''),
    request: async ({ row }) =>
      row.startsWith('GET')
        ? {}
        : sameOriginForm({ intent: row.slice(5), id: '00000000-0000-4000-8000-000000000000' }),
    verify: ({ status, text }, { row }) => {
      if (status === 200 && row === 'GET') expect(text).toContain('Differences');
    },
  },

  '/admin/history': {
    cells: forAdministrators(page('GET', '302', '200'), page('GET .data', '202', '200')),
    to: { login: login('/admin/history') },
    secret: ({ row }) => (row === 'GET' ? heading('History') : ''),
  },

  '/admin/history.csv': {
    cells: forAdministrators(page('GET', '302', '200')),
    to: { login: login('/admin/history') },
    secret: 'Time (UTC)',
    verify: ({ status, headers }) => {
      if (status === 200) expect(headers['content-disposition']).toMatch(/^attachment;.*\.csv"$/);
    },
  },
};
