import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Addresses, all, type Visit } from '../address.ts';
import { fromOurPage } from '../house.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const wrongPassword = async ({ row }: Visit) =>
  row === 'POST wrong'
    ? fromOurPage({ email: `${randomUUID()}@example.test`, password: 'Not 1 of them' })
    : {};
const heading = (text: string) => `>${text}</h1>`;

/** The session that a row of /account wants to end. */
const ended = new WeakMap<Visit, string>();

export const addresses: Addresses = {
  '/reset-password': {
    cells: all(['GET', '200'], ['GET .data', '200'], ['POST', '400']),
    asks: async ({ row }) => (row === 'POST' ? fromOurPage({ password: 'x', confirm: 'x' }) : {}),
    holds: ({ headers }) => expect(headers['referrer-policy']).toBe('no-referrer'),
  },
  '/verify-email': {
    cells: all(['GET', '200'], ['POST', '400']),
    asks: async ({ row }) => (row === 'POST' ? fromOurPage({ token: 'made-up' }) : {}),
    holds: ({ headers }) => expect(headers['referrer-policy']).toBe('no-referrer'),
  },
  '/logout': {
    cells: all(['GET', '302 home'], ['POST', '302 home']),
    to: { home: '/' },
    asks: async ({ row }) => (row === 'POST' ? fromOurPage({}) : {}),
    holds({ headers }, { row }) {
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
      POST close wrong    302 login  422       422       403       403       403       403
      POST buyer A’s      302 login  302 here  302 here  302 here  302 here  302 here  302 here
      POST the admin’s    302 login  302 here  302 here  302 here  302 here  302 here  302 here
    `,
    to: { login: '/buyer/login?next=%2Faccount', here: '/account' },
    personal: true,
    secret: ({ row }) => (row === 'GET' ? heading('Account settings') : 'lastUsedAt'),
    async asks(visit) {
      const { house, row } = visit;
      if (row === 'POST wrong') return fromOurPage({ form: 'password', current: 'x', password: 'y' });
      if (row === 'POST preferences')
        return fromOurPage({ form: 'preferences', mailMessages: '1', digestHour: '7' });
      if (row === 'POST no hour') return fromOurPage({ form: 'preferences', digestHour: 'noon' });
      if (row === 'POST close wrong') return fromOurPage({ form: 'close', closing: 'Not 1 of them' });
      if (!row.startsWith('POST')) return {};
      const { buyerA, admin } = house.stage.cast;
      const session = await house.stage.session(row === 'POST buyer A’s' ? buyerA : admin);
      ended.set(visit, session);
      return fromOurPage({ form: 'revoke', session });
    },
    async holds(_, visit) {
      const session = ended.get(visit);
      if (!session) return;
      const open = await visit.house.db
        .q()
        .selectFrom('sessions')
        .select('id')
        .where('id', '=', session)
        .execute();
      const owner = visit.row === 'POST buyer A’s' ? 'buyerA' : 'admin';
      expect(open, `${visit.row} by ${visit.actor}`).toHaveLength(visit.actor === owner ? 0 : 1);
    },
  },

  '/buyer/login': {
    cells: `
      ${columns}
      GET         200   302 home  302 home  200  200  200  200
      GET .data   200   202 home  202 home  200  200  200  200
      POST wrong  401   302 home  302 home  401  401  401  401
    `,
    to: { home: '/' },
    asks: wrongPassword,
  },
  '/buyer/signup': {
    cells: `
      ${columns}
      GET    200  302 home  302 home  200  200  200  200
      POST   422  302 home  302 home  422  422  422  422
    `,
    to: { home: '/' },
    asks: async ({ row }) => (row === 'POST' ? fromOurPage({ email: 'no address', password: 'short' }) : {}),
  },
  '/agent/login': {
    cells: `
      ${columns}
      GET         200   200  200  302 home  302 home  302 home  200
      POST wrong  401   401  401  302 home  302 home  302 home  401
    `,
    to: { home: '/agent/dashboard' },
    asks: wrongPassword,
  },
  '/admin': {
    cells: `
      ${columns}
      GET         200   200  200  200  200  200  302 home
      POST wrong  401   401  401  401  401  401  302 home
    `,
    to: { home: '/admin/dashboard' },
    asks: wrongPassword,
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
    asks: async ({ row }) => (row === 'POST' ? fromOurPage({}) : {}),
  },
  '/admin/dashboard': {
    cells: `
      ${columns}
      GET         302 login  403  403  403  403  403  200
      GET .data   202 login  403  403  403  403  403  200
      POST        302 login  403  403  403  403  403  405
    `,
    to: { login: '/admin?next=%2Fadmin%2Fdashboard' },
    secret: ({ row }) => (row === 'GET' ? heading('Admin Dashboard') : ''),
    asks: async ({ row }) => (row === 'POST' ? fromOurPage({}) : {}),
  },

  // For makers: not in production (the demo's and development's answers are asserted beside).
  '/dev/mail': { cells: all(['GET', '404'], ['GET .data', '404'], ['POST', '404']) },
  '/dev/ui': { cells: all(['GET', '404'], ['GET .data', '404'], ['POST', '404']) },
};
