import { expect } from 'vitest';
import type { AddressCell, Addresses } from '../support/address.ts';
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

export const addresses: Addresses = {
  // Everyone reads and marks only their own.
  '/buyer/notifications': {
    cells: `
      ${columns}
      GET               401        200       200       200       200       200       200
      GET no cursor     401        400       400       400       400       400       400
      POST one          302 login  303 list  404       404       404       404       404
      POST json one     401        200       404       404       404       404       404
      POST no id        302 login  404       404       404       404       404       404
      POST all          302 login  303 list  303 list  303 list  303 list  303 list  303 list
      POST json all     401        200       200       200       200       200       200
    `,
    to: {
      login: '/buyer/login?next=%2Fbuyer%2Ftransactions%3Ftab%3Dnotifications',
      list: '/buyer/transactions?tab=notifications',
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
