import { settleSandbox } from '#gateways/payments/sandbox/settlement.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { createListing } from '../fixtures/listings.ts';
import type { TestServer } from '../server/server.ts';
import { type DemoTemplate, startDemoServer } from './demo-server.ts';
import { test as signedIn } from './signed-in-test.ts';

export { createSession, expect, open, toastOf, toastsLoaded } from './signed-in-test.ts';

/** An isolated server with demo data, where tests can change anything. */
export interface Scenario {
  url: string;
  dataDir: string;
  /** the origin of a second server on the same database; the first one's on the embedded database, which only one can open */
  secondServer(): Promise<string>;
  /** the server's database, opened alongside it */
  db: Database;
  /** creates a listing of seller@acre.test or another seller; returns its id */
  createListing(facts?: Parameters<typeof createListing>[2], sellerEmail?: string): Promise<string>;
  /** settles a pending sandbox payment */
  settlePayment(ref: string, outcome: 'paid' | 'failed'): Promise<void>;
  /** the latest sale of a property, its state as 'payment/escrow'; null when there is none */
  latestSale(propertyId: string): Promise<{ id: string; state: string; ref: string | null } | null>;
}

interface Fixtures {
  scenario: Scenario;
  /** extra environment variables for the server */
  environment: Record<string, string>;
}

/** Playwright's `test` with a server of its own, on the kind of database that E2E_DATABASE names. */
export const test = signedIn.extend<object, Fixtures>({
  environment: [{}, { option: true, scope: 'worker' }],
  scenario: [
    async ({ environment }, use) => {
      const template: DemoTemplate = JSON.parse(process.env.E2E_TEMPLATE ?? '');
      const server = await startDemoServer(template, environment);
      let second: Promise<TestServer> | null = null;
      const secondServer = async () => {
        if (!server.databaseUrl) return server.url;
        second ??= server.startSecond();
        return (await second).url;
      };
      const db = await openDatabase({
        ...(server.databaseUrl && { url: server.databaseUrl }),
        dataDir: server.dataDir,
        mayShare: true,
      });
      await use({ ...createScenario(server, db), secondServer });
      await db.close();
      const startedSecond = second as Promise<TestServer> | null;
      await (await startedSecond)?.stop();
      const code = await server.stop();
      if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.output()}`);
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ scenario }, use) => use(scenario.url),
});

function createScenario({ url, dataDir }: TestServer, db: Database): Omit<Scenario, 'secondServer'> {
  return {
    url,
    dataDir,
    db,
    async createListing(facts = {}, sellerEmail = 'seller@acre.test') {
      const seller = await db
        .q()
        .selectFrom('agents')
        .select('id')
        .where('email', '=', sellerEmail)
        .executeTakeFirstOrThrow();
      return createListing(db, seller.id, facts);
    },
    settlePayment: (ref, outcome) => settleSandbox(db, ref, outcome, new Date()),
    async latestSale(propertyId) {
      const sale = await db
        .q()
        .selectFrom('property_sales')
        .select(['id', 'stripe_payment_status', 'escrow_status', 'provider_session_id'])
        .where('property_id', '=', propertyId)
        .orderBy('created_at', 'desc')
        .executeTakeFirst();
      return sale
        ? {
            id: sale.id,
            state: `${sale.stripe_payment_status}/${sale.escrow_status}`,
            ref: sale.provider_session_id,
          }
        : null;
    },
  };
}
