import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE } from '#platform/durations.ts';
import { projectRoot } from '#platform/project-root.ts';
import { freshDataDir } from '#tests/support/database/test-database.ts';
import { freePort } from '#tests/support/server/free-port.ts';
import { startProcess, type TestProcess } from '#tests/support/server/process.ts';

const MEGABYTE = 2 ** 20;
/** Bytes that were ever written to the log, and those since the checkpoint at which a start after a killed process begins. */
interface LogSize {
  written: number;
  toReplay: number;
}

const HOLD_ENGINE = pathToFileURL(join(projectRoot, 'tests/support/server/hold-engine.ts')).href;
/** The environment of a server whose embedded database takes until then to start. */
const slowToRecover = (untilFile: string): Record<string, string> => ({
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${HOLD_ENGINE}`,
  HOLD_ENGINE_UNTIL: untilFile,
});

let dataDir: string;
let children: TestProcess[] = [];

beforeEach(async () => {
  dataDir = await freshDataDir();
});
afterEach(async () => {
  await Promise.all(children.map((child) => child.end('SIGKILL')));
  children = [];
  rmSync(dataDir, { recursive: true, force: true });
});

function start(environment: Record<string, string> = {}): TestProcess {
  const child = startProcess('tests/support/server/minimal-server.ts', {
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    SCHEMA: 'own',
    ...environment,
  });
  children.push(child);
  return child;
}
async function started(environment: Record<string, string> = {}): Promise<TestProcess & { url: string }> {
  const child = start(environment);
  // Migrating a new database is most of a test's work where it is part of it.
  const [, port] = await child.waitForOutput(/"listening":(\d+)/, 120_000);
  return { ...child, url: `http://127.0.0.1:${port}` };
}
const names = async (url: string) => (await (await fetch(`${url}/names`)).json()) as string[];
const write = (url: string, name: string) => fetch(`${url}/write?name=${name}`, { method: 'POST' });

describe('one embedded database and several processes', () => {
  it('a second server is rejected with instructions, and the first one keeps running', async () => {
    const first = await started();
    const second = start();
    expect(await second.end()).toBe(3);
    expect(second.output()).toContain(`in use by process ${first.process.pid}`);
    expect(second.output()).toContain('DATABASE_URL');
    expect((await write(first.url, 'after')).status).toBe(200);
  });

  it('a command works through the running server, and both see what the other committed', async () => {
    const server = await started();
    const command = await started({ SHARE: 'on' });
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => write(n % 2 ? server.url : command.url, `row-${n}`)),
    );
    const expected = Array.from({ length: 40 }, (_, n) => `row-${n}`).toSorted();
    for (const { url } of [server, command]) expect((await names(url)).toSorted()).toEqual(expected);
    expect(await command.end('SIGTERM')).toBe(0);
    expect((await write(server.url, 'later')).status).toBe(200);
  });

  it('when two servers start at once on a new folder, exactly one wins and nothing is corrupted', async () => {
    rmSync(join(dataDir, 'database'), { recursive: true });
    const both = [start(), start()];
    const results = await Promise.all(
      both.map((child) =>
        child.waitForOutput(/"listening":(\d+)/).then(
          ([, port]) => port,
          () => null,
        ),
      ),
    );
    const ports = results.filter((port) => port !== null);
    expect(ports).toHaveLength(1);
    const url = `http://127.0.0.1:${ports[0]}`;
    await write(url, 'first');
    expect(await names(url)).toEqual(['first']);
  });

  it('the lock of a dead process does not block the next one', async () => {
    const first = await started();
    await first.end('SIGKILL');
    expect(existsSync(join(dataDir, 'database.lock'))).toBe(true);
    const second = await started();
    expect((await write(second.url, 'again')).status).toBe(200);
    expect(await second.end('SIGTERM')).toBe(0);
    expect(existsSync(join(dataDir, 'database.lock'))).toBe(false);
  });

  it('when several servers find the lock of a dead process, exactly one wins', async () => {
    await (await started()).end('SIGKILL');
    const results = await Promise.all(
      [1, 2, 3].map(async () => {
        const child = start();
        return (await child.waitForOutput(/"listening":\d+|in use by process/))[0];
      }),
    );
    expect(results.filter((text) => text.includes('listening'))).toHaveLength(1);
  });

  it('a lock is valid only for the process that created it', async () => {
    const lock = join(dataDir, 'database.lock');
    const claim = { pid: process.pid, began: '', host: hostname(), socketFolder: join(dataDir, 'gone') };
    const taken = async () => {
      const child = await started();
      expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: child.process.pid });
      await child.end('SIGTERM');
    };
    // The process id is in use, but by another process than the one that created the lock.
    writeFileSync(lock, JSON.stringify(claim));
    await taken();
    // Another machine uses the same folder and was active a moment ago.
    writeFileSync(lock, JSON.stringify({ ...claim, host: 'other.example' }));
    const turnedAway = start();
    expect(await turnedAway.end()).toBe(3);
    expect(turnedAway.output()).toContain(`in use by process ${process.pid}`);
    // The other machine has been silent for too long to be alive.
    const past = new Date(Date.now() - MINUTE);
    utimesSync(lock, past, past);
    await taken();
    writeFileSync(lock, '{"pid":');
    await taken();
  });
});

