import { randomUUID } from 'node:crypto';
import { chargedFees } from '#features/fees/reads.ts';
import { saleTerms } from '#features/purchases/amounts.ts';
import type { Rail } from '#gateways/payments/port.ts';
import { sessionCookie } from '#platform/auth/cookie.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { testContext } from '#tests/support/context.ts';
import { createListing } from '#tests/support/listings.ts';
import { emptyDatabase } from '#tests/support/own-database.ts';
import { createPerson } from '#tests/support/people.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

const SECRET = 'a secret that the processes of one market share';

/** Somebody with a session. */
export interface Buyer {
  person: UserActor;
  cookie: string;
}

/** What a press of the button led to. */
export type Pressed = { ok: true; saleId: string } | { ok: false; status: number; text: string };

/** Two real processes of one market on one PostgreSQL, and what stands beside them. */
export interface Market {
  servers: TestServer[];
  db: Database;
  system: Ctx;
  buyers: Buyer[];
  house(): Promise<string>;
  start(): Promise<TestServer>;
  /** The first of the two steps of a purchase; the same key is the same press. */
  begin(server: TestServer, buyer: Buyer, house: string, rail: Rail, key?: string): Promise<Pressed>;
  /** The second: the name of the checkout, or why there is none. */
  open(server: TestServer, buyer: Buyer, house: string, rail: Rail, saleId: string): Promise<string | null>;
  onPage(server: TestServer, ref: string, action: string): Promise<void>;
  close(): Promise<void>;
}

const PRICE = 640_000_00;

/** Starts the processes with `count` buyers who have sessions. */
export async function openMarket(count: number): Promise<Market> {
  const own = await emptyDatabase();
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
  const seller = await createPerson(db, 'agent');
  const buyers: Buyer[] = [];
  for (let at = 0; at < count; at += 1) buyers.push(await signedIn(db, await createPerson(db, 'buyer')));
  const total = saleTerms(PRICE, await chargedFees(system), 20).totalCents;
  const post = (server: TestServer, path: string, body: BodyInit, cookie = '') =>
    fetch(server.url + path, {
      method: 'POST',
      headers: {
        'sec-fetch-site': 'same-origin',
        origin: server.url,
        cookie,
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
    house: () => createListing(db, seller.agentId, { price_cents: PRICE }),
    async begin(server, { cookie }, house, method, key = randomUUID()) {
      const form = new URLSearchParams({ method, key, total: String(total), scripted: '1' });
      const answer = await post(server, `/property/${house}/purchase`, form, cookie);
      const body = (await answer.json()) as { ok?: boolean; saleId?: string; text?: string };
      return body.ok && body.saleId
        ? { ok: true, saleId: body.saleId }
        : { ok: false, status: answer.status, text: body.text ?? JSON.stringify(body) };
    },
    async open(server, { cookie }, propertyId, rail, transactionId) {
      const path = rail === 'card' ? 'create-card-payment' : 'create-crypto-payment';
      const call = { propertyId, transactionId, amount: (total / 100).toFixed(2) };
      const answer = await post(server, `/api/payments/${path}`, JSON.stringify(call), cookie);
      const { url } = (await answer.json()) as { url?: string };
      return url?.split('/').at(-1) ?? null;
    },
    async onPage(server, ref, action) {
      const answer = await post(server, `/sandbox/checkout/${ref}`, new URLSearchParams({ action }));
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
  const token = randomUUID();
  const expires_at = new Date(Date.now() + 29 * 86_400_000);
  await db.q().insertInto('sessions').values({ user_id: person.id, token, expires_at }).execute();
  const cookie = sessionCookie({ publicUrl: 'http://localhost', secret: SECRET }, token).split(';')[0] ?? '';
  return { person, cookie };
}
