import { expect } from 'vitest';
import { unsubscribeToken } from '#features/notifications/unsubscribe-token.ts';
import { prepareExport } from '#features/personal-data/commands/prepare-export.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { sameForAll } from '../support/table-rows.ts';
import { SECRET, sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';

/** Buyer A's saved search each cell is about. */
const subjects = new WeakMap<AddressCell, string>();

async function createSavedSearch(cell: AddressCell): Promise<string> {
  const { db, scenario } = cell.app;
  await db.q().deleteFrom('saved_searches').execute();
  const { id } = await db
    .q()
    .insertInto('saved_searches')
    .values({ user_id: scenario.cast.buyerA.id, name: 'Of buyer A' })
    .returning('id')
    .executeTakeFirstOrThrow();
  subjects.set(cell, id);
  return id;
}

const wantsMessages = async ({ app: { db, scenario } }: AddressCell) =>
  (
    await db
      .q()
      .selectFrom('notification_preferences')
      .select('mail_messages')
      .where('user_id', '=', scenario.cast.buyerA.id)
      .executeTakeFirst()
  )?.mail_messages ?? true;

export const addresses: Addresses = {
  // Only one's own data, which mentions nobody else.
  '/account/export': {
    cells: `
      ${columns}
      GET   302 login  200  200  200  200  200  200
      POST  405        405  405  405  405  405  405
    `,
    to: { login: '/buyer/login?next=%2Faccount' },
    secret: '"watchedProperties"',
    personal: true,
    verify({ status, headers }) {
      if (status !== 200) return;
      expect(headers['content-disposition']).toMatch(
        /^attachment; filename="acre-trading-post-[\d-]+\.json"$/,
      );
      expect(headers['cache-control']).toBe('private, no-store');
    },
  },

  // The link is for one administrator; it was made by another one.
  '/admin/personal-data/:link': {
    cells: `
      ${columns}
      GET           302 login  403  403  403  403  403  200
      GET another’s  302 login  403  403  403  403  403  404
      GET made up   302 login  403  403  403  403  403  404
    `,
    to: { login: '/admin' },
    secret: ({ row }) => (row === 'GET' ? '"watchedProperties"' : ''),
    async request({ app, row }) {
      if (row === 'GET made up') return { path: adminPaths.personalData('made-up') };
      const { cast, ctx } = app.scenario;
      const actor = row === 'GET' ? cast.admin : await createUser(app.db, 'admin');
      const config = { ...ctx('admin').config, secret: SECRET };
      const prepared = await prepareExport(
        { ...ctx('admin'), config, actor },
        { userId: cast.buyerB.id, reason: 'Asked by letter' },
      );
      return { path: adminPaths.personalData(prepared.ok ? prepared.link : '') };
    },
    verify({ status, headers }) {
      if (status === 200)
        expect(headers['content-disposition']).toMatch(/^attachment; filename="personal-data-[\d-]+\.json"$/);
    },
  },

  '/saved-searches': {
    cells: `
      ${columns}
      GET              405        405       405       405       405       405       405
      POST save        302 login  302 list  302 list  302 sellers  302 sellers  302 sellers  302 admins
      POST json save   302 login  200       200       200       200       200       200
      POST json wrong  302 login  422       422       422       422       422       422
      POST rename      302 login  302 list  302 list  302 sellers  302 sellers  302 sellers  302 admins
      POST seen        302 login  302 list  302 list  302 sellers  302 sellers  302 sellers  302 admins
      POST json seen   302 login  200       409       409       409       409       409
      POST delete      302 login  302 list  302 list  302 sellers  302 sellers  302 sellers  302 admins
    `,
    to: {
      login: '/buyer/login?next=%2Fbuyer%2Fsaved-searches',
      list: '/buyer/saved-searches',
      sellers: '/agent/saved-searches',
      admins: '/admin/saved-searches',
    },
    async request(cell) {
      const { row } = cell;
      if (row === 'GET') return {};
      const id = await createSavedSearch(cell);
      if (row === 'POST rename') return sameOriginForm({ intent: 'change', id, name: 'Renamed' });
      // A search that is gone, or was never theirs, is answered by a toast: it may have been deleted in another tab.
      if (/seen|delete/.test(row))
        return sameOriginForm(
          { intent: row.split(' ').at(-1) ?? '', id },
          { json: row.startsWith('POST json') },
        );
      const name = row.endsWith('wrong') ? '' : 'New';
      const fields = { intent: 'save', name, cadence: 'daily', query: 'q=lake' };
      return sameOriginForm(fields, { json: row.startsWith('POST json') });
    },
    async verify(_, cell) {
      const { actor, row, app } = cell;
      if (row === 'GET') return;
      const kept = await app.db.q().selectFrom('saved_searches').select(['id', 'user_id', 'name']).execute();
      const of = kept.find(({ id }) => id === subjects.get(cell));
      const own = actor === 'buyerA';
      expect(of?.name).toBe(
        own && row === 'POST rename' ? 'Renamed' : own && row === 'POST delete' ? undefined : 'Of buyer A',
      );
      const saved = kept.filter(({ name }) => name === 'New').map((search) => search.user_id);
      const saves = actor !== 'anonymous' && /save$/.test(row);
      expect(saved).toEqual(saves ? [app.scenario.person(actor).id] : []);
    },
  },

  // The signed link decides whose mails it stops, not the session; merely opening it stops nothing.
  '/unsubscribe': {
    cells: sameForAll(
      ['GET', '200'],
      ['GET of buyer A', '200'],
      ['GET .data', '200'],
      ['POST', '400'],
      ['POST forged', '400'],
      ['POST of buyer A', '200'],
      ['POST by a mail program', '200'],
    ),
    async request(cell) {
      const { app, row } = cell;
      await app.db.q().deleteFrom('notification_preferences').execute();
      const token = unsubscribeToken({ secret: SECRET }, app.scenario.cast.buyerA.id, 'messages');
      if (row === 'GET of buyer A') return { path: `/unsubscribe?token=${token}` };
      if (row === 'POST forged')
        return sameOriginForm({ token: token.replace('messages', 'saved_searches') });
      if (row === 'POST of buyer A') return sameOriginForm({ token });
      if (row !== 'POST by a mail program') return row === 'POST' ? sameOriginForm({}) : {};
      return {
        path: `/unsubscribe?token=${token}`,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      };
    },
    async verify({ headers }, cell) {
      expect(headers['referrer-policy']).toBe('no-referrer');
      const ended = cell.row === 'POST of buyer A' || cell.row === 'POST by a mail program';
      expect(await wantsMessages(cell)).toBe(!ended);
    },
  },
};