describe('a killed process', () => {
  it('keeps every commit that it acknowledged', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 4; round++) {
      const child = await started();
      const present = new Set(await names(child.url));
      expect(acknowledged.filter((name) => !present.has(name))).toEqual([]);
      let alive = true;
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let n = 0; alive; n++) {
          const name = `r${round}-w${writer}-${n}`;
          const answer = await write(child.url, name).catch(() => null);
          if (answer?.status === 200) acknowledged.push(name);
        }
      });
      const enough = acknowledged.length + 11 + Math.floor(Math.random() * 30);
      await vi.waitFor(() => expect(acknowledged.length).toBeGreaterThan(enough), {
        timeout: 10_000,
        interval: 5,
      });
      await child.end('SIGKILL');
      alive = false;
      await Promise.all(writers);
    }
    const last = await started();
    const present = new Set(await names(last.url));
    expect(acknowledged.length).toBeGreaterThan(40);
    expect(acknowledged.filter((name) => !present.has(name))).toEqual([]);
  }, 240_000);

  it('leaves a log of a bounded size, from which the next start recovers', async () => {
    const server = await started();
    const log = async () => (await (await fetch(`${server.url}/log`)).json()) as LogSize;
    const before = await log();
    for (let count = 0; count < 20; count += 1) await fetch(`${server.url}/grow`, { method: 'POST' });
    await write(server.url, 'last');
    // What the next start will replay. It is looked at once a second, and that of an idle database only after half a minute.
    await vi.waitFor(async () => expect((await log()).toReplay).toBeLessThan(64 * MEGABYTE), {
      timeout: 10_000,
      interval: 50,
    });
    // Six times as much was written.
    expect((await log()).written - before.written).toBeGreaterThan(384 * MEGABYTE);
    await server.end('SIGKILL');
    // Segments of 16 MB; without checkpoints there would be at least twenty-six.
    const segments = readdirSync(join(dataDir, 'database/pg_wal')).filter((name) =>
      /^[0-9A-F]{24}$/.test(name),
    );
    expect(segments.length).toBeLessThan(16);
    const next = await started();
    expect(await names(next.url)).toEqual(['last']);
  });

  it('says that it recovers when the next start takes a while', async () => {
    const port = await freePort();
    const letGo = join(dataDir, 'let-go');
    const server = startProcess('build/server/index.js', {
      DATA_DIR: dataDir,
      DEMO: 'off',
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ...slowToRecover(letGo),
    });
    children.push(server);
    await server.waitForOutput(/"msg":"the embedded database is recovering, which can take a while"/);
    await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow();
    writeFileSync(letGo, '');
    await server.waitForOutput(/Acre Trading Post is at/, 60_000);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    expect(server.output().match(/is recovering/g)).toHaveLength(1);
  });

  it('leaves nothing behind that breaks the next start when killed during its first initialisation', async () => {
    rmSync(join(dataDir, 'database'), { recursive: true });
    const inData = (name: string) => join(dataDir, name);
    const stages: ((pid: string, since: number) => boolean)[] = [
      (pid) => readFileSync(inData('database.lock'), 'utf8').includes(pid),
      (_, since) => statSync(inData('database.new')).birthtimeMs >= since,
      () => existsSync(inData('database')),
    ];
    for (const reached of stages) {
      const since = Date.now();
      const child = start({ SCHEMA: 'product' });
      const pid = String(child.process.pid);
      await vi.waitFor(() => expect(reached(pid, since)).toBe(true), { timeout: 60_000, interval: 2 });
      await child.end('SIGKILL');
    }
    const survivor = await started({ SCHEMA: 'product' });
    expect(await (await fetch(`${survivor.url}/readyz`)).json()).toMatchObject({
      ready: true,
      migrated: true,
    });
  }, 240_000);
});

describe('a stopped process', () => {
  it('finishes pending requests, closes its streams and exits with 0', async () => {
    const child = await started({ SCHEMA: 'product' });
    const slow = fetch(`${child.url}/slow`).then((answer) => answer.text());
    const { body } = await fetch(`${child.url}/events`);
    const events = body?.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
    for (let text = ''; !text.includes('"type":"ready"'); ) {
      const piece = await events?.next();
      expect(piece?.done).toBe(false);
      text += piece?.value;
    }
    await child.waitForOutput(/a slow request has arrived/);
    const ended = child.end('SIGTERM');
    expect(await slow).toBe('finished');
    while (!(await events?.next())?.done);
    // Stopped at the deadline it would end with 1, and a stream that is cut fails above.
    expect(await ended).toBe(0);
    await expect(fetch(`${child.url}/names`)).rejects.toThrow();
  });

  it('serves on until the balancer has noticed that it is not ready anymore', async () => {
    const server = await started({ DRAIN_SECONDS: '5', SCHEMA: 'product' });
    const began = performance.now();
    const exit = server.end('SIGTERM');
    await vi.waitFor(async () => expect((await fetch(`${server.url}/readyz`)).status).toBe(503), {
      timeout: 4_000,
      interval: 10,
    });
    const statuses: number[] = [];
    for (let n = 0; n < 20; n++) statuses.push((await fetch(`${server.url}/names`)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await exit).toBe(0);
    expect(performance.now() - began).toBeGreaterThan(5_000);
    await expect(fetch(`${server.url}/names`)).rejects.toThrow();
  });

  it('reports ready until then, and a second one names the port that is in use', async () => {
    const child = await started({ SCHEMA: 'product' });
    const ready = await fetch(`${child.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { ready: true, database: 'reachable', migrated: true },
    ]);
    expect(await (await fetch(`${child.url}/healthz`)).json()).toEqual({ status: 'ok' });
    const other = await freshDataDir();
    const second = start({ DATA_DIR: other, PORT: new URL(child.url).port });
    expect(await second.end()).toBe(1);
    expect(second.output()).toContain(`Port ${new URL(child.url).port} is in use`);
    rmSync(other, { recursive: true, force: true });
  });
});
