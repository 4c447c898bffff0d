import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { sharedSale, systemContext } from '../support/sales.ts';
import { sameForAll } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const STREET = '23 Unmistakable Row';
const heading = (text: string) => `>${text}</h1>`;
const login = (path: string) => `/agent/login?next=${encodeURIComponent(path)}`;
const readOnlyCells = (outcomes: string) => `
      ${columns}
      GET        302 login  403  403  ${outcomes}  403
      GET .data  202 login  403  403  ${outcomes}  403
`;

async function invitationLink({ app }: AddressCell) {
  const made = await inviteSeller(systemContext(app.scenario), {
    name: 'Ines Calloway',
    email: `invited-${randomUUID()}@example.test`,
  });
  if (!made.ok) throw new Error(made.reason);
  return new URL(made.link);
}

/** The listing of seller A each cell of 'My Properties' is about; nobody else may change it. */
const subjects = new WeakMap<AddressCell, string>();

/** Asserts that only seller A sees STREET. */
const expectStreetOnlyForOwner = ({ text }: { text: string }, { actor, row }: AddressCell) => {
  if (row.startsWith('GET')) expect(text.includes(STREET), `${row}, ${actor}`).toBe(actor === 'sellerA');
};

export const addresses: Addresses = {
  '/agent/register': {
    cells: sameForAll(
      ['GET', '200'],
      ['GET no id', '200'],
      ['GET unknown', '200'],
      ['GET another token', '200'],
      ['GET registered', '302 login'],
      ['POST nothing typed', '422'],
      ['POST another token', '400'],
      ['POST registered', '302 login'],
    ),
    to: { login: '/agent/login' },
    async request(cell) {
      const link = await invitationLink(cell);
      const { row, app } = cell;
      if (row.endsWith('no id')) return { path: '/agent/register' };
      if (row.endsWith('unknown')) link.searchParams.set('id', randomUUID());
      if (row.endsWith('another token')) link.searchParams.set('token', 'made-up-made-up-made-up');
      if (row.endsWith('registered')) link.searchParams.set('id', app.scenario.cast.sellerA.agentId ?? '');
      const path = link.pathname + link.search;
      if (row.startsWith('GET')) return { path };
      const password = row === 'POST nothing typed' ? '' : 'Plumb-Line 77 brass';
      const typed = { name: 'Ines Calloway', email: 'ines@example.test', password, confirm: password };
      return { path, ...sameOriginForm({ intent: 'register', ...typed }) };
    },
    verify({ text, headers }, { row }) {
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(text.includes('Ines Calloway')).toBe(row === 'GET' || row === 'POST nothing typed');
    },
  },

  '/agent/properties': {
    cells: `
      ${columns}
      GET              302 login  403  403  200       200       200       403
      GET .data        202 login  403  403  200       200       200       403
      POST withdraw    302 login  403  403  302 here  302 here  403       403
      POST delete      302 login  403  403  302 here  302 here  403       403
      POST discard     302 login  403  403  302 here  302 here  403       403
      POST nothing     302 login  403  403  302 here  302 here  302 here  403
    `,
    to: { login: login('/agent/properties'), here: '/agent/properties' },
    secret: ({ row }) => (row === 'GET' ? heading('My Properties') : ''),
    async request(cell) {
      const { app, row } = cell;
      await deleteListingsIn(app, STREET);
      const status = row === 'POST delete' ? 'pending' : 'Active';
      const id = await app.scenario.listing(`A’s ${status}`, { address: STREET });
      subjects.set(cell, id);
      if (row.startsWith('GET')) return {};
      const [, action = ''] = row.split(' ');
      if (action !== 'discard') return sameOriginForm({ intent: action, id });
      const { agentId } = app.scenario.cast.sellerA;
      await app.db.q().deleteFrom('property_drafts').where('agent_id', '=', agentId).execute();
      const draft = await app.db
        .q()
        .insertInto('property_drafts')
        .values({ agent_id: agentId ?? '', form: JSON.stringify({ title: 'A draft' }) })
        .returning('id')
        .executeTakeFirstOrThrow();
      return sameOriginForm({ intent: action, id: draft.id });
    },
    async verify(answer, cell) {
      expectStreetOnlyForOwner(answer, cell);
      const { app, row, actor } = cell;
      const mine = actor === 'sellerA';
      const q = app.db.q();
      if (row === 'POST discard') {
        const drafts = await q
          .selectFrom('property_drafts')
          .select('id')
          .where('agent_id', '=', app.scenario.cast.sellerA.agentId)
          .execute();
        expect(drafts, actor).toHaveLength(mine ? 0 : 1);
      }
      const listing = await q
        .selectFrom('properties')
        .select(['status', 'deleted_at'])
        .where('id', '=', subjects.get(cell) ?? '')
        .executeTakeFirstOrThrow();
      expect(listing.status === 'withdrawn', actor).toBe(mine && row === 'POST withdraw');
      expect(listing.deleted_at !== null, actor).toBe(mine && row === 'POST delete');
    },
  },

  '/agent/agents': {
    cells: readOnlyCells('200  200  200'),
    to: { login: login('/agent/agents') },
    secret: ({ row }) => (row === 'GET' ? heading('Manage Sellers') : 'activeListings'),
    personal: true,
  },

  '/agent/transactions': {
    cells: readOnlyCells('200  200  200'),
    to: { login: login('/agent/transactions') },
    secret: ({ row }) => (row === 'GET' ? heading('My Transactions') : ''),
    request: sellStreet,
    verify: expectStreetOnlyForOwner,
  },

  '/agent/transactions.csv': {
    cells: `
      ${columns}
      GET  302 login  403  403  200  200  200  403
    `,
    to: { login: login('/agent/transactions') },
    secret: 'Commission (USD)',
    request: sellStreet,
    verify(answer, cell) {
      expectStreetOnlyForOwner(answer, cell);
      if (answer.status === 200)
        expect(answer.headers['content-disposition']).toMatch(/^attachment;.*\.csv"$/);
    },
  },

  '/agent/settings': {
    cells: `
      ${columns}
      GET              302 login  403  403  200       200       200  403
      GET .data        202 login  403  403  200       200       200  403
      POST connect     302 login  403  403  200       200       403  403
      POST dashboard   302 login  403  403  409       409       403  403
      POST save        302 login  403  403  302 here  302 here  403  403
      POST nothing     302 login  403  403  422       422       403  403
      POST disconnect  302 login  403  403  302 here  302 here  403  403
      POST confirm     302 login  403  403  302 here  302 here  403  403
    `,
    to: { login: login('/agent/settings'), here: '/agent/settings' },
    secret: ({ row }) => (row === 'GET' ? heading('Payment Settings') : ''),
    async request(cell) {
      if (cell.row.startsWith('GET')) return sellStreet(cell);
      const [, what = ''] = cell.row.split(' ');
      if (what === 'save')
        return sameOriginForm({ intent: 'save', method: 'paypal', paypalEmail: 'me@example.test' });
      return sameOriginForm({ intent: what, token: 'made-up' });
    },
    verify: ({ status, text }, { row }) => {
      if (row === 'POST connect' && status === 200) {
        expect(text).toContain('Coming Soon');
        expect(text).toContain('Stripe integration will be available soon.');
      }
    },
  },

  '/agent/settings/stripe/return': {
    sandbox: true,
    cells: `
      ${columns}
      GET        302 login  403  403  302 settings  302 settings  302 settings  403
      GET .data  202 login  403  403  202 settings  202 settings  202 settings  403
    `,
    to: { login: '/agent/login?next=*', settings: '/agent/settings' },
    secret: '',
  },

  // A new link to the provider's page, for those who may connect an account.
  '/agent/settings/stripe/refresh': {
    sandbox: true,
    cells: `
      ${columns}
      GET  302 login  403  403  302 onboarding  302 onboarding  302 settings  403
    `,
    to: { login: '/agent/login?next=*', settings: '/agent/settings', onboarding: '/sandbox/onboarding/*' },
    secret: '',
  },

  // On a server that takes real payments no statement lists the test money of these sales.
  '/agent/statements': {
    sandbox: true,
    cells: `
      ${columns}
      GET            302 login  403  403  200  200  200  403
      GET .data      202 login  403  403  200  200  200  403
      GET no month   302 login  403  403  400  400  400  403
      GET later      302 login  403  403  404  404  404  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Fstatements*' },
    secret: ({ row }) => (row === 'GET' ? heading('Statements') : ''),
    async request(cell) {
      await sellStreet(cell);
      const month = { 'GET no month': 'october', 'GET later': '2099-01' }[cell.row];
      return month ? { path: sellerPaths.statements({ month }) } : {};
    },
    verify: (answer, cell) => {
      if (answer.status === 200) expectStreetOnlyForOwner(answer, cell);
    },
  },

  // The statement of seller A, or of seller B, in the present month.
  '/statements/:seller/:file': {
    sandbox: true,
    cells: `
      ${columns}
      GET A’s csv    302 login  403  403  200  404  404  200
      GET A’s pdf    302 login  403  403  200  404  404  200
      GET B’s csv    302 login  403  403  404  200  404  200
      GET A’s txt    302 login  404  404  404  404  404  404
      GET no id csv  302 login  403  403  404  404  404  404
    `,
    to: { login: '/agent/login?next=%2Fagent%2Fstatements*' },
    secret: ({ row }) => (row === 'GET A’s csv' ? 'Balance (USD)' : ''),
    async request(cell) {
      await sellStreet(cell);
      const { cast } = cell.app.scenario;
      const [, whose = '', format = ''] = /^GET (.*) (\w+)$/.exec(cell.row) ?? [];
      const seller = { 'A’s': cast.sellerA, 'B’s': cast.sellerB }[whose]?.agentId ?? 'nobody';
      return { path: `/statements/${seller}/${new Date().toISOString().slice(0, 7)}.${format}` };
    },
    verify({ status, headers, text }, { row }) {
      if (status !== 200) return;
      expect(headers['cache-control']).toBe('private, no-store');
      expect(headers['content-disposition']).toMatch(
        /^attachment; filename="statement-\d{4}-\d\d\.(csv|pdf)"$/,
      );
      if (row.endsWith('csv')) expect(text.includes(STREET)).toBe(row === 'GET A’s csv');
      else expect(text.startsWith('%PDF-1.7')).toBe(true);
    },
  },
};

/** Deletes listings, again when PostgreSQL has ended this in favour of a job of the server that waited for the same rows. */
async function deleteListingsIn({ db }: AddressCell['app'], address: string): Promise<void> {
  const DEADLOCK = '40P01';
  for (;;)
    try {
      await db.q().deleteFrom('properties').where('address', '=', address).execute();
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === DEADLOCK)) throw error;
    }
}

/** Gives seller A a completed sale in STREET. */
async function sellStreet({ app, row }: AddressCell) {
  const { propertyId } = await sharedSale(app.scenario, 'released');
  await app.db.q().updateTable('properties').set({ address: STREET }).where('id', '=', propertyId).execute();
  return row.includes('POST') ? sameOriginForm({}) : {};
}
