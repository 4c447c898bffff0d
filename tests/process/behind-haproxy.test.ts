import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { SECOND } from '#platform/durations.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { type Pooler, pgbouncer, startPgbouncer } from '#tests/support/database/pgbouncer.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { freePort } from '#tests/support/server/free-port.ts';
import { type Balancer, haproxy, startHaproxy } from '#tests/support/server/haproxy.ts';
import { type NextVersion, nextVersion } from '#tests/support/server/next-version.ts';
import { productionFolder } from '#tests/support/server/production-folder.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';
import { openStream } from '#tests/support/server/stream.ts';

const missing = [
  ...(haproxy ? [] : ['HAProxy']),
  ...(pgbouncer ? [] : ['PgBouncer']),
  ...((await serverIsReachable()) ? [] : ['PostgreSQL']),
].join(', ');
const APP_SECRET = 'a secret for tests only, long enough for its check';
const BUYERS = 6;
const READERS = 3;

interface Conversation {
  inquiry: string;
  cookie: string;
}

describe.skipIf(missing)(
  `two processes behind HAProxy and PgBouncer${missing && ` skipped: no ${missing}`}`,
  () => {
    let own: Awaited<ReturnType<typeof createEmptyDatabase>>;
    let pooler: Pooler;
    let balancer: Balancer;
    let db: Database;
    let next: NextVersion;
    let current: ReturnType<typeof productionFolder>;
    let ports: [number, number];
    const running = new Map<number, TestServer>();
    let conversations: Conversation[];
    let sellerCookie: string;

    beforeAll(async () => {
      own = await createEmptyDatabase();
      pooler = await startPgbouncer([own.url], { default_pool_size: 8 });
      ports = [await freePort(), await freePort()];
      balancer = await startHaproxy(ports);
      next = nextVersion();
      current = productionFolder();
      await Promise.all(ports.map((port) => start(port, current.path)));
      db = await openDatabase({ url: own.url, dataDir: null, poolSize: 2 });
      const seller = await createUser(db, 'agent');
      sellerCookie = await session(seller.id);
      const property = await createListing(db, seller.agentId);
      conversations = await Promise.all(
        Array.from({ length: BUYERS }, async () => {
          const { id } = await createUser(db, 'buyer');
          const inquiry = await db
            .q()
            .insertInto('property_inquiries')
            .values({ property_id: property, user_id: id, message: 'Is it quiet?' })
            .returning('id')
            .executeTakeFirstOrThrow();
          return { inquiry: inquiry.id, cookie: await session(id) };
        }),
      );
      await vi.waitFor(async () => expect((await fetch(`${balancer.url}/healthz`)).status).toBe(200), {
        timeout: 20 * SECOND,
      });
    });
    afterAll(async () => {
      await Promise.all([...running.values()].map((server) => server.stop()));
      await db?.close();
      await balancer?.stop();
      await pooler?.stop();
      for (const folder of [next, current]) folder?.remove();
      await own?.drop();
    });

    const session = (user: string) => startSession(db, { publicUrl: balancer.url, secret: APP_SECRET }, user);

    async function start(port: number, folder: string): Promise<void> {
      const environment = {
        PORT: String(port),
        PUBLIC_URL: balancer.url,
        TRUST_PROXY: 'on',
        DATABASE_URL: pooler.urlOf(own.url),
        DATABASE_LISTEN_URL: own.url,
        APP_SECRET,
        DRAIN_SECONDS: '4',
      };
      running.set(port, await startServer(environment, folder));
    }

    /** Sends a message as the page's script does; returns its id. */
    async function send(origin: string, { inquiry, cookie }: Conversation): Promise<string> {
      const answer = await fetch(`${origin}/inquiries/${inquiry}`, {
        method: 'POST',
        headers: { cookie, accept: 'application/json', 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ intent: 'reply', message: `Hello ${randomUUID()}`, key: randomUUID() }),
      });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`A message was answered with ${answer.status}: ${text}`);
      return (JSON.parse(text) as { messageId: string }).messageId;
    }
    const scriptOf = (page: string) => /\/assets\/entry\.client-[\w-]+\.js/.exec(page)?.[0] ?? '';

    it('know of each other’s messages, though the pooler passes no notifications on', async () => {
      const [one, two] = ports.map((port) => `http://127.0.0.1:${port}`) as [string, string];
      const [first] = conversations as [Conversation];
      for (const [here, there] of [
        [one, two],
        [two, one],
      ] as const) {
        const stream = await openStream(here, sellerCookie);
        const id = await send(there, first);
        await vi.waitFor(() => expect(stream.messages()).toContain(id), { timeout: 10 * SECOND });
        stream.close();
      }
    });

    it('an upgrade one by one fails no request, loses no message and no file of either version', async () => {
      const stream = await openStream(balancer.url, sellerCookie);
      let upgrading = true;
      const failures: string[] = [];
      const sent: string[] = [];
      let pages = 0;
      const reader = async () => {
        while (upgrading) {
          const page = await fetch(`${balancer.url}/properties`);
          const text = await page.text();
          const script = await fetch(`${balancer.url}${scriptOf(text)}`);
          await script.text();
          for (const { status, url } of [page, script])
            if (status !== 200) failures.push(`${url}: ${status}`);
          pages += 1;
          await wait(30);
        }
      };
      const writer = async (conversation: Conversation) => {
        while (upgrading) {
          sent.push(await send(balancer.url, conversation));
          await wait(2.5 * SECOND);
        }
      };
      const busy = Promise.all([
        ...Array.from({ length: READERS }, reader),
        ...conversations.map((conversation, at) => wait(at * 400).then(() => writer(conversation))),
      ]);
      // A rejection is looked at below, when the upgrade is over.
      busy.catch(() => undefined);

      const before = await (await fetch(`${balancer.url}/properties`)).text();
      // What pages of the former version still load: see docs/scale.md.
      const assets = 'build/client/assets';
      execFileSync('cp', ['-rnT', join(current.path, assets), join(next.path, assets)]);
      const [one, two] = ports;
      for (const port of [one, two]) {
        const old = running.get(port);
        running.delete(port);
        expect(await old?.stop()).toBe(0);
        await start(port, next.path);
        if (port !== one) continue;
        const page = async () => (await fetch(`${balancer.url}/properties`)).text();
        await vi.waitFor(async () => expect(scriptOf(await page())).toBe(next.script), {
          timeout: 10 * SECOND,
        });
        // Both versions run: each file is had from whichever process has it.
        for (let n = 0; n < 6; n++)
          for (const script of [next.script, scriptOf(before)])
            expect((await fetch(`${balancer.url}${script}`)).status).toBe(200);
        expect(await isMigrated()).toBe(true);
      }
      const soFar = pages;
      await vi.waitFor(() => expect(pages).toBeGreaterThan(soFar + 20), { timeout: 20 * SECOND });
      upgrading = false;
      await busy;

      expect(failures).toEqual([]);
      expect(pages).toBeGreaterThan(20);
      expect(sent.length).toBeGreaterThan(20);
      const stored = await db
        .q()
        .selectFrom('inquiry_messages')
        .select('id')
        .where('id', 'in', sent)
        .execute();
      expect(stored.length).toBe(sent.length);
      await vi.waitFor(() => expect(new Set(stream.messages())).toEqual(new Set(sent)), {
        timeout: 20 * SECOND,
      });
      expect(stream.messages().length).toBe(sent.length);
      stream.close();
      const after = await (await fetch(`${balancer.url}/properties`)).text();
      expect(scriptOf(after)).toBe(next.script);
      expect((await fetch(`${balancer.url}${scriptOf(before)}`)).status).toBe(200);
    });

    async function isMigrated(): Promise<boolean> {
      const { rows } = await sql`select 1 from kysely_migration where name = ${next.migration}`.execute(
        db.q(),
      );
      return rows.length === 1;
    }
  },
);
