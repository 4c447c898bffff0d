import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { previewPaths } from '#routing/preview-paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { filledForm } from '#tests/support/fixtures/listing-form.ts';
import type { HttpResponse } from '#tests/support/server/http-request.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { badId } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const TITLE = 'The unmistakable draft';
const STREET = '23 Unmistakable Row';

/** The draft or listing each cell is about. */
const subjects = new WeakMap<AddressCell, string>();

async function draftFor(cell: AddressCell, propertyId: string | null = null): Promise<string> {
  const { app, row } = cell;
  const { db, scenario } = app;
  await db.q().deleteFrom('property_drafts').execute();
  const owner = scenario.person(row.includes('suspended') ? 'suspended' : 'sellerA');
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
  subjects.set(cell, id);
  return id;
}

async function listingFor(cell: AddressCell): Promise<string> {
  const { scenario } = cell.app;
  const id = await scenario.listing(
    cell.row.includes('suspended') ? 'suspended seller’s Active' : 'A’s Active',
    {
      address: STREET,
    },
  );
  const bad = badId({ row: cell.row.replace(/^(?:GET|POST)(?: \.data)? /, '') }, id);
  subjects.set(cell, bad ?? id);
  return bad ?? id;
}

const fields = () => {
  const { amenities: _none, ...texts } = filledForm();
  return { ...texts, base: '{}', version: '0', draftId: randomUUID() };
};
const json = (body: unknown) => ({
  ...sameOriginForm({}),
  headers: { ...sameOriginForm({}).headers, 'content-type': 'application/json', accept: 'application/json' },
  body: JSON.stringify(body),
});

