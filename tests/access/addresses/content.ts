import { expect } from 'vitest';
import { adminPaths } from '#routing/admin-paths.ts';
import type { Addresses } from '../support/address.ts';
import { PIXEL } from '../support/photos.ts';
import { HEAD, sameForAll } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

export const addresses: Addresses = {
  '/terms': {
    cells: sameForAll(
      ['GET', '200'],
      ['GET .data', '200'],
      ['GET version 0', '200'],
      ['GET version x', '404'],
      ['POST', '405'],
    ),
    request: async ({ row }) =>
      row.startsWith('GET version')
        ? { path: `/terms?version=${row.at(-1)}` }
        : row === 'POST'
          ? sameOriginForm({})
          : {},
    personal: true,
  },
  '/privacy': { cells: sameForAll(['GET', '200'], ['POST', '405']), personal: true },

  '/admin/settings': {
    cells: `
      ${HEAD}
      GET                302 login  403  403  403  403  403  200
      GET .data          202 login  403  403  403  403  403  200
      POST operator      302 login  403  403  403  403  403  302 here
      POST stale         302 login  403  403  403  403  403  409
      POST gateway       302 login  403  403  403  403  403  302 here
      POST no gateway    302 login  403  403  403  403  403  422
      POST old gateway   302 login  403  403  403  403  403  409
      POST no text       302 login  403  403  403  403  403  422
      POST rules         302 login  403  403  403  403  403  302 here
      POST unknown       302 login  403  403  403  403  403  400
    `,
    to: { login: '/admin?next=*', here: '/admin/settings' },
    personal: true,
    async request({ app, row }) {
      if (!row.startsWith('POST')) return {};
      await app.db
        .q()
        .deleteFrom('platform_settings')
        .where('setting_name', 'in', ['brand', 'support_address', 'content_gateway'])
        .execute();
      const intents: Record<string, string> = {
        'POST no text': 'publish-terms',
        'POST gateway': 'gateway',
        'POST no gateway': 'gateway',
        'POST old gateway': 'gateway',
        'POST rules': 'listing-rules',
        'POST unknown': 'x',
      };
      return sameOriginForm({
        intent: intents[row] ?? 'operator',
        brand: 'Plain Acres',
        supportAddress: 'help@acre.test',
        baseBrand: row === 'POST stale' ? 'Older Acres' : 'Acre Trading Post',
        baseSupportAddress: '',
        gateway: row === 'POST no gateway' ? 'ipfs.io' : 'https://{cid}.ipfs.dweb.link',
        baseGateway: row === 'POST old gateway' ? 'https://ipfs.io/ipfs/{cid}' : '',
        body: '',
        base: '0',
      });
    },
  },

  '/content/:cid': {
    cells: sameForAll(
      ['GET unknown', '404'],
      ['GET no address', '404'],
      ['GET a path', '404'],
      ['POST', '405'],
    ),
    request: async ({ row }) => {
      const paths: Record<string, string> = {
        'GET no address': '/content/secret',
        'GET a path': '/content/..%2F..%2Fsecret',
      };
      const path = paths[row] ?? '/content/bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e';
      return row === 'POST' ? { ...sameOriginForm({}), path } : { path };
    },
  },

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
