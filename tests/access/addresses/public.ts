import { expect } from 'vitest';
import { type Addresses, all, type Visit } from '../address.ts';
import { fromOurPage } from '../house.ts';

const visible = (row: string) => `${row}  200  200  200  200  200  200  200`;
const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';

/** The listing that a row names, at an address that no other listing has. */
async function listingOf({ house, row }: Visit) {
  const kind = row.replace(/^\w+ (?:\.data |json )?/, '');
  return house.stage.listing(kind, { address: '19 Unmistakable Row' });
}
const pageOf =
  (suffix = '') =>
  async (visit: Visit) => ({
    path: `/property/${await listingOf(visit)}${visit.row.startsWith('GET .data') ? '.data' : suffix}`,
  });
const watched = /^POST (?:json )?(.*)$/;

export const addresses: Addresses = {
  '/': {
    cells: all(['GET', '200'], ['POST', '405']),
    personal: true,
  },
  '/properties': {
    cells: all(['GET', '200'], ['GET .data', '200'], ['POST', '405']),
    personal: true,
  },
  '/*': { cells: all(['GET', '404'], ['GET .data', '404'], ['POST', '405']) },

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
    async asks(visit) {
      if (visit.row.startsWith('GET')) return pageOf()(visit);
      return { path: `/property/${await listingOf(visit)}`, ...fromOurPage({ message: 'May I?', key: 'k' }) };
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
    async asks(visit) {
      const path = `/property/${await listingOf(visit)}/watch`;
      if (!watched.test(visit.row)) return { path };
      const form = fromOurPage({ watched: '1' });
      const scripted = visit.row.startsWith('POST json');
      return {
        path,
        ...form,
        headers: { ...form.headers, ...(scripted && { accept: 'application/json' }) },
      };
    },
  },
  '/property/:id/view': {
    cells: all(['GET A’s Active', '405'], ['POST A’s Active', '204'], ['POST A’s pending', '204']),
    async asks(visit) {
      const path = `/property/${await listingOf(visit)}/view`;
      return visit.row.startsWith('GET') ? { path } : { path, ...fromOurPage({}) };
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
    asks: pageOf('/og.jpg'),
    holds(answer, { row }) {
      // No shared cache keeps the picture of a listing that is not for everybody.
      if (answer.status === 200 && row !== 'GET A’s Active')
        expect(answer.headers['cache-control']).toMatch(/private|no-store/);
    },
  },
};
