import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { AddressCell, Addresses } from '../support/address.ts';
import { sameForAll } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

const visible = (row: string) => `${row}  200  200  200  200  200  200  200`;
const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';

/** Creates the listing a row names, at a recognizable street address. */
async function listingOf({ app, row }: AddressCell) {
  const kind = row.replace(/^\w+ (?:\.data |json )?/, '');
  return app.scenario.listing(kind, { address: '19 Unmistakable Row' });
}
const pageOf =
  (suffix = '') =>
  async (cell: AddressCell) => ({
    path: `/property/${await listingOf(cell)}${cell.row.startsWith('GET .data') ? '.data' : suffix}`,
  });
const watched = /^POST (?:json )?(.*)$/;

export const addresses: Addresses = {
  '/': {
    cells: sameForAll(['GET', '200'], ['POST', '405']),
    personal: true,
  },
  '/properties': {
    cells: sameForAll(['GET', '200'], ['GET .data', '200'], ['POST', '405']),
    personal: true,
  },
  '/*': { cells: sameForAll(['GET', '404'], ['GET .data', '404'], ['POST', '405']) },

  '/property/:id': {
    cells: `
      ${columns}
      ${visible('GET A’s Active')}
      ${visible('GET A’s escrow')}
      ${visible('GET A’s Sold')}
      ${visible('GET suspended seller’s Sold')}
      GET A’s pending                  404  404  404  200  404  404  200
      GET .data A’s pending            404  404  404  200  404  404  200
      GET A’s changes_requested        404  404  404  200  404  404  200
      GET A’s rejected                 404  404  404  200  404  404  200
      GET A’s withdrawn                410  410  410  200  410  410  200
      GET .data A’s withdrawn          410  410  410  200  410  410  200
      GET A’s deleted                  404  404  404  404  404  404  404
      GET suspended seller’s Active    404  404  404  404  404  200  200
      POST A’s Active                  302 login  302 page  302 page  422  302 page  422  302 page
      POST A’s pending                 302 login  404       404       422  404       404  422
      POST A’s Sold                    302 login  422       422       422  422       422  422
    `,
    to: { login: 'LOGIN', page: 'PAGE' },
    secret: '19 Unmistakable Row',
    async request(cell) {
      if (cell.row.startsWith('GET')) return pageOf()(cell);
      return {
        path: `/property/${await listingOf(cell)}`,
        ...sameOriginForm({ message: 'May I?', key: 'k' }),
      };
    },
  },
  '/property/:id/watch': {
    cells: `
      ${columns}
      GET A’s Active          405        405       405       405       405       405       405
      POST A’s Active         302 login  302 page  302 page  302 page  302 page  302 page  302 page
      POST json A’s Active    401        200       200       200       200       200       200
      POST A’s pending        302 login  404       404       302 page  404       404       302 page
      POST json A’s pending   401        404       404       200       404       404       200
      POST A’s deleted        302 login  404       404       404       404       404       404
    `,
    to: { login: 'LOGIN', page: 'PAGE' },
    async request(cell) {
      const path = `/property/${await listingOf(cell)}/watch`;
      if (!watched.test(cell.row)) return { path };
      const form = sameOriginForm({ watched: '1' });
      const wantsJson = cell.row.startsWith('POST json');
      return {
        path,
        ...form,
        headers: { ...form.headers, ...(wantsJson && { accept: 'application/json' }) },
      };
    },
  },
  '/property/:id/view': {
    cells: sameForAll(['GET A’s Active', '405'], ['POST A’s Active', '204'], ['POST A’s pending', '204']),
    async request(cell) {
      const path = `/property/${await listingOf(cell)}/view`;
      return cell.row.startsWith('GET') ? { path } : { path, ...sameOriginForm({}) };
    },
  },
  '/property/:id/report': {
    cells: `
      ${columns}
      ${visible('GET A’s Active')}
      ${visible('GET suspended seller’s Sold')}
      GET A’s pending                404  404  404  200  404  404  200
      GET .data A’s pending          404  404  404  200  404  404  200
      GET A’s withdrawn              410  410  410  200  410  410  200
      GET suspended seller’s Active  404  404  404  404  404  200  200
      POST A’s Active                302 page  302 page  302 page  302 page  302 page  302 page  302 page
      POST A’s pending               404       404       404       302 page  404       404       302 page
      POST A’s deleted               404       404       404       404       404       404       404
    `,
    to: { page: 'PAGE' },
    secret: '19 Unmistakable Row',
    async request(cell) {
      const data = cell.row.startsWith('GET .data') ? '.data' : '';
      const path = `/property/${await listingOf(cell)}/report${data}`;
      if (cell.row.startsWith('GET')) return { path };
      return { path, ...sameOriginForm({ reason: 'scam', details: '', key: randomUUID() }) };
    },
  },
  '/property/:id/og.jpg': {
    cells: `
      ${columns}
      ${visible('GET A’s Active')}
      GET A’s pending                404  404  404  200  404  404  200
      GET A’s withdrawn              404  404  404  200  404  404  200
      GET suspended seller’s Active  404  404  404  404  404  200  200
    `,
    request: pageOf('/og.jpg'),
    verify(answer, { row }) {
      // Shared caches must not store the image of a listing that is not public.
      if (answer.status === 200 && row !== 'GET A’s Active')
        expect(answer.headers['cache-control']).toMatch(/private|no-store/);
    },
  },
};
