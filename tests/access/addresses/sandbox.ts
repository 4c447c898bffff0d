import { randomUUID } from 'node:crypto';
import { createPayoutsSandbox } from '#gateways/payouts/sandbox/provider.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { sameForAll } from '../support/table-rows.ts';
import { SECRET, sameOriginForm } from '../support/test-app.ts';

const MARK = 'Sandbox – no real money moves';
const RETURN_PATH = '/agent/settings';
const REFRESH_PATH = `${RETURN_PATH}?refresh=1`;
const ORIGIN = 'http://localhost:3000';

/** The sandbox as the application opens it, at a time. */
function onboardingAt({ app: { db } }: AddressCell, at: Date) {
  const config = { db, method: 'stripe', secret: SECRET, now: () => at, publicUrl: '' } as const;
  const { onboarding } = createPayoutsSandbox(config);
  if (!onboarding) throw new Error('Stripe has no onboarding');
  return onboarding;
}

/** A new seller's account, and the path of a link to its setup. */
async function newLink(cell: AddressCell, at = new Date()): Promise<{ ref: string; path: string }> {
  const onboarding = onboardingAt(cell, at);
  const seller = { agentId: randomUUID(), email: 'seller@example.test', name: 'Sandra Seller' };
  const { ref } = await onboarding.create(seller, randomUUID());
  const urls = { returnUrl: ORIGIN + RETURN_PATH, refreshUrl: ORIGIN + REFRESH_PATH };
  return { ref, path: (await onboarding.link(ref, urls)).url };
}

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
    async request(cell) {
      const { row } = cell;
      const { path } = await newLink(cell, row.endsWith('old') ? new Date(0) : undefined);
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
    async request(cell) {
      const { row } = cell;
      const { ref, path } = await newLink(cell);
      const completed = await cell.app.call(path, sameOriginForm({ intent: 'complete' }));
      if (completed.status !== 303) throw new Error('The setup was not completed');
      const at = new Date(row.endsWith('old') ? 0 : Date.now());
      const { url } = await onboardingAt(cell, at).loginLink(ref);
      return asked(row, row.endsWith('forged') ? url.slice(0, -1) + (url.endsWith('0') ? '1' : '0') : url);
    },
  },
};
