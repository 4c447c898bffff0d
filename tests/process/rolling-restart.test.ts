import { createServer, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { serverIsReachable } from '#tests/support/database/test-database.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

const CHECK_EVERY_MS = 100;
const CLIENTS = 4;

/** A balancer that sends each request to one of the servers that were ready lately, and tries none a second time. */
class Balancer {
  readonly #ready = new Map<TestServer, boolean>();
  readonly #server: Server = createServer((incoming, outgoing) =>
    this.#forward(incoming.url ?? '/', outgoing),
  );
  #next = 0;
  #checking = true;
  /** how many requests each server got */
  readonly served = new Map<TestServer, number>();

  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    void this.#check();
    return (this.#server.address() as AddressInfo).port;
  }

  add(server: TestServer): void {
    this.#ready.set(server, false);
  }

  isReady(server: TestServer): boolean {
    return this.#ready.get(server) ?? false;
  }

  async #check(): Promise<void> {
    while (this.#checking) {
      await Promise.all(
        [...this.#ready.keys()].map(async (server) => {
          const ready = await fetch(`${addressOf(server)}/readyz`).then(
            (answer) => answer.ok,
            () => false,
          );
          if (this.#ready.has(server)) this.#ready.set(server, ready);
        }),
      );
      await wait(CHECK_EVERY_MS);
    }
  }

  #forward(path: string, outgoing: ServerResponse): void {
    const ready = [...this.#ready].flatMap(([server, is]) => (is ? [server] : []));
    this.#next += 1;
    const server = ready[this.#next % Math.max(1, ready.length)];
    const fail = () => outgoing.writeHead(502).end();
    if (!server) return void fail();
    this.served.set(server, (this.served.get(server) ?? 0) + 1);
    request(`${addressOf(server)}${path}`, { agent: false, headers: { host: 'localhost' } }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502);
      answer.once('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    })
      .once('error', fail)
      .end();
  }

  async stop(): Promise<void> {
    this.#checking = false;
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

const addressOf = ({ url }: TestServer) => url.replace('localhost', '127.0.0.1');

const available = await serverIsReachable();

describe.skipIf(!available)('a rolling restart of two processes', () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  const running = new Set<TestServer>();
  const balancer = new Balancer();
  let origin: string;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    origin = `http://127.0.0.1:${await balancer.start()}`;
    for (const server of [await start(), await start()]) balancer.add(server);
  });
  afterAll(async () => {
    await balancer.stop();
    await Promise.all([...running].map((server) => server.stop()));
    await database.drop();
  });

  async function start(): Promise<TestServer> {
    const server = await startServer({
      DATABASE_URL: database.url,
      APP_SECRET: 'a secret for tests only, long enough for its check',
      // Long enough for a balancer that a busy machine keeps from checking.
      DRAIN_SECONDS: '5',
    });
    running.add(server);
    return server;
  }

  it('fails no request, though the balancer tries none twice', async () => {
    const before = [...running];
    await expect
      .poll(() => before.every((server) => balancer.isReady(server)), { timeout: 20_000 })
      .toBe(true);
    let restarting = true;
    const statuses = new Map<number, number>();
    const client = async () => {
      while (restarting) {
        const status = await fetch(`${origin}/properties`).then(
          async (answer) => {
            await answer.text();
            return answer.status;
          },
          () => 0,
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    const replacements: TestServer[] = [];
    for (const old of before) {
      expect(await old.stop()).toBe(0);
      running.delete(old);
      const replacement = await start();
      replacements.push(replacement);
      balancer.add(replacement);
      await expect.poll(() => balancer.served.get(replacement) ?? 0, { timeout: 20_000 }).toBeGreaterThan(5);
    }
    restarting = false;
    await Promise.all(clients);
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThan(20);
  });
});
