import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { signFileLink } from '#gateways/files/signed-link.ts';
import { HOUR } from '#platform/durations.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { sameForAll } from '../support/table-rows.ts';
import { PRIVATE_FILE, SECRET } from '../support/test-app.ts';

const pathByRow =
  (paths: Record<string, string>) =>
  async ({ row }: AddressCell) => ({ path: paths[row] ?? row });
const inAnHour = () => new Date(Date.now() + HOUR);
const links: Record<string, string> = {
  'GET signed': signFileLink(SECRET, { key: PRIVATE_FILE, expiresAt: inAnHour() }),
  'GET unsigned': `/files/${PRIVATE_FILE}`,
  'GET too old': signFileLink(SECRET, { key: PRIVATE_FILE, expiresAt: new Date(0) }),
  'GET of another secret': signFileLink('another secret that is long enough', {
    key: PRIVATE_FILE,
    expiresAt: inAnHour(),
  }),
  'GET another file': signFileLink(SECRET, { key: PRIVATE_FILE, expiresAt: inAnHour() }).replace(
    'paper',
    'other',
  ),
};

export const addresses: Addresses = {
  '/illustrations/*': {
    cells: sameForAll(['GET', '200'], ['GET unknown', '404']),
    request: pathByRow({
      GET: '/illustrations/hero-light.svg',
      'GET unknown': '/illustrations/../../package.json',
    }),
  },
  '/media/*': {
    cells: sameForAll(['GET unknown', '404'], ['GET climbing', '404'], ['GET secret', '404']),
    request: pathByRow({
      'GET unknown': '/media/images/00000000-0000-0000-0000-000000000000/320.webp',
      'GET climbing': '/media/images/%2e%2e/%2e%2e/secret',
      'GET secret': `/media/${PRIVATE_FILE}`,
    }),
  },
  // A signed link works for whoever holds it, and nothing else does.
  '/files/*': {
    cells: sameForAll(
      ['GET signed', '200'],
      ['GET unsigned', '404'],
      ['GET too old', '404'],
      ['GET of another secret', '404'],
      ['GET another file', '404'],
    ),
    request: pathByRow(links),
    verify({ text, headers }, { row }) {
      const signed = row === 'GET signed';
      expect(text.includes('for signed eyes'), row).toBe(signed);
      expect(text.includes('This link is not valid or has expired.'), row).toBe(!signed);
      if (signed) expect(headers['content-disposition']).toMatch(/^attachment;/);
    },
  },
  '/robots.txt': { cells: sameForAll(['GET', '200']) },
  '/sitemap.xml': {
    cells: sameForAll(
      ['GET A’s Active', '200'],
      ['GET A’s pending', '200'],
      ['GET suspended seller’s Active', '200'],
    ),
    request: async (cell) => ({ path: `/sitemap.xml?${(await createListing(cell)).id}` }),
    verify: expectListedIfPublic,
  },
  '/sitemap/:shard': {
    cells: sameForAll(
      ['GET A’s Active', '200'],
      ['GET A’s pending', '200'],
      ['GET pages', '200'],
      ['GET unknown', '404'],
    ),
    async request(cell) {
      if (cell.row === 'GET unknown') return { path: '/sitemap/zz.xml' };
      if (cell.row === 'GET pages') return { path: '/sitemap/pages.xml' };
      return { path: `/sitemap/${(await createListing(cell)).id.slice(0, 2)}.xml` };
    },
    verify: (answer, cell) =>
      cell.row === 'GET unknown' || cell.row === 'GET pages' ? undefined : expectListedIfPublic(answer, cell),
  },
  '/api/suggestions': {
    cells: sameForAll(['GET A’s Active', '200'], ['GET A’s pending', '200']),
    request: async (cell) => ({ path: `/api/suggestions?q=${(await createListing(cell)).street}` }),
    verify: expectListedIfPublic,
  },
  '/api/count': {
    cells: sameForAll(['GET A’s Active', '200'], ['GET A’s pending', '200']),
    request: async (cell) => ({ path: `/api/count?q=${(await createListing(cell)).street}` }),
    verify: ({ text }, { row }) =>
      expect(JSON.parse(text)).toEqual({ total: row === 'GET A’s Active' ? 1 : 0, capped: false }),
  },
  '/api/map': {
    cells: sameForAll(['GET A’s Active', '200'], ['GET A’s pending', '200']),
    request: async (cell) => ({ path: `/api/map?q=${(await createListing(cell)).street}&zoom=12` }),
    verify: expectListedIfPublic,
  },
  '/api/map/cards': {
    cells: sameForAll(['GET A’s Active', '200'], ['GET A’s pending', '200'], ['GET unknown', '200']),
    request: async (cell) => ({
      path: `/api/map/cards?id=${cell.row === 'GET unknown' ? 'x' : (await createListing(cell)).id}`,
    }),
    verify: (answer, cell) =>
      cell.row === 'GET unknown' ? expect(answer.text).toBe('[]') : expectListedIfPublic(answer, cell),
  },
  '/api/events': { cells: sameForAll(['GET', '200']) },
  '/healthz': { cells: sameForAll(['GET', '200']) },
  '/readyz': { cells: sameForAll(['GET', '200']) },
  '/favicon.svg': { cells: sameForAll(['GET', '200']) },
  '/assets/*': {
    cells: sameForAll(['GET', '404']),
    request: pathByRow({ GET: '/assets/..%2f..%2fserver%2findex.js' }),
  },
  '/__manifest': { cells: sameForAll(['GET', '204']) },
};

const listingIds = new WeakMap<AddressCell, string>();

/** Creates a listing of the row's kind in a street that no other one lies in. */
async function createListing(cell: AddressCell): Promise<{ id: string; street: string }> {
  const { app, row } = cell;
  const letters = randomBytes(8)
    .toString('hex')
    .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
  const street = `hush${letters}`;
  const facts = { address: `3 ${street} Lane`, latitude: 44, longitude: -121 };
  const id = await app.scenario.listing(row.replace('GET ', ''), facts);
  listingIds.set(cell, id);
  return { id, street };
}

function expectListedIfPublic({ text }: { text: string }, cell: AddressCell): void {
  expect(text.includes(listingIds.get(cell) ?? ''), `${cell.row}, ${cell.actor}`).toBe(
    cell.row === 'GET A’s Active',
  );
}
