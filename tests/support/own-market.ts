import { settleSandbox } from '#gateways/payments/sandbox/banks.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { createListing } from './listings.ts';
import { emptyDatabase } from './own-database.ts';
import { startServer, type TestServer } from './server.ts';
import { test as signedIn } from './signed-in.ts';

export { expect, open, sessionOf, toastOf } from './signed-in.ts';

/** A demo market that no other test looks at: houses can be bought in it. */
export interface OwnMarket {
  url: string;
  dataDir: string;
  /** the origin of a second server process on the same database; the first one's own where only one can open it */
  neighbour(): Promise<string>;
  /** the server's own database, beside it */
  db: Database;
  /** a new listing of seller@acre.test, or of another seller; its id */
  house(facts?: Parameters<typeof createListing>[2], sellerEmail?: string): Promise<string>;
  /** what comes of money that is on its way to the sandbox */
  settle(ref: string, outcome: 'paid' | 'failed'): Promise<void>;
  /** 'payment/escrow' of the newest sale of a property, as soon as there is one */
  saleOf(propertyId: string): Promise<{ id: string; state: string; ref: string | null } | null>;
}

interface Fixtures {
  market: OwnMarket;
  /** what differs in the environment of the market's server */
  environment: Record<string, string>;
}

/** The demo market's kind of database decides: as the run's. */
export const test = signedIn.extend<object, Fixtures>({
  environment: [{}, { option: true, scope: 'worker' }],
  market: [
    async ({ environment }, use) => {
      const own = process.env.E2E_DATABASE === 'PostgreSQL' ? await emptyDatabase() : null;
      // Whichever process sends a mail, it lies in the one folder; as files do in production.
      const start = (shared: Record<string, string> = {}) =>
        startServer({
          DEMO: 'on',
          LIMITS: 'relaxed',
          ...(own && { DATABASE_URL: own.url, APP_SECRET: 'only for this market: '.padEnd(48, 'x') }),
          ...environment,
          ...shared,
        });
      const server = await start();
      let second: Promise<TestServer> | null = null;
      const neighbour = async () => {
        if (!own) return server.url;
        second ??= start({ DATA_DIR: server.dataDir });
        return (await second).url;
      };
      const db = await openDatabase({
        ...(own && { url: own.url }),
        dataDir: server.dataDir,
        mayShare: true,
      });
      await use({ ...marketOf(server, db), neighbour });
      await db.close();
      const beside = second as Promise<TestServer> | null;
      await (await beside)?.stop();
      const code = await server.stop();
      await own?.drop();
      if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.output()}`);
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ market }, use) => use(market.url),
});

function marketOf({ url, dataDir }: TestServer, db: Database): Omit<OwnMarket, 'neighbour'> {
  return {
    url,
    dataDir,
    db,
    async house(facts = {}, sellerEmail = 'seller@acre.test') {
      const seller = await db
        .q()
        .selectFrom('agents')
        .select('id')
        .where('email', '=', sellerEmail)
        .executeTakeFirstOrThrow();
      return createListing(db, seller.id, facts);
    },
    settle: (ref, outcome) => settleSandbox(db, ref, outcome, new Date()),
    async saleOf(propertyId) {
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
