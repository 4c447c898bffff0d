import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { paths } from '#app/paths.ts';
import { filledForm } from '#tests/support/seller-form.ts';
import type { Addresses, Visit } from '../address.ts';
import { fromOurPage } from '../house.ts';
import { badId } from '../sale-rows.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const TITLE = 'The unmistakable draft';
const STREET = '23 Unmistakable Row';

/** The draft or listing that a visit is about. */
const about = new WeakMap<Visit, string>();

async function draftFor(visit: Visit, propertyId: string | null = null): Promise<string> {
  const { house, row } = visit;
  const { db, stage } = house;
  await db.q().deleteFrom('property_drafts').execute();
  const owner = stage.person(row.includes('suspended') ? 'suspended' : 'sellerA');
  const { id } = await db
    .q()
    .insertInto('property_drafts')
    .values({
      agent_id: String(owner.agentId),
      property_id: propertyId,
      form: JSON.stringify({ title: TITLE }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  about.set(visit, id);
  return id;
}

async function listingFor(visit: Visit): Promise<string> {
  const { stage } = visit.house;
  const id = await stage.listing(
    visit.row.includes('suspended') ? 'suspended seller’s Active' : 'A’s Active',
    {
      address: STREET,
    },
  );
  const bad = badId({ row: visit.row.replace(/^(?:GET|POST)(?: \.data)? /, '') }, id);
  about.set(visit, bad ?? id);
  return bad ?? id;
}

const fields = () => {
  const { amenities: _none, ...texts } = filledForm();
  return { ...texts, base: '{}', version: '0', draftId: randomUUID() };
};
const json = (body: unknown) => ({
  ...fromOurPage({}),
  headers: { ...fromOurPage({}).headers, 'content-type': 'application/json', accept: 'application/json' },
  body: JSON.stringify(body),
});

export const addresses: Addresses = {
  '/agent/properties/add': {
    cells: `
      ${columns}
      GET A’s draft        302 login  403  403  200       200       200  403
      GET .data A’s draft  202 login  403  403  200       200       200  403
      POST                 302 login  403  403  303 list  303 list  403  403
      POST nothing         302 login  403  403  422       422       403  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Fproperties%2Fadd*', list: '/agent/properties' },
    async asks(visit) {
      const { row } = visit;
      if (row.startsWith('GET')) {
        await draftFor(visit);
        return { path: `${paths.agentAddProperty()}${row.includes('.data') ? '.data' : ''}` };
      }
      await visit.house.db.q().deleteFrom('property_drafts').execute();
      return fromOurPage(row === 'POST' ? fields() : { draftId: randomUUID() });
    },
    holds({ text }, { row, actor }) {
      if (row.startsWith('GET')) expect(text.includes(TITLE), `${row}, ${actor}`).toBe(actor === 'sellerA');
    },
  },
  '/agent/properties/:id/edit': {
    cells: `
      ${columns}
      GET A’s               302 login  403  403  200       404  404  403
      GET .data A’s         202 login  403  403  200       404  404  403
      GET the suspended’s   302 login  403  403  404       404  200  403
      GET unknown id        302 login  403  403  404       404  404  403
      GET no id at all      302 login  403  403  404       404  404  403
      POST A’s              302 login  403  403  303 list  404  403  403
      POST the suspended’s  302 login  403  403  404       404  403  403
      POST unknown id       302 login  403  403  404       404  403  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Fproperties%2F*', list: '/agent/properties' },
    async asks(visit) {
      const { row } = visit;
      const path = paths.agentEditProperty(await listingFor(visit));
      if (row.startsWith('POST')) return { path, ...fromOurPage(fields()) };
      return { path: `${path}${row.includes('.data') ? '.data' : ''}` };
    },
    async holds({ text, status }, visit) {
      const { row, house } = visit;
      if (row.startsWith('GET')) expect(text.includes(STREET)).toBe(status === 200);
      else if (row.endsWith('’s')) {
        const { title } = await house.db
          .q()
          .selectFrom('properties')
          .select('title')
          .where('id', '=', about.get(visit) ?? '')
          .executeTakeFirstOrThrow();
        expect(title).toBe(status === 303 ? filledForm().title : null);
      }
    },
  },
  '/api/listing-draft': {
    cells: `
      ${columns}
      POST a new one         401  403  403  200  200  403  403
      POST A’s draft         401  403  403  200  410  403  403
      POST A’s listing       401  403  403  200  404  403  403
      POST the suspended’s   401  403  403  404  404  403  403
      POST nothing           400  400  400  400  400  400  400
      POST discard A’s draft       401  403  403  200  404  403  403
      POST discard the suspended’s draft  401  403  403  404  404  403  403
      GET                    405  405  405  405  405  405  405
    `,
    async asks(visit) {
      const { row } = visit;
      const kept = row.endsWith('draft') ? await draftFor(visit) : null;
      if (!kept) await visit.house.db.q().deleteFrom('property_drafts').execute();
      if (row === 'GET') return {};
      if (row.endsWith('nothing')) return json({});
      if (row.includes('discard')) return json({ discard: kept });
      const propertyId = /listing|suspended/.test(row) ? await listingFor(visit) : null;
      const draftId = kept ?? randomUUID();
      return json({ draftId, propertyId, version: kept ? 1 : 0, form: { title: 'Written' } });
    },
    async holds({ status }, { house, row, actor }) {
      const drafts = await house.db.q().selectFrom('property_drafts').select(['agent_id', 'form']).execute();
      const written = drafts.filter(({ form }) => (form as { title: string }).title === 'Written');
      const discards = row.includes('discard');
      const wrote = !discards && row.startsWith('POST') && status === 200;
      expect(written.map((one) => one.agent_id)).toEqual(wrote ? [house.stage.person(actor).agentId] : []);
      const kept = row.endsWith('draft') && !(discards && status === 200);
      expect(drafts).toHaveLength(kept || wrote ? 1 : 0);
    },
  },
  '/api/place': {
    cells: `
      ${columns}
      GET            401  403  403  200  200  200  403
      GET no address  401  403  403  200  200  200  403
    `,
    asks: async ({ row }) => ({
      path: row === 'GET' ? paths.placeOf('27 Heron Way, Hood River, OR 97031') : '/api/place',
    }),
    holds({ text, status }, { row }) {
      if (status !== 200) return;
      const { place } = JSON.parse(text) as { place: string | null };
      if (row === 'GET') expect(place).toMatch(/^45\.\d+,-121\.\d+ zip$/);
      else expect(place).toBeNull();
    },
  },
};
