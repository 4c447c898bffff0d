import { randomUUID } from 'node:crypto';
import { tourPaths } from '#routing/tour-paths.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { HEAD } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';
import { createTour, giveHours, tourTime } from '../support/tours.ts';

/** A page with the dialog or the form of the tour of buyer A with seller A. */
const withTour =
  (page: (query?: { do?: string; id?: string }) => string) =>
  async ({ app, row }: AddressCell) => {
    const id = await createTour(app.scenario, {
      status: row.includes('confirmed') ? 'confirmed' : 'requested',
    });
    if (row === 'GET') return {};
    if (row === 'GET .data') return {};
    if (row.startsWith('GET')) return { path: page({ do: 'cancel', id }) };
    return sameOriginForm({ intent: row.split(' ')[1] ?? '', id, sequence: '0', reason: 'Ill.' });
  };

const NOTE = 'We love the unmistakable garden.';

export const addresses: Addresses = {
  '/property/:id/tour': {
    cells: `
      ${HEAD}
      GET A’s Active                200  200  200  200  200  200  200
      GET A’s Sold                  200  200  200  200  200  200  200
      GET A’s pending               404  404  404  200  404  404  200
      GET .data A’s pending         404  404  404  200  404  404  200
      GET A’s withdrawn             410  410  410  200  410  410  200
      GET suspended seller’s Active  404  404  404  404  404  200  200
      POST A’s Active               302 login  302 tours  302 tours  409  409  409  409
      POST A’s pending              302 login  404        404        409  404  404  409
    `,
    to: { login: '/buyer/login?next=*', tours: '/buyer/tours' },
    secret: '19 Unmistakable Row',
    async request({ app, row }) {
      await app.db.q().deleteFrom('tours').execute();
      await giveHours(app.scenario);
      const kind = row.replace(/^\w+ (?:\.data )?/, '');
      const id = await app.scenario.listing(kind, { address: '19 Unmistakable Row' });
      const path = `${tourPaths.request(id)}${row.startsWith('GET .data') ? '.data' : ''}`;
      if (row.startsWith('GET')) return { path };
      return { path, ...sameOriginForm({ at: tourTime().toISOString(), note: '', key: randomUUID() }) };
    },
  },
  '/buyer/tours': {
    cells: `
      ${HEAD}
      GET                      302 login  200        200  302 login  302 login  302 login  302 login
      GET .data                202 login  200        200  202 login  202 login  202 login  202 login
      GET the dialog           302 login  200        200  302 login  302 login  302 login  302 login
      POST cancel              302 login  303 tours  404  302 login  302 login  302 login  302 login
      POST confirm             302 login  409        404  302 login  302 login  302 login  302 login
      POST steal               302 login  400        400  302 login  302 login  302 login  302 login
    `,
    to: { login: '/buyer/login?next=%2Fbuyer%2Ftours*', tours: '/buyer/tours' },
    secret: ({ row }) => (row === 'GET' ? '>My Tours</h1>' : ''),
    request: withTour(tourPaths.ofBuyer),
  },
  '/agent/tours': {
    cells: `
      ${HEAD}
      GET                    302 login  403  403  200        200  200  403
      GET .data              202 login  403  403  200        200  200  403
      GET the dialog         302 login  403  403  200        200  200  403
      POST confirm           302 login  403  403  303 tours  404  404  403
      POST decline           302 login  403  403  303 tours  404  404  403
      POST cancel confirmed  302 login  403  403  303 tours  404  404  403
      POST steal             302 login  403  403  400        400  400  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Ftours*', tours: '/agent/tours' },
    secret: ({ row, actor }) => (row !== 'GET' ? '' : actor === 'sellerA' ? NOTE : '>Tours</h1>'),
    request: withTour(tourPaths.ofSeller),
  },
  '/agent/tours/hours': {
    cells: `
      ${HEAD}
      GET              302 login  403  403  200       200       200  403
      GET .data        202 login  403  403  200       200       200  403
      POST save-week   302 login  403  403  303 here  303 here  403  403
      POST save-day    302 login  403  403  422       422       403  403
      POST remove-day  302 login  403  403  303 here  303 here  403  403
      POST steal       302 login  403  403  400       400       400  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Ftours%2Fhours*', here: '/agent/tours/hours' },
    secret: ({ row }) => (row === 'GET' ? '>Tour Hours</h1>' : ''),
    async request({ row }) {
      if (row.startsWith('GET')) return {};
      return sameOriginForm({ intent: row.split(' ')[1] ?? '', from1: '540', to1: '600', day: 'today' });
    },
  },
  '/tours/:file': {
    cells: `
      ${HEAD}
      GET confirmed  302 login  200  404  200  404  404  404
      GET requested  302 login  404  404  404  404  404  404
      GET nothing    404        404  404  404  404  404  404
    `,
    to: { login: '/buyer/login?next=%2Ftours%2F*' },
    secret: 'BEGIN:VCALENDAR',
    async request({ app, row }) {
      const status = row === 'GET confirmed' ? 'confirmed' : 'requested';
      const id = await createTour(app.scenario, { status });
      return { path: row === 'GET nothing' ? '/tours/nothing.ics' : tourPaths.file(id) };
    },
  },
};
