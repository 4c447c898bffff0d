import { expect } from 'vitest';
import type { Addresses, Visit } from '../address.ts';
import { fromOurPage } from '../house.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const STREET = '23 Unmistakable Row';

/** The notification of buyer A that a visit is about. */
const about = new WeakMap<Visit, string>();

async function told({ house: { db, stage } }: Visit): Promise<string> {
  const { id } = await db
    .q()
    .insertInto('property_notifications')
    .values({
      user_id: stage.cast.buyerA.id,
      property_id: await stage.listing('A’s Active', { address: STREET }),
      notification_type: 'status_change',
      message: `${STREET} is now Sold`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const addresses: Addresses = {
  // Each reads and marks the own ones alone.
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
    async asks(visit) {
      const { row } = visit;
      const id = await told(visit);
      about.set(visit, id);
      if (row.startsWith('GET')) return row === 'GET' ? {} : { path: '/buyer/notifications?before=none' };
      const form = fromOurPage(row.endsWith('all') ? { all: '1' } : { id: row.endsWith('no id') ? '' : id });
      const asked = row.includes('json') && { accept: 'application/json' };
      return { ...form, headers: { ...form.headers, ...asked } };
    },
    async holds({ text }, visit) {
      const { house, row, actor } = visit;
      expect(text.includes(STREET)).toBe(row === 'GET' && actor === 'buyerA');
      const { is_read } = await house.db
        .q()
        .selectFrom('property_notifications')
        .select('is_read')
        .where('id', '=', about.get(visit) ?? '')
        .executeTakeFirstOrThrow();
      expect(is_read).toBe(actor === 'buyerA' && /^POST (?:json )?(?:one|all)$/.test(row));
    },
  },
};
