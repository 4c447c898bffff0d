import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { freshDataDir } from '#tests/support/database.ts';
import { type Child, startProcess } from '#tests/support/process.ts';

let dataDir: string;
let children: Child[] = [];

beforeEach(async () => {
  dataDir = await freshDataDir();
});
afterEach(async () => {
  await Promise.all(children.map((child) => child.end('SIGKILL')));
  children = [];
  rmSync(dataDir, { recursive: true, force: true });
});

function start(environment: Record<string, string> = {}): Child {
  const child = startProcess('tests/support/small-process.ts', {
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    ...environment,
  });
  children.push(child);
  return child;
}
async function started(environment: Record<string, string> = {}): Promise<Child & { url: string }> {
  const child = start(environment);
  const [, port] = await child.printed(/"listening":(\d+)/);
  return { ...child, url: `http://127.0.0.1:${port}` };
}
const names = async (url: string) => (await (await fetch(`${url}/names`)).json()) as string[];
const write = (url: string, name: string) => fetch(`${url}/write?name=${name}`, { method: 'POST' });

describe('one embedded database, several processes', () => {
  it('a second server is turned away with what to do, and the first one goes on', async () => {
    const first = await started();
    const second = start();
    expect(await second.end()).toBe(3);
    expect(second.output()).toContain(`in use by process ${first.process.pid}`);
    expect(second.output()).toContain('DATABASE_URL');
    expect((await write(first.url, 'after')).status).toBe(200);
  });

  it('a command works through the running server, and each sees what the other committed', async () => {
    const server = await started();
    const command = await started({ SHARE: 'on' });
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => write(n % 2 ? server.url : command.url, `row-${n}`)),
    );
    const expected = Array.from({ length: 40 }, (_, n) => `row-${n}`).toSorted();
    for (const { url } of [server, command])
      expect((await names(url)).filter((name) => name.startsWith('row-')).toSorted()).toEqual(expected);
    expect(await command.end('SIGTERM')).toBe(0);
    expect((await write(server.url, 'later')).status).toBe(200);
  });

  it('of two that start at once on a new folder exactly one wins, and nothing is broken', async () => {
    rmSync(join(dataDir, 'database'), { recursive: true });
    const both = [start(), start()];
    const results = await Promise.all(
      both.map((child) =>
        child.printed(/"listening":(\d+)/).then(
          ([, port]) => port,
          () => null,
        ),
      ),
    );
    const ports = results.filter((port) => port !== null);
    expect(ports).toHaveLength(1);
    expect(await names(`http://127.0.0.1:${ports[0]}`)).toHaveLength(4);
  });

  it('what a dead process left behind does not keep the next one out', async () => {
    const first = await started();
    await first.end('SIGKILL');
    expect(existsSync(join(dataDir, 'database.lock'))).toBe(true);
    const second = await started();
    expect((await write(second.url, 'again')).status).toBe(200);
    expect(await second.end('SIGTERM')).toBe(0);
    expect(existsSync(join(dataDir, 'database.lock'))).toBe(false);
  });

  it('of several that find the claim of a dead one at once exactly one wins', async () => {
    await (await started()).end('SIGKILL');
    const results = await Promise.all(
      [1, 2, 3].map(async () => {
        const child = start();
        return (await child.printed(/"listening":\d+|in use by process/))[0];
      }),
    );
    expect(results.filter((text) => text.includes('listening'))).toHaveLength(1);
  });

  it('a claim holds only for the very process that made it', async () => {
    const lock = join(dataDir, 'database.lock');
    const claim = { pid: process.pid, began: '', host: hostname(), socketFolder: join(dataDir, 'gone') };
    const taken = async () => {
      const child = await started();
      expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: child.process.pid });
      await child.end('SIGTERM');
    };
    // The number lives, but under it another program than the one that made the claim.
    writeFileSync(lock, JSON.stringify(claim));
    await taken();
    // Another machine on the same folder, at work a moment ago.
    writeFileSync(lock, JSON.stringify({ ...claim, host: 'other.example' }));
    const turnedAway = start();
    expect(await turnedAway.end()).toBe(3);
    expect(turnedAway.output()).toContain(`in use by process ${process.pid}`);
    // And silent for longer than a living one would be.
    const past = new Date(Date.now() - 60_000);
    utimesSync(lock, past, past);
    await taken();
    writeFileSync(lock, '{"pid":');
    await taken();
  });
});

describe('a killed process', () => {
  it('has kept every commit that it acknowledged', async () => {
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
  }, 60_000);

  it('during the very first initialisation leaves nothing that the next start stumbles over', async () => {
    rmSync(join(dataDir, 'database'), { recursive: true });
    for (const milliseconds of [300, 700, 1_200, 1_800]) {
      const child = start();
      await wait(milliseconds);
      await child.end('SIGKILL');
    }
    const survivor = await started();
    expect(await names(survivor.url)).toHaveLength(4);
  }, 60_000);
});

describe('a stopped process', () => {
  it('finishes what it was asked, closes its streams, and exits with 0', async () => {
    const child = await started();
    const slow = fetch(`${child.url}/slow`).then((answer) => answer.text());
    const stream = await fetch(`${child.url}/events`);
    const streamEnds = stream.text();
    await wait(100);
    const began = performance.now();
    const ended = child.end('SIGTERM');
    expect(await slow).toBe('finished');
    expect(await streamEnds).toContain('"type":"ready"');
    expect(await ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(3_000);
    await expect(fetch(`${child.url}/names`)).rejects.toThrow();
  });

  it('is ready until then, and says which port is taken', async () => {
    const child = await started();
    const ready = await fetch(`${child.url}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { ready: true, database: 'reachable', migrated: true },
    ]);
    expect(await (await fetch(`${child.url}/healthz`)).json()).toEqual({ status: 'ok' });
    const other = mkdtempSync(join(tmpdir(), 'acre-process-'));
    const second = start({ DATA_DIR: other, PORT: new URL(child.url).port });
    expect(await second.end()).toBe(1);
    expect(second.output()).toContain(`Port ${new URL(child.url).port} is in use`);
    rmSync(other, { recursive: true, force: true });
  });
});
