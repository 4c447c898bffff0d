import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { projectRoot } from '#platform/project-root.ts';
import { build, isBuilt } from '../../scripts/build.mjs';

const PORT = Number(process.env.BENCH_PORT ?? 3149);
const READY_WITHIN_MS = 120_000;
const DEMO_DATABASE = 'acre_bench_demo';

export const origin = `http://127.0.0.1:${PORT}`;

/** A temporary folder for one server's data; `remove` deletes it. */
export function temporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'acre-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Builds the application if sources have changed since the last build. */
export async function ensureBuilt(): Promise<void> {
  if (!isBuilt()) await build();
}

interface RunningServer {
  pid: number;
  /** milliseconds from the command to the first successful response of /readyz */
  readyAfter: number;
  stop(): Promise<void>;
  /** as a power cut would: nothing is written anymore */
  kill(): Promise<void>;
}

/**
 * Starts a server and waits until it is ready.
 * @param command what to run in the project folder
 * @param dataDir folder for its data; with `databaseUrl` only for its files
 * @throws Error with the server's last output when it does not become ready
 */
export async function startAppServer(
  command: readonly [string, ...string[]],
  dataDir: string,
  databaseUrl?: string,
): Promise<RunningServer> {
  const { DATABASE_URL: _database, NODE_ENV: _mode, ...inherited } = process.env;
  const started = performance.now();
  const child = spawn(command[0], command.slice(1), {
    cwd: projectRoot,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...inherited,
      PORT: String(PORT),
      DATA_DIR: dataDir,
      DEMO: 'on',
      LIMITS: 'relaxed',
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      ACRE_UNDECLARED: 'on',
      // As the start script sets it.
      MALLOC_MMAP_THRESHOLD_: '1000000',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (output += piece));
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() - started > READY_WITHIN_MS) {
      await stopGroup(child);
      throw new Error(`The server did not become ready:\n${output.slice(-2_000)}`);
    }
    await wait(10);
  }
  return {
    pid: child.pid ?? 0,
    readyAfter: performance.now() - started,
    stop: () => stopGroup(child),
    kill: () => stopGroup(child, 'SIGKILL'),
  };
}

/** The built server itself, without npm around it. */
export const builtServer: readonly [string, ...string[]] = [process.execPath, 'build/server/index.js'];

const isReady = () =>
  fetch(`${origin}/readyz`).then(
    (answer) => answer.ok,
    () => false,
  );

/** Stops the whole process group, since npm does not reliably pass signals on. */
async function stopGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('close', resolve));
  process.kill(-child.pid, signal);
  await ended;
}

/** Creates a fresh database for the demo data. */
export async function demoDatabase(serverUrl: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const run = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  const drop = `drop database if exists ${DEMO_DATABASE} with (force)`;
  await run(drop, `create database ${DEMO_DATABASE} template template0`);
  const url = new URL(serverUrl);
  url.pathname = `/${DEMO_DATABASE}`;
  return { url: url.href, drop: () => run(drop) };
}

/** CPU milliseconds used so far by the process, and by its thread with the embedded database (Linux). */
export function processorTime(pid: number): { all: number; database: number } {
  const time = { all: 0, database: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const folder = `/proc/${pid}/task/${thread}`;
    const milliseconds = Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    time.all += milliseconds;
    if (readFileSync(`${folder}/comm`, 'utf8').trim() === 'WorkerThread') time.database += milliseconds;
  }
  return time;
}

/** Requests a page `count` times over two keep-alive connections; returns the body size of one response. */
export async function requestRepeatedly(
  path: string,
  headers: OutgoingHttpHeaders,
  count: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  let left = count;
  let bytes = 0;
  const worker = async () => {
    while (left-- > 0) bytes = await requestOnce(path, headers, agent);
  };
  await Promise.all([worker(), worker()]);
  agent.destroy();
  return bytes;
}

const requestOnce = (path: string, headers: OutgoingHttpHeaders, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    get(`${origin}${path}`, { agent, headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (piece: Buffer) => {
        bytes += piece.length;
      });
      answer.once('end', () =>
        answer.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path}: ${answer.statusCode}`)),
      );
    }).once('error', reject);
  });
