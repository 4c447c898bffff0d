import { expect } from 'vitest';
import type { AddressCell, Addresses } from '../support/address.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const STREET = '24 Unmistakable Desk';
const others = '403  403  403  403  403';

/** The listing that each cell is about. */
const subjects = new WeakMap<AddressCell, string>();

async function newListing(cell: AddressCell, status: string): Promise<string> {
  const { app } = cell;
  await app.db.q().updateTable('properties').set({ featured_slot: null }).execute();
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
      GET no details   302 login  ${others}  404
      POST feature     302 login  ${others}  302 here
      POST nothing     302 login  ${others}  400
    `,
    to: { login: '/admin?next=*', here: '/admin/properties' },
    secret: ({ row }) => (row === 'GET' || row === 'GET details' ? STREET : ''),
    async request(cell) {
      const { row } = cell;
      const id = await newListing(cell, 'Active');
      if (row === 'GET details') return { path: `/admin/properties?details=${id}` };
      if (row === 'GET no details') return { path: '/admin/properties?details=nothing' };
      if (row.startsWith('GET')) return {};
      return sameOriginForm({
        intent: row === 'POST feature' ? 'set-featured' : 'nothing',
        id,
        featured: 'yes',
      });
    },
    async verify({ text }, cell) {
      const { app, row, actor } = cell;
      expect(text.includes(STREET), `${row}, ${actor}`).toBe(
        actor === 'admin' && row.startsWith('GET') && row !== 'GET no details',
      );
      const { is_featured } = await app.db
        .q()
        .selectFrom('properties')
        .select('is_featured')
        .where('id', '=', subjects.get(cell) ?? '')
        .executeTakeFirstOrThrow();
      expect(is_featured, actor).toBe(actor === 'admin' && row === 'POST feature');
    },
  },
};
