import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { AddressCell, Addresses } from '../support/address.ts';
import { sameForAll } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const wrongPassword = async ({ row }: AddressCell) =>
  row === 'POST wrong'
    ? sameOriginForm({ email: `${randomUUID()}@example.test`, password: 'Not 1 of them' })
    : {};
const heading = (text: string) => `>${text}</h1>`;

/** The session a cell of /account tries to end. */
const endedSessions = new WeakMap<AddressCell, string>();

/** Whether whoever acts in the cell is mailed the weekly report. */
async function wantsWeeklyReport({ app, actor }: AddressCell): Promise<boolean> {
  if (actor === 'anonymous') return false;
  const row = await app.db
    .q()
    .selectFrom('notification_preferences')
    .select('mail_weekly_report')
    .where('user_id', '=', app.scenario.person(actor).id)
    .executeTakeFirst();
  return row?.mail_weekly_report ?? false;
}

export const addresses: Addresses = {
  '/reset-password': {
    cells: sameForAll(['GET', '200'], ['GET .data', '200'], ['POST', '400']),
    request: async ({ row }) => (row === 'POST' ? sameOriginForm({ password: 'x', confirm: 'x' }) : {}),
    verify: ({ headers }) => expect(headers['referrer-policy']).toBe('no-referrer'),
  },
  '/verify-email': {
    cells: sameForAll(['GET', '200'], ['POST', '400']),
    request: async ({ row }) => (row === 'POST' ? sameOriginForm({ token: 'made-up' }) : {}),
    verify: ({ headers }) => expect(headers['referrer-policy']).toBe('no-referrer'),
  },
  '/logout': {
    cells: sameForAll(['GET', '302 home'], ['POST', '302 home']),
    to: { home: '/' },
    request: async ({ row }) => (row === 'POST' ? sameOriginForm({}) : {}),
    verify({ headers }, { row }) {
      const cookies = String(headers['set-cookie'] ?? '');
      if (row === 'GET') expect(cookies).not.toContain('session_token');
      else expect(cookies).toContain('session_token=; Max-Age=0');
    },
  },
  '/account': {
    cells: `
      ${columns}
      GET                 302 login  200       200       200       200       200       200
      GET .data           202 login  200       200       200       200       200       200
      POST wrong          302 login  422       422       422       422       422       422
      POST preferences    302 login  302 here  302 here  302 here  302 here  302 here  302 here
      POST no hour        302 login  422       422       422       422       422       422
      POST no name        302 login  422       422       403       403       403       422
      POST email wrong    302 login  422       422       403       403       403       422
      POST others         302 login  302 here  302 here  302 here  302 here  302 here  302 here
      POST close wrong    302 login  422       422       403       403       403       403
      POST buyer A’s      302 login  302 here  302 here  302 here  302 here  302 here  302 here
      POST the admin’s    302 login  302 here  302 here  302 here  302 here  302 here  302 here
    `,
    to: { login: '/buyer/login?next=%2Faccount', here: '/account' },
    personal: true,
    secret: ({ row }) => (row === 'GET' ? heading('Account settings') : 'lastUsedAt'),
    async request(cell) {
      const { app, row } = cell;
      if (row === 'POST wrong') return sameOriginForm({ intent: 'password', current: 'x', password: 'y' });
      if (row === 'POST preferences')
        return sameOriginForm({
          intent: 'preferences',
          mailMessages: '1',
          weeklyReport: '1',
          digestHour: '7',
          timeZone: 'UTC',
        });
      if (row === 'POST no hour') return sameOriginForm({ intent: 'preferences', digestHour: 'noon' });
      if (row === 'POST close wrong') return sameOriginForm({ intent: 'close', closing: 'Not 1 of them' });
      if (row === 'POST no name') return sameOriginForm({ intent: 'name', name: '' });
      if (row === 'POST others') return sameOriginForm({ intent: 'others' });
      if (row === 'POST email wrong')
        return sameOriginForm({ intent: 'email', email: 'new@example.test', emailPassword: 'Not 1 of them' });
      if (!row.startsWith('POST')) return {};
      const { buyerA, admin } = app.scenario.cast;
      const session = await app.scenario.session(row === 'POST buyer A’s' ? buyerA : admin);
      endedSessions.set(cell, session);
      return sameOriginForm({ intent: 'revoke', session });
    },
    async verify({ status, text }, cell) {
      if (cell.row === 'GET' && status === 200)
        expect(text.includes('Weekly report'), cell.actor).toBe(cell.actor === 'admin');
      if (cell.row === 'POST preferences' && status === 302)
        expect(await wantsWeeklyReport(cell), cell.actor).toBe(cell.actor === 'admin');
      const session = endedSessions.get(cell);
      if (!session) return;
      const open = await cell.app.db
        .q()
        .selectFrom('sessions')
        .select('id')
        .where('id', '=', session)
        .execute();
      const owner = cell.row === 'POST buyer A’s' ? 'buyerA' : 'admin';
      expect(open, `${cell.row} by ${cell.actor}`).toHaveLength(cell.actor === owner ? 0 : 1);
    },
  },

  '/account/email': {
    cells: sameForAll(['GET', '200'], ['GET .data', '200'], ['POST', '400']),
    request: async ({ row }) => (row === 'POST' ? sameOriginForm({ token: 'made-up' }) : {}),
    verify: ({ headers }) => expect(headers['referrer-policy']).toBe('no-referrer'),
  },

  '/buyer/login': {
    cells: `
      ${columns}
      GET         200   302 home  302 home  200  200  200  200
      GET .data   200   202 home  202 home  200  200  200  200
      POST wrong  401   302 home  302 home  401  401  401  401
    `,
    to: { home: '/' },
    request: wrongPassword,
  },
  '/buyer/signup': {
    cells: `
      ${columns}
      GET    200  302 home  302 home  200  200  200  200
      POST   422  302 home  302 home  422  422  422  422
    `,
    to: { home: '/' },
    request: async ({ row }) =>
      row === 'POST' ? sameOriginForm({ email: 'no address', password: 'short' }) : {},
  },
  '/agent/login': {
    cells: `
      ${columns}
      GET         200   200  200  302 home  302 home  302 home  200
      POST wrong  401   302 here  302 here  302 here  302 here  302 here  302 here
    `,
    to: { here: '/agent/login', home: '/agent/dashboard' },
    request: wrongPassword,
  },
  '/admin': {
    cells: `
      ${columns}
      GET         200   200  200  200  200  200  302 home
      POST wrong  401   401  401  401  401  401  302 home
    `,
    to: { home: '/admin/dashboard' },
    request: wrongPassword,
  },

  '/agent/dashboard': {
    cells: `
      ${columns}
      GET         302 login  403  403  200  200  200  403
      GET .data   202 login  403  403  200  200  200  403
      POST        302 login  403  403  405  405  405  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Fdashboard' },
    secret: ({ row }) => (row === 'GET' ? heading('Seller Dashboard') : ''),
    request: async ({ row }) => (row === 'POST' ? sameOriginForm({}) : {}),
  },
  '/admin/dashboard': {
    cells: `
      ${columns}
      GET         302 login  403  403  403  403  403  200
      GET .data   202 login  403  403  403  403  403  200
      POST        302 login  403  403  403  403  403  400
      POST review  302 login  403  403  403  403  403  409
    `,
    to: { login: '/admin?next=%2Fadmin%2Fdashboard' },
    secret: ({ row }) => (row === 'GET' ? heading('Admin Dashboard') : ''),
    request: async ({ row }) => {
      if (row.startsWith('GET')) return {};
      return sameOriginForm(row === 'POST review' ? { intent: 'review-payouts' } : {});
    },
  },

  '/admin/admins': {
    cells: `
      ${columns}
      GET               302 login  403  403  403  403  403  200
      GET .data         202 login  403  403  403  403  403  200
      POST add wrong    302 login  403  403  403  403  403  422
      POST remove last  302 login  403  403  403  403  403  409
    `,
    to: { login: '/admin?next=%2Fadmin%2Fadmins' },
    secret: ({ row }) => (row === 'GET' ? heading('Manage Admins') : 'createdAt'),
    request: async ({ row, app }) => {
      if (row === 'POST add wrong') return sameOriginForm({ intent: 'add', email: '', password: 'five5' });
      return row.startsWith('POST')
        ? sameOriginForm({ intent: 'remove', id: app.scenario.cast.admin.id })
        : {};
    },
  },
  '/account/security': {
    cells: `
      ${columns}
      GET              302 login  200  200  200  200  200  200
      GET .data        202 login  200  200  200  200  200  200
      POST wrong code  302 login  422  422  422  422  422  422
      POST unknown id  302 login  409  409  409  409  409  409
    `,
    to: { login: '/buyer/login?next=%2Faccount' },
    personal: true,
    secret: ({ row }) => (row === 'GET' ? heading('Sign-in security') : 'recoveryCodes'),
    request: async ({ row }) => {
      if (row === 'POST wrong code')
        return sameOriginForm({ intent: 'add-app', setUp: 'made up', code: '123456' });
      return row.startsWith('POST') ? sameOriginForm({ intent: 'remove-passkey', id: randomUUID() }) : {};
    },
  },
  '/sign-in/confirm': {
    cells: sameForAll(
      ['GET', '200'],
      ['GET .data', '200'],
      ['POST no step', '302 login'],
      ['POST blank', '422'],
      ['POST made up', '302 here'],
    ),
    to: { login: '/admin', here: '/sign-in/confirm?role=admin' },
    request: async ({ row }) => {
      if (!row.startsWith('POST')) return {};
      const form: Record<string, string> =
        row === 'POST made up'
          ? { intent: 'passkey', passkey: '{}' }
          : { intent: 'code', code: row === 'POST blank' ? '' : '123456' };
      return { ...sameOriginForm(form), path: '/sign-in/confirm?role=admin' };
    },
  },

  '/admin/*': { cells: sameForAll(['GET', '404'], ['GET .data', '404'], ['POST', '405']) },

  // For developers: not in production; routes.test.ts covers the demo and development.
  '/dev/payouts': { cells: sameForAll(['GET', '404'], ['GET .data', '404'], ['POST', '404']) },
  '/dev/mail': { cells: sameForAll(['GET', '404'], ['GET .data', '404'], ['POST', '404']) },
  '/dev/ui': { cells: sameForAll(['GET', '404'], ['GET .data', '404'], ['POST', '404']) },
};
