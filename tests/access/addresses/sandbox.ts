import type { Addresses } from '../support/address.ts';
import { loginLinkOf, newOnboarding, REFRESH_PATH, RETURN_PATH } from '../support/seller-onboarding.ts';
import { sameForAll } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

const MARK = 'Sandbox – no real money moves';

const asked = (row: string, path: string) => ({ path: row.includes('.data') ? `${path}.data` : path });

/** As at a real provider, whoever has a link can use it, and nobody can guess one. */
export const addresses: Addresses = {
  '/sandbox/onboarding/:token': {
    sandbox: true,
    cells: sameForAll(
      ['GET new', '200'],
      ['GET .data new', '200'],
      ['GET old', '302 refresh'],
      ['GET unknown', '404'],
      ['POST complete new', '303 return'],
      ['POST incomplete new', '303 return'],
      ['POST complete old', '303 refresh'],
      ['POST steal new', '400'],
      ['POST complete unknown', '404'],
    ),
    to: { return: RETURN_PATH, refresh: REFRESH_PATH },
    secret: ({ row }) => (row === 'GET new' ? MARK : ''),
    async request({ row, app }) {
      const { path } = await newOnboarding(app.db, row.endsWith('old') ? new Date(0) : undefined);
      const known = row.endsWith('unknown') ? `/sandbox/onboarding/${'0'.repeat(48)}` : path;
      if (row.startsWith('GET')) return asked(row, known);
      return { path: known, ...sameOriginForm({ intent: row.split(' ')[1] ?? '' }) };
    },
  },
  '/sandbox/account/:token': {
    sandbox: true,
    cells: sameForAll(
      ['GET new', '200'],
      ['GET .data new', '200'],
      ['GET old', '404'],
      ['GET forged', '404'],
    ),
    secret: ({ row }) => (row === 'GET new' ? MARK : ''),
    async request({ row, app }) {
      const { ref, path } = await newOnboarding(app.db);
      const completed = await app.call(path, sameOriginForm({ intent: 'complete' }));
      if (completed.status !== 303) throw new Error('The setup was not completed');
      const at = new Date(row.endsWith('old') ? 0 : Date.now());
      const url = await loginLinkOf(app.db, ref, at);
      return asked(row, row.endsWith('forged') ? url.slice(0, -1) + (url.endsWith('0') ? '1' : '0') : url);
    },
  },
};
