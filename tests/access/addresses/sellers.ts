import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { type Addresses, all, type Visit } from '../address.ts';
import { fromOurPage } from '../house.ts';
import { lastingSale, systemOf } from '../sales.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const STREET = '23 Unmistakable Row';
const heading = (text: string) => `>${text}</h1>`;
const login = (path: string) => `/agent/login?next=${encodeURIComponent(path)}`;
const reading = (words: string) => `
      ${columns}
      GET        302 login  403  403  ${words}  403
      GET .data  202 login  403  403  ${words}  403
`;

async function invited({ house }: Visit) {
  const made = await inviteSeller(systemOf(house.stage), {
    name: 'Ines Calloway',
    email: `invited-${randomUUID()}@example.test`,
  });
  if (!made.ok) throw new Error(made.reason);
  return new URL(made.link);
}

/** A listing of seller A that a row of 'My Properties' is about; what is asked for it comes to nothing for all others. */
const about = new WeakMap<Visit, string>();

/** What seller A sees of STREET in the tables, and nobody else. */
const ownStreet = ({ text }: { text: string }, { actor, row }: Visit) => {
  if (row.startsWith('GET')) expect(text.includes(STREET), `${row}, ${actor}`).toBe(actor === 'sellerA');
};

export const addresses: Addresses = {
  '/agent/register': {
    cells: all(
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
    async asks(visit) {
      const link = await invited(visit);
      const { row, house } = visit;
      if (row.endsWith('no id')) return { path: '/agent/register' };
      if (row.endsWith('unknown')) link.searchParams.set('id', randomUUID());
      if (row.endsWith('another token')) link.searchParams.set('token', 'made-up-made-up-made-up');
      if (row.endsWith('registered')) link.searchParams.set('id', house.stage.cast.sellerA.agentId ?? '');
      const path = link.pathname + link.search;
      if (row.startsWith('GET')) return { path };
      const password = row === 'POST nothing typed' ? '' : 'Plumb-Line 77 brass';
      const typed = { name: 'Ines Calloway', email: 'ines@example.test', password, confirm: password };
      return { path, ...fromOurPage({ form: 'register', ...typed }) };
    },
    holds({ text, headers }, { row }) {
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
    async asks(visit) {
      const { house, row } = visit;
      await house.db.q().deleteFrom('properties').where('address', '=', STREET).execute();
      const status = row === 'POST delete' ? 'pending' : 'Active';
      const id = await house.stage.listing(`A’s ${status}`, { address: STREET });
      about.set(visit, id);
      if (row.startsWith('GET')) return {};
      const [, deed = ''] = row.split(' ');
      if (deed !== 'discard') return fromOurPage({ do: deed, id });
      const { agentId } = house.stage.cast.sellerA;
      await house.db.q().deleteFrom('property_drafts').where('agent_id', '=', agentId).execute();
      const draft = await house.db
        .q()
        .insertInto('property_drafts')
        .values({ agent_id: agentId ?? '', form: JSON.stringify({ title: 'A draft' }) })
        .returning('id')
        .executeTakeFirstOrThrow();
      return fromOurPage({ do: deed, id: draft.id });
    },
    async holds(answer, visit) {
      ownStreet(answer, visit);
      const { house, row, actor } = visit;
      const mine = actor === 'sellerA';
      const q = house.db.q();
      if (row === 'POST discard') {
        const drafts = await q
          .selectFrom('property_drafts')
          .select('id')
          .where('agent_id', '=', house.stage.cast.sellerA.agentId)
          .execute();
        expect(drafts, actor).toHaveLength(mine ? 0 : 1);
      }
      const listing = await q
        .selectFrom('properties')
        .select(['status', 'deleted_at'])
        .where('id', '=', about.get(visit) ?? '')
        .executeTakeFirstOrThrow();
      expect(listing.status === 'withdrawn', actor).toBe(mine && row === 'POST withdraw');
      expect(listing.deleted_at !== null, actor).toBe(mine && row === 'POST delete');
    },
  },

  '/agent/agents': {
    cells: reading('200  200  200'),
    to: { login: login('/agent/agents') },
    secret: ({ row }) => (row === 'GET' ? heading('Manage Sellers') : 'activeListings'),
    personal: true,
  },

  '/agent/transactions': {
    cells: reading('200  200  200'),
    to: { login: login('/agent/transactions') },
    secret: ({ row }) => (row === 'GET' ? heading('My Transactions') : ''),
    asks: soldStreet,
    holds: ownStreet,
  },

  '/agent/transactions.csv': {
    cells: `
      ${columns}
      GET  302 login  403  403  200  200  200  403
    `,
    to: { login: login('/agent/transactions') },
    secret: 'Commission (USD)',
    asks: soldStreet,
    holds(answer, visit) {
      ownStreet(answer, visit);
      if (answer.status === 200)
        expect(answer.headers['content-disposition']).toMatch(/^attachment;.*\.csv"$/);
    },
  },

  '/agent/settings': {
    cells: `
      ${columns}
      GET              302 login  403  403  200       200       200  403
      GET .data        202 login  403  403  200       200       200  403
      POST connect     302 login  403  403  200       200       200  403
      POST save        302 login  403  403  302 here  302 here  403  403
      POST nothing     302 login  403  403  422       422       403  403
      POST disconnect  302 login  403  403  302 here  302 here  403  403
      POST confirm     302 login  403  403  302 here  302 here  403  403
    `,
    to: { login: login('/agent/settings'), here: '/agent/settings' },
    secret: ({ row }) => (row === 'GET' ? heading('Payment Settings') : ''),
    async asks(visit) {
      if (visit.row.startsWith('GET')) return soldStreet(visit);
      const [, what = ''] = visit.row.split(' ');
      if (what === 'save')
        return fromOurPage({ do: 'save', method: 'paypal', paypalEmail: 'me@example.test' });
      return fromOurPage({ do: what, token: 'made-up' });
    },
    holds: ({ status, text }, { row }) => {
      if (row === 'POST connect' && status === 200) expect(text).toContain('Coming Soon');
    },
  },
};

/** Seller A has sold a house in STREET. */
async function soldStreet({ house, row }: Visit) {
  const { propertyId } = await lastingSale(house.stage, 'released');
  await house.db
    .q()
    .updateTable('properties')
    .set({ address: STREET })
    .where('id', '=', propertyId)
    .execute();
  return row.includes('POST') ? fromOurPage({}) : {};
}
