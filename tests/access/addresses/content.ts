import { expect } from 'vitest';
import { adminPaths } from '#routing/admin-paths.ts';
import type { Addresses } from '../support/address.ts';
import { PIXEL } from '../support/photos.ts';
import { HEAD } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

export const addresses: Addresses = {
  '/admin/homepage': {
    cells: `
      ${HEAD}
      GET                302 login  403  403  403  403  403  200
      GET .data          202 login  403  403  403  403  403  200
      POST save          302 login  403  403  403  403  403  302 here
      POST empty title   302 login  403  403  403  403  403  422
      POST drop          302 login  403  403  403  403  403  200
    `,
    to: { login: '/admin?next=*', here: '/admin/homepage' },
    personal: true,
    async request({ app, row }) {
      if (!row.startsWith('POST')) return {};
      await app.db.q().deleteFrom('homepage_content').execute();
      return sameOriginForm({
        intent: row === 'POST drop' ? 'drop' : 'save',
        title: row === 'POST empty title' ? '' : 'Land',
        subtitle: 'By the acre.',
        image: '',
        version: '',
      });
    },
  },

  '/admin/uploads/homepage': {
    cells: `
      ${HEAD}
      GET           405  405  405  405  405  405  405
      POST picture  401  403  403  403  403  403  201
      POST text     401  403  403  403  403  403  422
    `,
    request: async ({ row }) => ({
      path: adminPaths.homepageImage(),
      ...(row.startsWith('POST') && {
        method: 'POST',
        headers: {
          'sec-fetch-site': 'same-origin',
          accept: 'application/json',
          'content-type': 'application/octet-stream',
        },
        body: row === 'POST text' ? Buffer.from('no picture at all') : PIXEL,
      }),
    }),
    verify({ status, text }) {
      if (status === 422)
        expect(text).toContain(
          'This file is not a picture we can use. Please choose a JPEG, PNG or WebP file.',
        );
    },
  },
};
