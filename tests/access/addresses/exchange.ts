import { expect } from 'vitest';
import { signatureOf } from '#features/feeds/signature.ts';
import { feedPaths } from '#routing/feed-paths.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { savedSearchOfA } from '../support/any-search.ts';
import { addKey } from '../support/api-keys.ts';
import type { Scenario } from '../support/scenario.ts';
import { HEAD, sameForAll } from '../support/table-rows.ts';
import { SECRET, sameOriginForm } from '../support/test-app.ts';

/** Asks with a key of the person that the row names; whoever is signed in changes nothing. */
const withKey =
  (path: string) =>
  async ({ app, row }: AddressCell) => {
    const owner = row.includes('admin’s key') ? 'admin' : row.includes('seller A’s key') ? 'sellerA' : null;
    const suspended = row.includes('suspended') ? 'suspended' : owner;
    const secret = suspended ? (await addKey(app.scenario, suspended)).secret : '';
    return { path, ...(secret && { headers: { authorization: `Bearer ${secret}` } }) };
  };

const byKey = sameForAll(
  ['GET without a key', '401'],
  ['GET admin’s key', '200'],
  ['GET seller A’s key', '200'],
  ['GET suspended seller’s key', '403'],
);

function expectOData({
  status,
  headers,
  text,
}: {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}) {
  expect(headers['odata-version']).toBe('4.01');
  if (status !== 200)
    expect(JSON.parse(text).error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
}

async function keyForm({ row }: AddressCell) {
  if (row.startsWith('GET')) return {};
  return sameOriginForm(
    row === 'POST no name' ? { intent: 'create', name: '' } : { intent: 'revoke', id: 'none' },
  );
}

const savedSearch = (scenario: Scenario) => savedSearchOfA(scenario, 'Quiet <lanes>');

const heading = '>API Keys</h1>';

export const addresses: Addresses = {
  '/admin/api-keys': {
    cells: `
      ${HEAD}
      GET               302 login  403  403  403  403  403  200
      GET .data         202 login  403  403  403  403  403  200
      POST no name      302 login  403  403  403  403  403  422
      POST unknown key  302 login  403  403  403  403  403  302 here
    `,
    to: { login: '/admin?next=%2Fadmin%2Fapi-keys', here: '/admin/api-keys' },
    secret: ({ row }) => (row === 'GET' ? heading : ''),
    request: keyForm,
  },
  '/agent/settings/api-keys': {
    cells: `
      ${HEAD}
      GET               302 login  403  403  200  200  200  403
      GET .data         202 login  403  403  200  200  200  403
      POST no name      302 login  403  403  422  422  403  403
      POST unknown key  302 login  403  403  302 here  302 here  302 here  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Fsettings%2Fapi-keys', here: '/agent/settings/api-keys' },
    secret: ({ row }) => (row === 'GET' ? heading : ''),
    request: keyForm,
  },
  '/agent/listings.csv': {
    cells: `
      ${HEAD}
      GET  302 login  403  403  200  200  200  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Fproperties' },
  },
  '/agent/listings.json': {
    cells: `
      ${HEAD}
      GET  302 login  403  403  200  200  200  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Fproperties' },
  },
  '/openapi.json': { cells: sameForAll(['GET', '200']) },
  '/closing-dates.ics': {
    cells: `
      ${HEAD}
      GET  302 login  200  200  200  200  200  200
    `,
    to: { login: '/buyer/login?next=%2Fclosing-dates.ics' },
  },
  '/saved-searches/:id/feed': {
    cells: `
      ${HEAD}
      GET buyer A’s  302 login  302 feed  404  404  404  404  404
      GET unknown    302 login  404       404  404  404  404  404
    `,
    to: { login: '/buyer/login?next=%2F', feed: '/feeds/searches/*' },
    request: async ({ app, row }) => {
      const id = row === 'GET unknown' ? 'nothing' : (await savedSearch(app.scenario)).id;
      return { path: `/saved-searches/${id}/feed` };
    },
  },
  // Whoever has the address reads the feed, and nothing else leads to it.
  '/feeds/searches/:file': {
    cells: sameForAll(
      ['GET signed', '200'],
      ['GET another signature', '404'],
      ['GET of another secret', '404'],
    ),
    request: async ({ app, row }) => {
      const { id } = await savedSearch(app.scenario);
      const secret = row === 'GET of another secret' ? 'another secret that is long enough' : SECRET;
      const signature = signatureOf({ ...testConfig, secret }, id);
      const changed =
        row === 'GET another signature'
          ? `${signature.startsWith('0') ? '1' : '0'}${signature.slice(1)}`
          : signature;
      return { path: feedPaths.search(id, changed) };
    },
    verify({ text, status, headers }) {
      expect(text.includes('Quiet &lt;lanes&gt;')).toBe(status === 200);
      if (status === 200) expect(headers['content-type']).toContain('application/rss+xml');
    },
  },
  '/reso/odata': { cells: byKey, request: withKey('/reso/odata'), verify: expectOData },
  '/reso/odata/:resource': {
    cells: byKey,
    request: withKey('/reso/odata/Property?$top=1'),
    verify: expectOData,
  },
  '/reso/odata/:resource/$count': {
    cells: byKey,
    request: withKey('/reso/odata/Property/$count'),
    verify: expectOData,
  },
};
