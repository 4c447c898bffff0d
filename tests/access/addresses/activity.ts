import { expect } from 'vitest';
import type { Address, AddressCell, Addresses } from '../support/address.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const STREET = '23 Unmistakable Row';

/** Buyer A's notification each cell is about. */
const subjects = new WeakMap<AddressCell, string>();

async function createNotification({ app: { db, scenario } }: AddressCell): Promise<string> {
  const { id } = await db
    .q()
    .insertInto('property_notifications')
    .values({
      user_id: scenario.cast.buyerA.id,
      property_id: await scenario.listing('A’s Active', { address: STREET }),
      notification_type: 'status_change',
      message: `${STREET} is now Sold`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The pages of an area that every role has: only its own role sees them, and only its own data. */
const ownPage = (path: string, heading: string, columnsOf: string): Address => ({
  cells: `
    ${columns}
    ${columnsOf}
  `,
  to: { login: `${path.startsWith('/agent') ? '/agent/login' : '/admin'}?next=*`, buyers: '/buyer/login*' },
  secret: ({ row }) => (row === 'GET' ? `>${heading}</h1>` : ''),
  async request({ row }) {
    if (row.startsWith('POST')) return sameOriginForm({});
    const tab = /^GET (recent|watched|inquiries)$/.exec(row)?.[1];
    return tab ? { path: `${path}?tab=${tab}` } : {};
  },
});

export const addresses: Addresses = {
  '/agent/activity': ownPage(
    '/agent/activity',
    'My Activity',
    `GET            302 login  403  403  200  200  200  403
      GET .data      202 login  403  403  200  200  200  403
      GET recent     302 login  403  403  200  200  200  403
      GET watched    302 login  403  403  200  200  200  403
      GET inquiries  302 login  403  403  200  200  200  403
      POST           302 login  403  403  400  400  400  403`,
  ),
  '/admin/activity': ownPage(
    '/admin/activity',
    'My Activity',
    `GET            302 login  403  403  403  403  403  200
      GET .data      202 login  403  403  403  403  403  200
      GET recent     302 login  403  403  403  403  403  200
      GET watched    302 login  403  403  403  403  403  200
      GET inquiries  302 login  403  403  403  403  403  200
      POST           302 login  403  403  403  403  403  400`,
  ),
  '/buyer/saved-searches': {
    cells: `
      ${columns}
      GET        302 login  200  200  302 login  302 login  302 login  302 login
      GET .data  202 login  200  200  202 login  202 login  202 login  202 login
    `,
    to: { login: '/buyer/login?next=%2Fbuyer%2Fsaved-searches*' },
    secret: ({ row }) => (row === 'GET' ? '>Saved Searches</h1>' : ''),
  },
  '/agent/saved-searches': ownPage(
    '/agent/saved-searches',
    'Saved Searches',
    `GET        302 login  403  403  200  200  200  403
      GET .data  202 login  403  403  200  200  200  403`,
  ),
  '/admin/saved-searches': ownPage(
    '/admin/saved-searches',
    'Saved Searches',
    `GET        302 login  403  403  403  403  403  200
      GET .data  202 login  403  403  403  403  403  200`,
  ),
  '/buyer/compare': {
    cells: `
      ${columns}
      GET        302 login  200  200  302 login  302 login  302 login  302 login
      GET .data  202 login  200  200  202 login  202 login  202 login  202 login
    `,
    to: { login: '/buyer/login?next=%2Fbuyer%2Fcompare*' },
    secret: ({ row }) => (row === 'GET' ? '>Compare Properties</h1>' : ''),
  },
  '/agent/compare': ownPage(
    '/agent/compare',
    'Compare Properties',
    `GET        302 login  403  403  200  200  200  403
      GET .data  202 login  403  403  200  200  200  403`,
  ),
  '/admin/compare': ownPage(
    '/admin/compare',
    'Compare Properties',
    `GET        302 login  403  403  403  403  403  200
      GET .data  202 login  403  403  403  403  403  200`,
  ),
  // Everyone sees and marks only what is new to them.
  '/bell': {
    cells: `
      ${columns}
      GET             401        200       200       200          200          200          200
      POST all        302 login  303 here  303 here  303 sellers  303 sellers  303 sellers  303 admins
      POST json all   401        200       200       200          200          200          200
    `,
    to: {
      login: '/buyer/login?next=%2Fbuyer%2Ftransactions',
      here: '/buyer/transactions',
      sellers: '/agent/activity',
      admins: '/admin/activity',
    },
    async request(cell) {
      const { row } = cell;
      subjects.set(cell, await createNotification(cell));
      if (row === 'GET') return {};
      const form = sameOriginForm({ intent: 'read-all' });
      return row === 'POST json all'
        ? { ...form, headers: { ...form.headers, accept: 'application/json' } }
        : form;
    },
    async verify({ text }, cell) {
      const { app, row, actor } = cell;
      expect(text.includes(STREET)).toBe(row === 'GET' && actor === 'buyerA');
      const { is_read } = await app.db
        .q()
        .selectFrom('property_notifications')
        .select('is_read')
        .where('id', '=', subjects.get(cell) ?? '')
        .executeTakeFirstOrThrow();
      expect(is_read).toBe(actor === 'buyerA' && row !== 'GET');
    },
  },

  // Everyone reads and marks only their own.
  '/buyer/notifications': {
    cells: `
      ${columns}
      GET               401        200       200       200       200       200       200
      GET no cursor     401        400       400       400       400       400       400
      POST one          302 login  303 list  404       404       404       404       404
      POST json one     401        200       404       404       404       404       404
      POST no id        302 login  404       404       404       404       404       404
      POST all          302 login  303 list  303 list  303 sellers  303 sellers  303 sellers  303 admins
      POST json all     401        200       200       200       200       200       200
    `,
    to: {
      login: '/buyer/login?next=%2Fbuyer%2Ftransactions%3Ftab%3Dnotifications',
      list: '/buyer/transactions?tab=notifications',
      sellers: '/agent/activity?tab=notifications',
      admins: '/admin/activity?tab=notifications',
    },
    async request(cell) {
      const { row } = cell;
      const id = await createNotification(cell);
      subjects.set(cell, id);
      if (row.startsWith('GET')) return row === 'GET' ? {} : { path: '/buyer/notifications?before=none' };
      const form = sameOriginForm(
        row.endsWith('all')
          ? { intent: 'read-all' }
          : { intent: 'read', id: row.endsWith('no id') ? '' : id },
      );
      const acceptHeader = row.includes('json') && { accept: 'application/json' };
      return { ...form, headers: { ...form.headers, ...acceptHeader } };
    },
    async verify({ text }, cell) {
      const { app, row, actor } = cell;
      expect(text.includes(STREET)).toBe(row === 'GET' && actor === 'buyerA');
      const { is_read } = await app.db
        .q()
        .selectFrom('property_notifications')
        .select('is_read')
        .where('id', '=', subjects.get(cell) ?? '')
        .executeTakeFirstOrThrow();
      expect(is_read).toBe(actor === 'buyerA' && /^POST (?:json )?(?:one|all)$/.test(row));
    },
  },
};
