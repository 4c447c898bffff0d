import { settleSandbox } from '#gateways/payments/sandbox/settlement.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { createListing } from '../fixtures/listings.ts';
import type { TestServer } from '../server/server.ts';
import { type DemoTemplate, startDemoServer } from './demo-server.ts';

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

interface RunningScenario {
  scenario: Scenario;
  stop(): Promise<void>;
}

/** A server takes half a gigabyte of memory and a few percent of a processor, also while no test uses it. */
const RUNNING_AT_ONCE = 3;

/**
 * A worker's own servers: one per environment and name, started for the first test that needs it. Those that were used last keep
 * running; one that was stopped starts with a new market.
 */
export class ScenarioServers {
  readonly #running = new Map<string, Promise<RunningScenario>>();

  /**
   * @param environment extra environment variables for the server
   * @param name only tests that ask for the same name share the server
   */
  async get(environment: Record<string, string>, name: string): Promise<Scenario> {
    const key = JSON.stringify([name, environment]);
    const known = this.#running.get(key);
    this.#running.delete(key);
    for (const [other, running] of this.#running) {
      if (this.#running.size < RUNNING_AT_ONCE) break;
      this.#running.delete(other);
      await (await running).stop();
    }
    const running = known ?? startScenario(environment);
    this.#running.set(key, running);
    return (await running).scenario;
  }

  /** @throws Error with the output of a server that did not end cleanly */
  async stop(): Promise<void> {
    for (const running of this.#running.values()) await (await running).stop();
  }
}

async function startScenario(environment: Record<string, string>): Promise<RunningScenario> {
  const template: DemoTemplate = JSON.parse(process.env.E2E_TEMPLATE ?? '');
  const server = await startDemoServer(template, environment);
  let second: Promise<TestServer> | undefined;
  const db = await openDatabase({
    ...(server.databaseUrl && { url: server.databaseUrl }),
    dataDir: server.dataDir,
    mayShare: true,
  });
  const secondServer = async () => {
    if (!server.databaseUrl) return server.url;
    second ??= server.startSecond();
    return (await second).url;
  };
  return {
    scenario: { ...createScenario(server, db), secondServer },
    async stop() {
      await db.close();
      await (await second)?.stop();
      const code = await server.stop();
      if (code !== 0) throw new Error(`The server ended with ${code}:\n${server.output()}`);
    },
  };
}

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