/** Only its seller reads it, no shared cache keeps it, and search engines leave it out. */
const verifyPreview =
  (secret: string, isShown: (cell: AddressCell, answer: HttpResponse) => boolean) =>
  (answer: HttpResponse, cell: AddressCell) => {
    if (!cell.row.startsWith('GET')) return;
    const { status, headers, text } = answer;
    expect(text.includes(secret), `${cell.row}, ${cell.actor}`).toBe(isShown(cell, answer));
    if (status !== 200) return;
    expect(headers['cache-control']).toMatch(/private|no-store/);
    if (!cell.row.includes('.data')) expect(text).toContain('<meta name="robots" content="noindex"');
  };

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
    async request(cell) {
      const { row } = cell;
      if (row.startsWith('GET')) {
        await draftFor(cell);
        return { path: `${sellerPaths.addProperty()}${row.includes('.data') ? '.data' : ''}` };
      }
      await cell.app.db.q().deleteFrom('property_drafts').execute();
      return sameOriginForm(row === 'POST' ? fields() : { draftId: randomUUID() });
    },
    verify({ text }, { row, actor }) {
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
    async request(cell) {
      const { row } = cell;
      const path = sellerPaths.editProperty(await listingFor(cell));
      if (row.startsWith('POST')) return { path, ...sameOriginForm(fields()) };
      return { path: `${path}${row.includes('.data') ? '.data' : ''}` };
    },
    async verify({ text, status }, cell) {
      const { row, app } = cell;
      if (row.startsWith('GET')) expect(text.includes(STREET)).toBe(status === 200);
      else if (row.endsWith('’s')) {
        const { title } = await app.db
          .q()
          .selectFrom('properties')
          .select('title')
          .where('id', '=', subjects.get(cell) ?? '')
          .executeTakeFirstOrThrow();
        expect(title).toBe(status === 303 ? filledForm().title : null);
      }
    },
  },
  '/agent/properties/add/preview': {
    cells: `
      ${columns}
      GET A’s draft        302 login  403  403  200  200  200  403
      GET .data A’s draft  202 login  403  403  200  200  200  403
      POST                 302 login  403  403  405  405  405  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Fproperties%2Fadd%2Fpreview*' },
    async request(cell) {
      const path = previewPaths.draft();
      if (cell.row === 'POST') return { path, ...sameOriginForm({}) };
      await draftFor(cell);
      return { path: `${path}${cell.row.includes('.data') ? '.data' : ''}` };
    },
    verify: verifyPreview(TITLE, ({ actor }) => actor === 'sellerA'),
  },
  '/agent/properties/:id/preview': {
    cells: `
      ${columns}
      GET A’s               302 login  403  403  200  404  404  403
      GET .data A’s         202 login  403  403  200  404  404  403
      GET the suspended’s   302 login  403  403  404  404  200  403
      GET unknown id        302 login  403  403  404  404  404  403
      GET no id at all      302 login  403  403  404  404  404  403
      POST A’s              302 login  403  403  405  405  405  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Fproperties%2F*' },
    async request(cell) {
      const { row } = cell;
      const path = previewPaths.listing(await listingFor(cell));
      if (row.startsWith('POST')) return { path, ...sameOriginForm({}) };
      return { path: `${path}${row.includes('.data') ? '.data' : ''}` };
    },
    verify: verifyPreview(STREET, (_cell, { status }) => status === 200),
  },
  '/agent/properties/:id/statistics': {
    cells: `
      ${columns}
      GET A’s               302 login  403  403  200  404  404  403
      GET .data A’s         202 login  403  403  200  404  404  403
      GET the suspended’s   302 login  403  403  404  404  200  403
      GET unknown id        302 login  403  403  404  404  404  403
      GET no id at all      302 login  403  403  404  404  404  403
      POST A’s              302 login  403  403  405  405  405  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Fproperties%2F*' },
    async request(cell) {
      const { row } = cell;
      const path = sellerPaths.listingStatistics(await listingFor(cell));
      if (row.startsWith('POST')) return { path, ...sameOriginForm({}) };
      return { path: `${path}${row.includes('.data') ? '.data' : ''}` };
    },
    verify({ text, status }, { row }) {
      if (row.startsWith('GET')) expect(text.includes(STREET)).toBe(status === 200);
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
    async request(cell) {
      const { row } = cell;
      const kept = row.endsWith('draft') ? await draftFor(cell) : null;
      if (!kept) await cell.app.db.q().deleteFrom('property_drafts').execute();
      if (row === 'GET') return {};
      if (row.endsWith('nothing')) return json({});
      if (row.includes('discard')) return json({ discard: kept });
      const propertyId = /listing|suspended/.test(row) ? await listingFor(cell) : null;
      const draftId = kept ?? randomUUID();
      return json({ draftId, propertyId, version: kept ? 1 : 0, form: { title: 'Written' } });
    },
    async verify({ status }, { app, row, actor }) {
      const drafts = await app.db.q().selectFrom('property_drafts').select(['agent_id', 'form']).execute();
      const written = drafts.filter(({ form }) => (form as { title: string }).title === 'Written');
      const discards = row.includes('discard');
      const wrote = !discards && row.startsWith('POST') && status === 200;
      expect(written.map((one) => one.agent_id)).toEqual(wrote ? [app.scenario.person(actor).agentId] : []);
      const kept = row.endsWith('draft') && !(discards && status === 200);
      expect(drafts).toHaveLength(kept || wrote ? 1 : 0);
    },
  },
  '/api/place': {
    cells: `
      ${columns}
      GET            401  403  403  200  200  200  200
      GET no address  401  403  403  200  200  200  200
    `,
    request: async ({ row }) => ({
      path: row === 'GET' ? sellerPaths.geocode('27 Heron Way, Hood River, OR 97031') : '/api/place',
    }),
    verify({ text, status }, { row }) {
      if (status !== 200) return;
      const { place } = JSON.parse(text) as { place: string | null };
      if (row === 'GET') expect(place).toMatch(/^45\.\d+,-121\.\d+ zip$/);
      else expect(place).toBeNull();
    },
  },
};
