import { expect } from 'vitest';
import { importPaths } from '#routing/import-paths.ts';
import { createImport, listingsCsv } from '#tests/support/fixtures/imports.ts';
import type { HttpResponse } from '#tests/support/server/http-request.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { badId } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const NAME = 'homes.csv';
const paths = { agent: importPaths('agent'), admin: importPaths('admin') };

/** An import of seller A's, or an id that is none. */
async function importFor(cell: AddressCell, status: 'uploaded' | 'done' = 'uploaded'): Promise<string> {
  const { app, row } = cell;
  const { id, agentId } = app.scenario.person('sellerA');
  const real = await createImport(app.db, { status, agentId, madeBy: id });
  return badId({ row: row.replace(/^(?:GET|POST)(?: \.data)? /, '') }, real) ?? real;
}

/** The list of an area; whoever asks has an import, so that an answer that should hold none would show one. */
const list = (area: 'agent' | 'admin') => ({
  async request({ app, actor, row }: AddressCell) {
    const { id, agentId } = app.scenario.person(actor === 'anonymous' ? 'sellerA' : actor);
    await createImport(app.db, {
      status: 'done',
      agentId: agentId ?? app.scenario.cast.sellerA.agentId,
      madeBy: id,
    });
    return { path: `${paths[area].list()}${row.includes('.data') ? '.data' : ''}` };
  },
  verify({ text, status }: HttpResponse) {
    expect(text.includes(NAME)).toBe(status === 200);
  },
});

/** A form with a file, as a browser sends it. */
function fileForm(content: string) {
  const boundary = 'file-of-listings';
  return {
    ...sameOriginForm({}),
    headers: { ...sameOriginForm({}).headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${NAME}"\r\n\r\n${content}\r\n--${boundary}--\r\n`,
    ),
  };
}

const upload = (area: 'agent' | 'admin') => ({
  to: { page: `/${area}/import/*`, back: `/${area}/import` },
  async request({ row }: AddressCell) {
    if (row === 'GET') return {};
    const form = fileForm(row.includes('nothing') ? '' : listingsCsv([{}]));
    return row.includes('script')
      ? { ...form, headers: { ...form.headers, accept: 'application/json' } }
      : form;
  },
  verify({ status, text }: HttpResponse) {
    if (status === 422) expect(JSON.parse(text)).toEqual({ error: expect.any(String) });
  },
});

export const addresses: Addresses = {
  '/agent/import': {
    cells: `
      ${columns}
      GET        302 login  403  403  200  200  200  403
      GET .data  202 login  403  403  200  200  200  403
    `,
    to: { login: '/agent/login?next=*' },
    ...list('agent'),
  },
  '/admin/import': {
    cells: `
      ${columns}
      GET        302 login  403  403  403  403  403  200
      GET .data  202 login  403  403  403  403  403  200
    `,
    to: { login: '/admin?next=*' },
    ...list('admin'),
  },
  '/agent/import/:id': {
    cells: `
      ${columns}
      GET A’s           302 login  403  403  200       404  404  403
      GET .data A’s     202 login  403  403  200       404  404  403
      GET unknown id    302 login  403  403  404       404  404  403
      GET no id at all  302 login  403  403  404       404  404  403
      POST A’s          302 login  403  403  303 list  404  403  403
      POST unknown id   302 login  403  403  404       404  403  403
    `,
    to: { login: '/agent/login?next=*', list: '/agent/import' },
    async request(cell) {
      const { row } = cell;
      const path = paths.agent.details(await importFor(cell));
      if (row.startsWith('POST')) return { path, ...sameOriginForm({ intent: 'discard' }) };
      return { path: `${path}${row.includes('.data') ? '.data' : ''}` };
    },
    verify({ text, status }, { row }) {
      if (row.startsWith('GET')) expect(text.includes(NAME)).toBe(status === 200);
    },
  },
  '/admin/import/:id': {
    cells: `
      ${columns}
      GET A’s           302 login  403  403  403  403  403  200
      GET .data A’s     202 login  403  403  403  403  403  200
      GET unknown id    302 login  403  403  403  403  403  404
      GET no id at all  302 login  403  403  403  403  403  404
      POST A’s          302 login  403  403  403  403  403  303 list
      POST unknown id   302 login  403  403  403  403  403  404
    `,
    to: { login: '/admin?next=*', list: '/admin/import' },
    async request(cell) {
      const { row } = cell;
      const path = paths.admin.details(await importFor(cell));
      if (row.startsWith('POST')) return { path, ...sameOriginForm({ intent: 'discard' }) };
      return { path: `${path}${row.includes('.data') ? '.data' : ''}` };
    },
    verify({ text, status }, { row }) {
      if (row.startsWith('GET')) expect(text.includes(NAME)).toBe(status === 200);
    },
  },
  '/agent/uploads/import': {
    cells: `
      ${columns}
      GET           405  405  405  405       405       405  405
      POST          401  403  403  303 page  303 page  403  403
      POST nothing  401  403  403  303 back  303 back  403  403
      POST nothing, by a script  401  403  403  422  422  403  403
    `,
    ...upload('agent'),
  },
  '/admin/uploads/import': {
    cells: `
      ${columns}
      GET           405  405  405  405       405       405  405
      POST          401  403  403  403  403  403  303 page
      POST nothing  401  403  403  403  403  403  303 back
      POST nothing, by a script  401  403  403  403  403  403  422
    `,
    ...upload('admin'),
  },
  ...Object.fromEntries(
    (['agent', 'admin'] as const).flatMap((area) =>
      (['refused', 'spared'] as const).map((file) => [
        `/${area}/import-files/:id/${file}.csv`,
        {
          cells: `
            ${columns}
            GET A’s         302 login  403  403  200  404  404  200
            GET unknown id  302 login  403  403  404  404  404  404
          `,
          to: { login: area === 'agent' ? '/agent/login?next=*' : '/admin?next=*' },
          request: async (cell: AddressCell) => ({ path: paths[area][file](await importFor(cell, 'done')) }),
        },
      ]),
    ),
  ),
};
