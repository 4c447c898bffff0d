import { expect } from 'vitest';
import { leaveToken } from '#platform/auth/leave-link.ts';
import { type Addresses, all, type Visit } from '../address.ts';
import { fromOurPage, SECRET } from '../house.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';

/** Buyer A's saved search that a visit is about. */
const about = new WeakMap<Visit, string>();

async function searchOf(visit: Visit): Promise<string> {
  const { db, stage } = visit.house;
  await db.q().deleteFrom('saved_searches').execute();
  const { id } = await db
    .q()
    .insertInto('saved_searches')
    .values({ user_id: stage.cast.buyerA.id, name: 'Of buyer A' })
    .returning('id')
    .executeTakeFirstOrThrow();
  about.set(visit, id);
  return id;
}

const wantsMessages = async ({ house: { db, stage } }: Visit) =>
  (
    await db
      .q()
      .selectFrom('notification_preferences')
      .select('mail_messages')
      .where('user_id', '=', stage.cast.buyerA.id)
      .executeTakeFirst()
  )?.mail_messages ?? true;

export const addresses: Addresses = {
  // The own data alone; it names nobody else.
  '/account/export': {
    cells: `
      ${columns}
      GET   302 login  200  200  200  200  200  200
      POST  405        405  405  405  405  405  405
    `,
    to: { login: '/buyer/login?next=%2Faccount' },
    secret: '"watchedProperties"',
    personal: true,
    holds({ status, headers }) {
      if (status !== 200) return;
      expect(headers['content-disposition']).toMatch(
        /^attachment; filename="acre-trading-post-[\d-]+\.json"$/,
      );
      expect(headers['cache-control']).toBe('private, no-store');
    },
  },

  '/saved-searches': {
    cells: `
      ${columns}
      GET              405        405       405       405       405       405       405
      POST save        302 login  302 list  302 list  302 list  302 list  302 list  302 list
      POST json save   302 login  200       200       200       200       200       200
      POST json wrong  302 login  422       422       422       422       422       422
      POST rename      302 login  302 list  404       404       404       404       404
      POST seen        302 login  302 list  404       404       404       404       404
      POST delete      302 login  302 list  404       404       404       404       404
    `,
    to: {
      login: '/buyer/login?next=%2Fbuyer%2Ftransactions%3Ftab%3Dwatched',
      list: '/buyer/transactions?tab=watched',
    },
    async asks(visit) {
      const { row } = visit;
      if (row === 'GET') return {};
      const id = await searchOf(visit);
      if (row === 'POST rename') return fromOurPage({ form: 'change', id, name: 'Renamed' });
      if (row === 'POST seen' || row === 'POST delete') return fromOurPage({ form: row.slice(5), id });
      const scripted = row.startsWith('POST json') ? '1' : '';
      const name = row.endsWith('wrong') ? '' : 'New';
      return fromOurPage({ form: 'save', name, cadence: 'daily', query: 'q=lake', scripted });
    },
    async holds(_, visit) {
      const { actor, row, house } = visit;
      if (row === 'GET') return;
      const kept = await house.db
        .q()
        .selectFrom('saved_searches')
        .select(['id', 'user_id', 'name'])
        .execute();
      const of = kept.find(({ id }) => id === about.get(visit));
      const own = actor === 'buyerA';
      expect(of?.name).toBe(
        own && row === 'POST rename' ? 'Renamed' : own && row === 'POST delete' ? undefined : 'Of buyer A',
      );
      const saved = kept.filter(({ name }) => name === 'New').map((search) => search.user_id);
      const saves = actor !== 'anonymous' && /save$/.test(row);
      expect(saved).toEqual(saves ? [house.stage.person(actor).id] : []);
    },
  },

  // The signed link says whose mails it ends, whoever follows it; opening it ends nothing.
  '/unsubscribe': {
    cells: all(
      ['GET', '200'],
      ['GET of buyer A', '200'],
      ['GET .data', '200'],
      ['POST', '400'],
      ['POST forged', '400'],
      ['POST of buyer A', '200'],
      ['POST by a mail program', '200'],
    ),
    async asks(visit) {
      const { house, row } = visit;
      await house.db.q().deleteFrom('notification_preferences').execute();
      const token = leaveToken({ secret: SECRET }, house.stage.cast.buyerA.id, 'messages');
      if (row === 'GET of buyer A') return { path: `/unsubscribe?token=${token}` };
      if (row === 'POST forged') return fromOurPage({ token: token.replace('messages', 'saved_searches') });
      if (row === 'POST of buyer A') return fromOurPage({ token });
      if (row !== 'POST by a mail program') return row === 'POST' ? fromOurPage({}) : {};
      return {
        path: `/unsubscribe?token=${token}`,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      };
    },
    async holds({ headers }, visit) {
      expect(headers['referrer-policy']).toBe('no-referrer');
      const ended = visit.row === 'POST of buyer A' || visit.row === 'POST by a mail program';
      expect(await wantsMessages(visit)).toBe(!ended);
    },
  },
};
