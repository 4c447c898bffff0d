import { abuseSuite } from './suites/abuse.ts';
import { activitySuite } from './suites/activity.ts';
import { auditSuite } from './suites/audit.ts';
import { backofficeSuite } from './suites/backoffice.ts';
import { chainSuite } from './suites/chain.ts';
import { documentsSuite } from './suites/documents.ts';
import { exchangeSuite } from './suites/exchange.ts';
import { importSuite } from './suites/import.ts';
import { lighthouseSuite } from './suites/lighthouse.ts';
import { liveSuite } from './suites/live.ts';
import { pagesSuite } from './suites/pages.ts';
import { payoutRunSuite } from './suites/payout-run.ts';
import { payoutsSuite } from './suites/payouts.ts';
import { photosSuite } from './suites/photos.ts';
import { purchasesSuite } from './suites/purchases.ts';
import { relevanceSuite } from './suites/relevance.ts';
import { reportsSuite } from './suites/reports.ts';
import { savedSearchesSuite } from './suites/saved-searches.ts';
import { searchSuite } from './suites/search.ts';
import { sellerSuite } from './suites/seller.ts';
import { startSuite } from './suites/start.ts';
import { twoSuite } from './suites/two.ts';
import { webhooksSuite } from './suites/webhooks.ts';
import { weightSuite } from './suites/weight.ts';
import { startPostgres } from './support/postgres.ts';
import type { SuiteReport } from './support/suite-report.ts';

// `npm run bench` runs every suite in turn and exits with 1 when a promised figure is missed.
const suites: Readonly<Record<string, (server: () => Promise<string>) => Promise<SuiteReport>>> = {
  search: async (server) => searchSuite(await server()),
  relevance: async (server) => relevanceSuite(await server()),
  'saved-searches': async (server) => savedSearchesSuite(await server()),
  activity: async (server) => activitySuite(await server()),
  seller: async (server) => sellerSuite(await server()),
  backoffice: async (server) => backofficeSuite(await server()),
  documents: async (server) => documentsSuite(await server()),
  chain: async (server) => chainSuite(await server()),
  payouts: async (server) => payoutsSuite(await server()),
  'payout-run': async (server) => payoutRunSuite(await server()),
  reports: async (server) => reportsSuite(await server()),
  live: async (server) => liveSuite(await server()),
  pages: async (server) => pagesSuite(await server()),
  photos: async (server) => photosSuite(await server()),
  purchases: async (server) => purchasesSuite(await server()),
  webhooks: async (server) => webhooksSuite(await server()),
  audit: async (server) => auditSuite(await server()),
  import: async (server) => importSuite(await server()),
  abuse: async (server) => abuseSuite(await server()),
  exchange: async (server) => exchangeSuite(await server()),
  two: async (server) => twoSuite(await server()),
  weight: weightSuite,
  start: startSuite,
  lighthouse: lighthouseSuite,
};
/** Without those that take many minutes, Lighthouse also on an idle machine only: they run when named. */
const defaultSuites = [
  'search',
  'relevance',
  'saved-searches',
  'activity',
  'seller',
  'backoffice',
  'documents',
  'payouts',
  'payout-run',
  'reports',
  'live',
  'pages',
  'photos',
  'purchases',
  'webhooks',
  'audit',
  'import',
  'abuse',
  'exchange',
  'two',
  'weight',
  'start',
];

const requestedNames = process.argv.slice(2);
const chosen = (requestedNames.length > 0 ? requestedNames : defaultSuites).map((name) => {
  const suite = suites[name];
  if (!suite) throw new Error(`There is no suite ${name}, only ${Object.keys(suites).join(', ')}`);
  return suite;
});
let database: ReturnType<typeof startPostgres> | undefined;
const server = async () => {
  database ??= startPostgres();
  return (await database).url;
};
const missed: string[] = [];
try {
  for (const suite of chosen) {
    const report = await suite(server);
    console.log(`## ${report.title}\n\n${report.text}\n`);
    missed.push(...report.missed);
  }
} finally {
  (await database)?.stop();
}
console.log(
  missed.length === 0
    ? 'Every promised figure holds.'
    : `Missed:\n${missed.map((one) => `- ${one}`).join('\n')}`,
);
process.exitCode = missed.length === 0 ? 0 : 1;
