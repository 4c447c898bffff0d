import { randomUUID } from 'node:crypto';
import { chargedFees } from '#features/fees/reads.ts';
import { saleTerms } from '#features/sales/amounts.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { decimalAmount } from '#platform/money.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';

const SECRET = 'a secret that the processes of one market share';

/** A user with a session. */
export interface Buyer {
  person: UserActor;
  cookie: string;
}

/** The response to an attempt to buy. */
type BeginResponse = { ok: true; saleId: string } | { ok: false; status: number; text: string };

/** Two real server processes on one PostgreSQL database, with buyers and helpers. */
export interface SoakScenario {
  servers: TestServer[];
  db: Database;
  system: Ctx;
  buyers: Buyer[];
  property(): Promise<string>;
  start(): Promise<TestServer>;
  /** First step of a purchase; the key makes it idempotent. */
  begin(
    server: TestServer,
    buyer: Buyer,
    property: string,
    method: PaymentMethod,
    key?: string,
  ): Promise<BeginResponse>;
  /** Second step: the reference of the checkout, or null. */
  open(
    server: TestServer,
    buyer: Buyer,
    property: string,
    method: PaymentMethod,
    saleId: string,
  ): Promise<string | null>;
  onPage(server: TestServer, ref: string, action: string): Promise<void>;
  close(): Promise<void>;
}

const PRICE = 640_000_00;

/** Starts the processes and creates `count` signed-in buyers. */
export async function startSoakScenario(count: number): Promise<SoakScenario> {
  const own = await createEmptyDatabase();
  const start = () =>
    startServer({
      DATABASE_URL: own.url,
      APP_SECRET: SECRET,
      DEMO: 'on',
      LIMITS: 'relaxed',
      LOG_LEVEL: 'error',
    });
  const servers = [await start()];
  servers.push(await start());
  const db = await openDatabase({ url: own.url, dataDir: null });
  const system = testContext(db, { actor: { kind: 'system', name: 'soak' }, now: () => new Date() });
  const seller = await createUser(db, 'agent');
  const buyers: Buyer[] = [];
  for (let at = 0; at < count; at += 1) buyers.push(await signedIn(db, await createUser(db, 'buyer')));
  const total = saleTerms(PRICE, await chargedFees(system), 20).totalCents;
  const post = (server: TestServer, path: string, body: BodyInit, cookie = '') =>
    fetch(server.url + path, {
      method: 'POST',
      headers: {
        'sec-fetch-site': 'same-origin',
        origin: server.url,
        cookie,
        accept: 'application/json',
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    });
  return {
    servers,
    db,
    system,
    buyers,
    start,
    property: () => createListing(db, seller.agentId, { price_cents: PRICE }),
    async begin(server, { cookie }, property, method, key = randomUUID()) {
      const form = new URLSearchParams({ method, key, total: String(total), intent: 'begin' });
      const answer = await post(server, `/property/${property}/purchase`, form, cookie);
      const body = (await answer.json()) as { ok?: boolean; saleId?: string; text?: string };
      return body.ok && body.saleId
        ? { ok: true, saleId: body.saleId }
        : { ok: false, status: answer.status, text: body.text ?? JSON.stringify(body) };
    },
    async open(server, { cookie }, propertyId, method, transactionId) {
      const path = method === 'card' ? 'create-card-payment' : 'create-crypto-payment';
      const call = { propertyId, transactionId, amount: decimalAmount(total) };
      const answer = await post(server, `/api/payments/${path}`, JSON.stringify(call), cookie);
      const { url } = (await answer.json()) as { url?: string };
      return url?.split('/').at(-1) ?? null;
    },
    async onPage(server, ref, action) {
      const answer = await post(server, `/sandbox/checkout/${ref}`, new URLSearchParams({ intent: action }));
      await answer.body?.cancel();
      if (answer.status !== 303) throw new Error(`The page of the checkout answered ${answer.status}`);
    },
    async close() {
      await Promise.all(servers.map((server) => server.stop()));
      await db.close();
      await own.drop();
    },
  };
}

async function signedIn(db: Database, person: UserActor): Promise<Buyer> {
  const config = { publicUrl: 'http://localhost', secret: SECRET };
  return { person, cookie: await startSession(db, config, person.id) };
}
