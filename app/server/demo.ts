import { refuseOpenDemoAccounts } from '#demo/accounts.ts';
import { loadDemoMarket } from '#demo/load.ts';
import { queueDemoForChain } from '#demo/queue-for-chain.ts';
import { countMarket } from '#features/reports/commands/count-market.ts';
import { foldReportEvents } from '#features/reports/commands/fold-events.ts';
import { refreshSearchStatistics } from '#features/search/commands/refresh-search-statistics.ts';
import { hashPassword } from '#platform/auth/password.ts';
import type { Services } from './services.ts';
import { systemContext } from './system-context.ts';

/**
 * Loads the demo data into an empty database while DEMO is on. While it is off, makes sure that the published password opens
 * no account.
 * @throws DemoRefused when the database holds accounts of real people
 * @throws DemoAccountsOpen when DEMO is off and the database holds demo accounts
 */
export async function prepareDemo(
  services: Pick<Services, 'db' | 'config' | 'log' | 'files'>,
): Promise<void> {
  const { db, config, log, files } = services;
  if (!config.demo) return refuseOpenDemoAccounts(db);
  const loaded = await loadDemoMarket(db, {
    now: new Date(),
    hashPassword,
    storeFile: (file) => files.put(file),
  });
  if (!loaded) return;
  await refreshSearchStatistics(systemContext(services, 'demo'));
  // Years of events are a long statement, for which the first visitors of an embedded database would wait.
  await foldReportEvents(systemContext(services, 'demo'));
  await countMarket(systemContext(services, 'demo'));
  await queueDemoForChain(systemContext(services, 'demo'));
  log.info('demo market loaded');
}
