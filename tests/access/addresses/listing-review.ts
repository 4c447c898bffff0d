import { expect } from 'vitest';
import { versionOf } from '#features/listing-review/version.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const STREET = '24 Unmistakable Desk';
const others = '403  403  403  403  403';

const SHOWN = ['GET', 'GET details', 'GET no details', 'GET pending'];
/** What is about a listing that waits for approval. */
const DESK = ['GET pending', 'POST approve', 'POST stale', 'POST reject', 'POST selected'];
const intents: Record<string, string> = {
  'POST feature': 'set-featured',
  'POST approve': 'approve',
  'POST stale': 'approve',
  'POST reject': 'reject',
  'POST selected': 'approve-selected',
};

async function versionSeen({ app }: AddressCell, id: string): Promise<string> {
  const row = await app.db
    .q()
    .selectFrom('properties as p')
    .select(versionOf('p').as('version'))
    .where('p.id', '=', id)
    .executeTakeFirstOrThrow();
  return row.version;
}

/** The listing that each cell is about. */
const subjects = new WeakMap<AddressCell, string>();

async function newListing(cell: AddressCell, status: string): Promise<string> {
  const { app } = cell;
  await app.db
    .q()
    .updateTable('properties')
    .set({ featured_slot: null })
    .where('featured_slot', 'is not', null)
    .execute();
  const id = await app.scenario.listing(`A’s ${status}`, { address: STREET });
  subjects.set(cell, id);
  return id;
}

export const addresses: Addresses = {
  '/admin/properties': {
    cells: `
      ${columns}
      GET              302 login  ${others}  200
      GET .data        202 login  ${others}  200
      GET details      302 login  ${others}  200
      GET no details   302 login  ${others}  200
      GET pending      302 login  ${others}  200
      GET escrow       302 login  ${others}  200
      POST feature     302 login  ${others}  302 here
      POST approve     302 login  ${others}  302 desk
      POST stale       302 login  ${others}  409
      POST reject      302 login  ${others}  422
      POST selected    302 login  ${others}  200
      POST nothing     302 login  ${others}  400
    `,
    to: { login: '/admin?next=*', here: '/admin/properties', desk: '/admin/properties?tab=pending' },
    secret: ({ row }) => (SHOWN.includes(row) ? STREET : ''),
    async request(cell) {
      const { row } = cell;
      const id = await newListing(cell, DESK.includes(row) ? 'pending' : 'Active');
      if (row === 'GET details') return { path: `/admin/properties?details=${id}` };
      if (row === 'GET no details') return { path: '/admin/properties?details=nothing' };
      if (row === 'GET pending' || row === 'GET escrow')
        return { path: `/admin/properties?tab=${row.slice(4)}` };
      if (row.startsWith('GET')) return {};
      const version = row === 'POST stale' ? 'another' : await versionSeen(cell, id);
      return sameOriginForm({
        intent: intents[row] ?? 'nothing',
        id,
        featured: 'yes',
        version,
        selected: `${id} ${version}`,
      });
    },
    async verify({ text }, cell) {
      const { app, row, actor } = cell;
      if (row.startsWith('GET')) {
        const shown = SHOWN.includes(row) || row === 'GET .data';
        expect(text.includes(STREET), `${row}, ${actor}`).toBe(actor === 'admin' && shown);
      }
      const { is_featured, status } = await app.db
        .q()
        .selectFrom('properties')
        .select(['is_featured', 'status'])
        .where('id', '=', subjects.get(cell) ?? '')
        .executeTakeFirstOrThrow();
      expect(is_featured, actor).toBe(actor === 'admin' && row === 'POST feature');
      const approved = actor === 'admin' && (row === 'POST approve' || row === 'POST selected');
      if (DESK.includes(row)) expect(status, `${row}, ${actor}`).toBe(approved ? 'Active' : 'pending');
    },
  },
};
