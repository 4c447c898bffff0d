import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { registerDocument } from '#features/documents/commands/register-document.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const heading = (text: string) => `>${text}</h1>`;

/** The name of seller A's listing in a request of `/admin/properties/:id/edit`. */
const listings = new WeakMap<AddressCell, string>();
async function listingOf(cell: AddressCell): Promise<string> {
  const id = await cell.app.scenario.listing('A’s Active');
  listings.set(cell, id);
  return id;
}

/** The forms of a property type that rows send. */
const typeForms: Readonly<Record<string, Record<string, string>>> = {
  'POST no name': { intent: 'save' },
  'POST unknown': { intent: 'save', id: '99999999', name: 'Castle' },
  'POST no id': { intent: 'save', id: 'castle', name: 'Castle' },
};

export const addresses: Addresses = {
  '/admin/properties/new': {
    cells: `
      ${columns}
      GET           302 login  403  403  403  403  403  200
      GET .data     202 login  403  403  403  403  403  200
      POST nothing  302 login  403  403  403  403  403  422
      POST 1 MB     413        413  413  413  413  413  422
    `,
    to: { login: '/admin?next=%2Fadmin%2Fproperties%2Fnew' },
    secret: ({ row }) => (row === 'GET' ? heading('Add Property') : 'draftId'),
    request: async ({ row }) =>
      row.startsWith('POST')
        ? sameOriginForm({
            draftId: randomUUID(),
            ...(row === 'POST 1 MB' && { description: 'a'.repeat(1024 * 1024) }),
          })
        : {},
  },
  '/admin/properties/:id/edit': {
    cells: `
      ${columns}
      GET           302 login  403  403  403  403  403  200
      GET unknown   302 login  403  403  403  403  403  404
      POST price    302 login  403  403  403  403  403  303 list
      POST unknown  302 login  403  403  403  403  403  404
    `,
    to: { login: '/admin?next=*', list: '/admin/properties' },
    secret: heading('Edit Property'),
    async request(cell) {
      const { row } = cell;
      const id = row.endsWith('unknown') ? randomUUID() : await listingOf(cell);
      const path = adminPaths.editProperty(id);
      if (!row.startsWith('POST')) return { path };
      return {
        path,
        ...sameOriginForm({ base: JSON.stringify({ title: '' }), title: 'Changed by the office' }),
      };
    },
    async verify({ status }, cell) {
      const id = listings.get(cell);
      if (!id) return;
      const { title } = await cell.app.db
        .q()
        .selectFrom('properties')
        .select('title')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(title).toBe(status === 303 ? 'Changed by the office' : null);
    },
  },
  '/admin/documents': {
    cells: `
      ${columns}
      GET             302 login  403  403  403  403  403  200
      GET .data       202 login  403  403  403  403  403  200
      GET property    302 next   403  403  403  403  403  200
      GET completion  302 next   403  403  403  403  403  200
      POST retry      302 login  403  403  403  403  403  404
      POST unknown    302 login  403  403  403  403  403  400
    `,
    to: { login: '/admin?next=%2Fadmin%2Fdocuments', next: '/admin?next=*' },
    secret: ({ row }) => (row === 'GET .data' ? 'completionTokens' : heading('Blockchain Documents')),
    async request({ row }) {
      if (row.startsWith('POST'))
        return sameOriginForm({ intent: row === 'POST retry' ? 'retry-chain' : 'x', nft: randomUUID() });
      return row === 'GET property' || row === 'GET completion'
        ? { path: adminPaths.documents({ tab: row.replace('GET ', '') }) }
        : {};
    },
  },
  '/admin/properties/:id/documents': {
    cells: `
      ${columns}
      GET            302 login  403  403  403  403  403  200
      GET unknown    302 login  403  403  403  403  403  404
      POST nothing   302 login  403  403  403  403  403  422
      POST unknown   302 login  403  403  403  403  403  404
      POST register  302 login  403  403  403  403  403  404
      POST revoke    302 login  403  403  403  403  403  404
      POST retry     302 login  403  403  403  403  403  404
    `,
    to: { login: '/admin?next=*' },
    secret: '<h1>Documents – ',
    async request(cell) {
      const { row } = cell;
      const path = adminPaths.propertyDocuments(
        row.endsWith('unknown') ? randomUUID() : await listingOf(cell),
      );
      if (!row.startsWith('POST')) return { path };
      const forms: Readonly<Record<string, Record<string, string>>> = {
        'POST register': { intent: 'register', id: randomUUID() },
        'POST revoke': { intent: 'revoke', id: randomUUID(), reason: 'Issued in error.' },
        'POST retry': { intent: 'retry-chain', document: randomUUID() },
      };
      return { path, ...sameOriginForm(forms[row] ?? { intent: 'upload' }) };
    },
  },
  '/admin/property-choices': {
    cells: `
      ${columns}
      GET  401  403  403  403  403  403  200
    `,
    secret: '"properties"',
  },
  '/admin/seller-choices': {
    cells: `
      ${columns}
      GET  401  403  403  403  403  403  200
    `,
    secret: '"sellers"',
  },
  '/admin/documents/:id/file': {
    cells: `
      ${columns}
      GET          401  403  403  403  403  403  303 file
      GET unknown  401  403  403  403  403  403  404
    `,
    to: { file: '/files/documents/*' },
    async request({ app, row }) {
      if (row === 'GET unknown') return { path: adminPaths.documentFile(randomUUID()) };
      const { id } = await registerDocument(app.scenario.ctx('admin'), {
        propertyId: await app.scenario.listing('A’s Active'),
        type: 'Survey',
        document: {
          key: 'documents/address.pdf',
          name: 'survey.pdf',
          contentType: 'application/pdf',
          bytes: 1,
          sha256: '0'.repeat(64),
          scan: 'clean',
        },
      });
      return { path: adminPaths.documentFile(id) };
    },
  },
  '/admin/property-types': {
    cells: `
      ${columns}
      GET           302 login  403  403  403  403  403  200
      GET .data     202 login  403  403  403  403  403  200
      POST no name  302 login  403  403  403  403  403  422
      POST unknown  302 login  403  403  403  403  403  404
      POST no id    302 login  403  403  403  403  403  404
      POST nothing  302 login  403  403  403  403  403  400
    `,
    to: { login: '/admin?next=%2Fadmin%2Fproperty-types' },
    secret: ({ row }) => (row === 'GET' ? heading('Property Types') : 'createdAt'),
    request: async ({ row }) => (row.startsWith('POST') ? sameOriginForm(typeForms[row] ?? {}) : {}),
    verify({ status, text }) {
      if (status === 422) expect(text).toContain('Property type name cannot be empty');
    },
  },
};
