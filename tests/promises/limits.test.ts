import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sessionCookie } from '#platform/auth/cookie.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { ask } from '#tests/support/ask.ts';
import { ownDatabase, serverIsReachable } from '#tests/support/database.ts';
import { createListing } from '#tests/support/listings.ts';
import { createPerson } from '#tests/support/people.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

// R18: what may be abused is bounded by account and by address, together for all processes on one PostgreSQL.

const SECRET = 'a secret that two processes of one market share';
const MINUTE = 60_000;
const there = await serverIsReachable();
const title = there ? 'two processes on one PostgreSQL' : 'two processes skipped: no PostgreSQL is reachable';

describe.skipIf(!there)(title, () => {
  let own: Awaited<ReturnType<typeof ownDatabase>>;
  let db: Database;
  /** stands behind a balancer, which tells it the address of who asks */
  let behind: TestServer;
  /** is asked directly, so that an address in a header is what a stranger typed */
  let direct: TestServer;
  beforeAll(async () => {
    own = await ownDatabase();
    const environment = { DATABASE_URL: own.url, APP_SECRET: SECRET, DEMO: 'off' };
    behind = await startServer({ ...environment, TRUST_PROXY: 'on' });
    direct = await startServer(environment);
    db = await openDatabase({ url: own.url, dataDir: null });
  }, 120_000);
  // Tests share addresses: what one has used up is given back to the next.
  beforeEach(() => db.q().deleteFrom('rate_limits').execute());
  afterAll(async () => {
    await db.close();
    await Promise.all([behind.stop(), direct.stop()]);
    await own.drop();
  });

  const post = async (
    server: TestServer,
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ) =>
    ask(Number(new URL(server.url).port), path, {
      method: 'POST',
      headers: {
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': anyAddress(),
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
    });
  const anyAddress = () => `10.${[1, 2, 3].map(() => Math.floor(Math.random() * 256)).join('.')}`;
  const someone = () => `${randomUUID()}@example.test`;
  /** Asks so often, by both processes in turn where `server` is not given; the statuses. */
  const statuses = async (times: number, asking: (n: number) => ReturnType<typeof post>) =>
    (await Promise.all(Array.from({ length: times }, (_, n) => asking(n)))).map(({ status }) => status);
  const count = (list: readonly number[], status: number) => list.filter((one) => one === status).length;
  const either = (n: number) => (n % 2 ? behind : direct);
  /** How many windows of this length were open at some time since `began`. */
  const windows = (began: number, length: number) =>
    Math.floor(Date.now() / length) - Math.floor(began / length) + 1;
  /** Exactly the limit; where a window ended meanwhile, which nobody can prevent, up to the limit of each. */
  const expectBounded = (allowed: number, limit: number, began: number, length: number) => {
    expect(allowed).toBeGreaterThanOrEqual(limit);
    expect(allowed).toBeLessThanOrEqual(limit * windows(began, length));
  };

  it('sign-in: five tries a minute for an account, from wherever they come', async () => {
    const email = someone();
    const began = Date.now();
    const answers = await statuses(8, () =>
      post(behind, '/buyer/login', { email, password: 'Not the password' }),
    );
    const more = await post(direct, '/buyer/login', { email, password: 'Not the password' });
    const allowed = count([...answers, more.status], 401);
    expect(allowed + count([...answers, more.status], 429)).toBe(9);
    expectBounded(allowed, 5, began, MINUTE);
    if (windows(began, MINUTE) === 1) expect(Number(more.headers['retry-after'])).toBeGreaterThan(0);
    const other = await post(behind, '/buyer/login', { email: someone(), password: 'Not the password' });
    expect(other.status).toBe(401);
  }, 60_000);

  it('sign-in: thirty tries in five minutes from an address, whatever it says of itself', async () => {
    const began = Date.now();
    const answers = await statuses(36, (n) => {
      const fields = { email: someone(), password: 'Not the password' };
      // To the one that is asked directly every request claims another address; the balancer tells the other the truth.
      return post(either(n), '/buyer/login', fields, n % 2 ? { 'x-forwarded-for': '127.0.0.1' } : {});
    });
    expectBounded(count(answers, 401), 30, began, 5 * MINUTE);
    expect(count(answers, 401) + count(answers, 429)).toBe(36);
  }, 120_000);

  it('reset: three mails an hour for an account, known or not', async () => {
    for (const email of [(await createPerson(db, 'buyer')).email, someone()]) {
      const began = Date.now();
      const answers = await statuses(6, () => post(behind, '/buyer/login', { form: 'forgot', email }));
      expectBounded(count(answers, 302), 3, began, 60 * MINUTE);
      expect(count(answers, 302) + count(answers, 429)).toBe(6);
    }
  }, 60_000);

  it('reset: twenty mails an hour to whomever, asked for by one address', async () => {
    const began = Date.now();
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    const answers = await statuses(24, () =>
      post(behind, '/buyer/login', { form: 'forgot', email: someone() }, headers),
    );
    expectBounded(count(answers, 302), 20, began, 60 * MINUTE);
  }, 60_000);

  it('sign-up: ten accounts an hour from an address', async () => {
    const began = Date.now();
    const fields = () => ({ email: someone(), password: 'Plumb-Line 77 brass' });
    const headers = { 'x-forwarded-for': '192.0.2.8' };
    const answers = await statuses(13, () => post(behind, '/buyer/signup', fields(), headers));
    expectBounded(count(answers, 302), 10, began, 60 * MINUTE);
    expect(count(answers, 302) + count(answers, 429)).toBe(13);
  }, 60_000);

  it('inquiry: three a minute for a person, by every session and process together', async () => {
    const [buyer, seller] = [await createPerson(db, 'buyer'), await createPerson(db, 'agent')];
    const cookieOf = async (server: TestServer) => {
      const token = randomUUID();
      const expires_at = new Date(Date.now() + 29.5 * 24 * 60 * MINUTE);
      await db.q().insertInto('sessions').values({ user_id: buyer.id, token, expires_at }).execute();
      return sessionCookie({ publicUrl: server.url, secret: SECRET }, token).split(';')[0] ?? '';
    };
    const listings = await Promise.all(Array.from({ length: 6 }, () => createListing(db, seller.agentId)));
    const began = Date.now();
    const answers = await statuses(6, async (n) => {
      const cookie = await cookieOf(either(n));
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
  }, 60_000);
});
