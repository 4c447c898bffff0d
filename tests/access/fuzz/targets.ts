import { signFileLink } from '#gateways/files/signed-link.ts';
import { sandboxWebhookSecret } from '#gateways/payments/sandbox/rules.ts';
import type { UserActor } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { patterns } from '../support/all-addresses.ts';
import { addKey } from '../support/api-keys.ts';
import { newSale } from '../support/sales.ts';
import { listingKinds } from '../support/scenario.ts';
import { PRIVATE_FILE, SECRET, type TestApp } from '../support/test-app.ts';
import type { FuzzTargets } from './fuzz-request.ts';
import { allNames, pageNames } from './page-names.ts';

/** The sale states present when the requests start; one sale of each. */
const SALE_STATES = [
  'begun',
  'open',
  'submitted',
  'given up',
  'in escrow',
  'with a problem',
  'seller wants out',
];

const usersOf = ({ cast }: TestApp['scenario']): UserActor[] => [
  cast.buyerA,
  cast.sellerA,
  cast.suspendedSeller,
  cast.admin,
];

/** Signs the four users in again and returns their cookies: a hostile request may have signed one out everywhere. */
export const openSessions = ({ scenario, cookieOf }: TestApp): Promise<string[]> =>
  Promise.all(usersOf(scenario).map((person) => cookieOf(person)));

/** Fills the database with a listing of each kind and a sale in each state, and signs four users in. */
export async function prepareTargets(app: TestApp): Promise<FuzzTargets> {
  const { scenario, server } = app;
  const listings: string[] = [];
  for (const listing of listingKinds) listings.push(await scenario.listing(listing));
  const sales = [];
  for (const state of SALE_STATES) sales.push(await newSale(scenario, state));
  const users = usersOf(scenario);
  const pages = pageNames();
  const home = await (await fetch(server.url.replace('localhost', '127.0.0.1'))).text();
  const version = /"version":"(\w+)"/.exec(home)?.[1] ?? /manifest-(\w+)\.js/.exec(home)?.[1];
  return {
    patterns,
    pages,
    forms: pages.filter(({ intents }) => intents.length > 0),
    forbiddenForms: [],
    names: allNames(),
    apiKey: (await addKey(scenario, 'admin')).secret,
    signedFiles: [PRIVATE_FILE, ...sales.map(({ saleId }) => `receipts/${saleId}.pdf`)].map((key) =>
      signFileLink(SECRET, { key, expiresAt: new Date(Date.now() + DAY), downloadName: 'File.pdf' }),
    ),
    ids: [
      ...listings,
      ...users.map((person) => person.id),
      scenario.cast.sellerA.agentId ?? '',
      ...sales.flatMap(({ saleId, propertyId, ref }) => [saleId, saleId, propertyId, ref ?? saleId]),
    ],
    host: new URL(server.url).host,
    origin: server.url,
    cookies: await openSessions(app),
    secrets: {
      card: sandboxWebhookSecret(SECRET, 'card'),
      crypto: sandboxWebhookSecret(SECRET, 'crypto'),
    },
    ...(version && { version }),
  };
}
