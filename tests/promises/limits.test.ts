import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { cloneTemplate, serverIsReachable } from '#tests/support/database/test-database.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { sendRequest } from '#tests/support/server/http-request.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';

// R18: whatever can be abused is rate limited per account and per IP address, across all processes on one PostgreSQL.

const SECRET = 'a secret that two processes of one market share';
const postgresAvailable = await serverIsReachable();
const title = postgresAvailable
  ? 'two processes on one PostgreSQL'
  : 'two processes skipped: no PostgreSQL is reachable';

describe.skipIf(!postgresAvailable)(title, () => {
  let own: Awaited<ReturnType<typeof cloneTemplate>>;
  let db: Database;
  /** behind a load balancer that passes on the client's address */
  let proxied: TestServer;
  /** reached directly, so that an address in a header may be forged */
  let direct: TestServer;
  beforeAll(async () => {
    own = await cloneTemplate();
    const environment = { DATABASE_URL: own.url, APP_SECRET: SECRET, DEMO: 'off' };
    proxied = await startServer({ ...environment, TRUST_PROXY: 'on' });
    direct = await startServer(environment);
    db = await openDatabase({ url: own.url, dataDir: null });
  });
  // Tests share IP addresses, so each starts with fresh limits.
  beforeEach(() => db.q().deleteFrom('rate_limits').execute());
  afterAll(async () => {
    await db.close();
    await Promise.all([proxied.stop(), direct.stop()]);
    await own.drop();
  });

  const post = async (
    server: TestServer,
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ) =>
    sendRequest(Number(new URL(server.url).port), path, {
      method: 'POST',
      headers: {
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': randomIp(),
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
    });
  const attacker = { 'x-forwarded-for': '192.0.2.66' };
  const randomIp = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`;
  const randomEmail = () => `${randomUUID()}@example.test`;
  /** Sends `times` concurrent requests and returns their statuses. */
  const statuses = async (times: number, send: (n: number) => ReturnType<typeof post>) =>
    (await Promise.all(Array.from({ length: times }, (_, n) => send(n)))).map(({ status }) => status);
  const count = (list: readonly number[], status: number) => list.filter((one) => one === status).length;
  const either = (n: number) => (n % 2 ? proxied : direct);
  /** How many rate limit windows of this length there have been since `began`. */
  const windows = (began: number, length: number) =>
    Math.floor(Date.now() / length) - Math.floor(began / length) + 1;
  /** Exactly the limit, or up to the limit per window if windows rolled over during the test. */
  const expectBounded = (allowed: number, limit: number, began: number, length: number) => {
    expect(allowed).toBeGreaterThanOrEqual(limit);
    expect(allowed).toBeLessThanOrEqual(limit * windows(began, length));
  };

  /** Signs a user in as one more session; returns its cookie. */
  const newSession = (server: TestServer, userId: string) =>
    startSession(db, { publicUrl: server.url, secret: SECRET }, userId);

  it('sign-in: five attempts a minute for an account from an address, which keep nobody else out', async () => {
    const email = randomEmail();
    const began = Date.now();
    const guess = { email, password: 'Not the password' };
    const answers = await statuses(8, () => post(proxied, '/buyer/login', guess, attacker));
    const allowed = count(answers, 401);
    expect(allowed + count(answers, 429)).toBe(8);
    expectBounded(allowed, 5, began, MINUTE);
    const more = await post(proxied, '/buyer/login', guess, attacker);
    if (windows(began, MINUTE) === 1) expect(Number(more.headers['retry-after'])).toBeGreaterThan(0);
    expect((await post(direct, '/buyer/login', guess)).status).toBe(401);
    expect((await post(proxied, '/buyer/login', guess)).status).toBe(401);
  });

  it('sign-in: thirty attempts in five minutes from an address, whatever its headers claim', async () => {
    const began = Date.now();
    const answers = await statuses(36, (n) => {
      const fields = { email: randomEmail(), password: 'Not the password' };
      // Requests to the direct server each forge an address; the load balancer passes on the real one.
      return post(either(n), '/buyer/login', fields, n % 2 ? { 'x-forwarded-for': '127.0.0.1' } : {});
    });
    expectBounded(count(answers, 401), 30, began, 5 * MINUTE);
    expect(count(answers, 401) + count(answers, 429)).toBe(36);
  });

  it('password reset: three requests an hour for an account from an address, existing or not', async () => {
    for (const email of [(await createUser(db, 'buyer')).email, randomEmail()]) {
      const began = Date.now();
      const answers = await statuses(6, () =>
        post(proxied, '/buyer/login', { intent: 'forgot', email }, attacker),
      );
      expectBounded(count(answers, 302), 3, began, 60 * MINUTE);
      expect(count(answers, 302) + count(answers, 429)).toBe(6);
    }
  });

  it('password reset: twenty mails an hour requested from one address', async () => {
    const began = Date.now();
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    const answers = await statuses(24, () =>
      post(proxied, '/buyer/login', { intent: 'forgot', email: randomEmail() }, headers),
    );
    expectBounded(count(answers, 302), 20, began, 60 * MINUTE);
  });

  it('sign-up: ten accounts an hour from an address', async () => {
    const began = Date.now();
    const fields = () => ({ email: randomEmail(), password: 'Plumb-Line 77 brass' });
    const headers = { 'x-forwarded-for': '192.0.2.8' };
    const answers = await statuses(13, () => post(proxied, '/buyer/signup', fields(), headers));
    expectBounded(count(answers, 302), 10, began, 60 * MINUTE);
    expect(count(answers, 302) + count(answers, 429)).toBe(13);
  });

  it('inquiry: three a minute for a user, across all sessions and processes', async () => {
    const [buyer, seller] = [await createUser(db, 'buyer'), await createUser(db, 'agent')];
    const listings = await Promise.all(Array.from({ length: 6 }, () => createListing(db, seller.agentId)));
    const began = Date.now();
    const answers = await statuses(6, async (n) => {
      const cookie = await newSession(either(n), buyer.id);
      return post(
        either(n),
        `/property/${listings[n]}`,
        { message: 'May I come?', key: `k${n}` },
        { cookie },
      );
    });
    const allowed = count(answers, 302);
    expectBounded(allowed, 3, began, MINUTE);
    expect(allowed + count(answers, 429)).toBe(6);
    const { sent } = await db
      .q()
      .selectFrom('property_inquiries')
      .select((all) => all.fn.countAll<number>().as('sent'))
      .where('user_id', '=', buyer.id)
      .executeTakeFirstOrThrow();
    expect(sent).toBe(allowed);
  });

  it('payment diagnostics: five a minute for a user, across all sessions and processes', async () => {
    const [buyer, seller] = [await createUser(db, 'buyer'), await createUser(db, 'agent')];
    const propertyId = await createListing(db, seller.agentId);
    const began = Date.now();
    const answers = await statuses(8, async (n) => {
      const cookie = await newSession(either(n), buyer.id);
      return sendRequest(Number(new URL(either(n).url).port), '/api/payment-diagnostics', {
        method: 'POST',
        headers: {
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
          'x-forwarded-for': randomIp(),
          cookie,
        },
        body: JSON.stringify({ paymentType: 'card', propertyId }),
      });
    });
    expectBounded(count(answers, 200), 5, began, MINUTE);
    expect(count(answers, 200) + count(answers, 429)).toBe(8);
  });

  it('beginning a purchase: ten a minute for a user, across all sessions and processes', async () => {
    const [buyer, seller] = [await createUser(db, 'buyer'), await createUser(db, 'agent')];
    const propertyId = await createListing(db, seller.agentId);
    const began = Date.now();
    const answers = await statuses(14, async (n) => {
      const cookie = await newSession(either(n), buyer.id);
      // Refused for its price, so that no purchase holds the property: the limit counts attempts.
      const fields = { method: 'card', total: '100', key: `k${n}` };
      return post(either(n), `/property/${propertyId}/purchase`, fields, {
        cookie,
        accept: 'application/json',
      });
    });
    expectBounded(count(answers, 409), 10, began, MINUTE);
    expect(count(answers, 409) + count(answers, 429)).toBe(14);
  });

  it('export of own data: ten an hour for a user, across all sessions and processes', async () => {
    const buyer = await createUser(db, 'buyer');
    const began = Date.now();
    const answers = await statuses(13, async (n) =>
      sendRequest(Number(new URL(either(n).url).port), '/account/export', {
        headers: { 'x-forwarded-for': randomIp(), cookie: await newSession(either(n), buyer.id) },
      }),
    );
    expectBounded(count(answers, 200), 10, began, 60 * MINUTE);
    expect(count(answers, 200) + count(answers, 429)).toBe(13);
  });
});
