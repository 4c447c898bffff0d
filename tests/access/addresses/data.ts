import { expect } from 'vitest';
import { signFileLink } from '#gateways/files/signed-link.ts';
import { type Addresses, all, type Visit } from '../address.ts';
import { PRIVATE_FILE, SECRET } from '../house.ts';

const at =
  (paths: Record<string, string>) =>
  async ({ row }: Visit) => ({ path: paths[row] ?? row });
const inAnHour = () => new Date(Date.now() + 3_600_000);
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
    cells: all(['GET', '200'], ['GET unknown', '404']),
    asks: at({ GET: '/illustrations/hero-light.svg', 'GET unknown': '/illustrations/../../package.json' }),
  },
  '/media/*': {
    cells: all(['GET unknown', '404'], ['GET climbing', '404'], ['GET secret', '404']),
    asks: at({
      'GET unknown': '/media/images/00000000-0000-0000-0000-000000000000/320.webp',
      'GET climbing': '/media/images/%2e%2e/%2e%2e/secret',
      'GET secret': `/media/${PRIVATE_FILE}`,
    }),
  },
  // Whoever holds a signed link may follow it, and nobody else.
  '/files/*': {
    cells: all(
      ['GET signed', '200'],
      ['GET unsigned', '404'],
      ['GET too old', '404'],
      ['GET of another secret', '404'],
      ['GET another file', '404'],
    ),
    asks: at(links),
    holds({ text, headers }, { row }) {
      const signed = row === 'GET signed';
      expect(text.includes('for signed eyes'), row).toBe(signed);
      expect(text.includes('This link is not valid or has expired.'), row).toBe(!signed);
      if (signed) expect(headers['content-disposition']).toMatch(/^attachment;/);
    },
  },
  '/robots.txt': { cells: all(['GET', '200']) },
  '/sitemap.xml': {
    cells: all(
      ['GET A’s Active', '200'],
      ['GET A’s pending', '200'],
      ['GET suspended seller’s Active', '200'],
    ),
    asks: async (visit) => ({ path: `/sitemap.xml?${await listed(visit)}` }),
    holds: isListed,
  },
  '/sitemap/:shard': {
    cells: all(['GET A’s Active', '200'], ['GET A’s pending', '200'], ['GET unknown', '404']),
    async asks(visit) {
      if (visit.row === 'GET unknown') return { path: '/sitemap/zz.xml' };
      return { path: `/sitemap/${(await listed(visit)).slice(0, 2)}.xml` };
    },
    holds: (answer, visit) => (visit.row === 'GET unknown' ? undefined : isListed(answer, visit)),
  },
  '/api/suggestions': {
    cells: all(['GET A’s Active', '200'], ['GET A’s pending', '200']),
    asks: async (visit) => ({ path: `/api/suggestions?q=hush&${await listed(visit)}` }),
    holds: isListed,
  },
  '/api/map': {
    cells: all(['GET A’s Active', '200'], ['GET A’s pending', '200']),
    asks: async (visit) => ({ path: `/api/map?q=hushful&zoom=12&${await listed(visit)}` }),
    holds: isListed,
  },
  '/api/events': { cells: all(['GET', '200']) },
  '/healthz': { cells: all(['GET', '200']) },
  '/readyz': { cells: all(['GET', '200']) },
  '/favicon.svg': { cells: all(['GET', '200']) },
  '/assets/*': { cells: all(['GET', '404']), asks: at({ GET: '/assets/..%2f..%2fserver%2findex.js' }) },
  '/__manifest': { cells: all(['GET', '204']) },
};

const madeFor = new WeakMap<Visit, string>();

/** The only listing in Hushful Lane, of the row's kind. */
async function listed(visit: Visit): Promise<string> {
  const { house, row } = visit;
  await house.db.q().deleteFrom('properties').where('address', '=', '3 Hushful Lane').execute();
  const facts = { address: '3 Hushful Lane', latitude: 44, longitude: -121 };
  const id = await house.stage.listing(row.replace('GET ', ''), facts);
  madeFor.set(visit, id);
  return id;
}

function isListed({ text }: { text: string }, visit: Visit): void {
  expect(text.includes(madeFor.get(visit) ?? ''), `${visit.row}, ${visit.actor}`).toBe(
    visit.row === 'GET A’s Active',
  );
}
