import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { projectRoot } from '#platform/project-root.ts';
import { freePort } from './free-port.ts';
import { startProcess } from './process.ts';

export interface TestServer {
  /** origin without a trailing slash */
  url: string;
  dataDir: string;
  pid: number;
  output(): string;
  /** Stops it as a process manager would; returns the exit code. Removes the data folder unless it was given. */
  stop(): Promise<number | string>;
  kill(): Promise<number | string>;
}

/**
 * Starts the built server on a free port unless PORT names one, with a new data folder unless one is given, and waits until it is ready.
 * @param environment changes to the environment of a plain `npm start`
 * @param folder where `build/` is, if not in the project
 * @throws Error with the server's output when it does not become ready
 */
export async function startServer(
  environment: Record<string, string> = {},
  folder = projectRoot,
  isShortLived = false,
): Promise<TestServer> {
  const entry = process.env.TEST_SERVER_ENTRY ?? 'build/server/index.js';
  if (!existsSync(join(folder, entry))) throw new Error('Nothing is built yet: run npm run build');
  const port = Number(environment.PORT) || (await freePort());
  const url = `http://localhost:${port}`;
  const dataDir = environment.DATA_DIR ?? mkdtempSync(join(tmpdir(), 'acre-server-'));
  const child = startProcess(
    entry,
    {
      NODE_ENV: 'production',
      ACRE_UNDECLARED: 'on',
      LOG_LEVEL: 'warn',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      ...environment,
    },
    [],
    folder,
    isShortLived,
  );
  const finish = async (signal: NodeJS.Signals) => {
    const code = await child.end(signal);
    if (!environment.DATA_DIR) rmSync(dataDir, { recursive: true, force: true });
    return code;
  };
  for (const deadline = Date.now() + 120_000; ; await wait(50)) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (ready?.ok) break;
    if (child.process.exitCode === null && child.process.signalCode === null && Date.now() < deadline)
      continue;
    await finish('SIGKILL');
    throw new Error(`The server did not become ready:\n${child.output()}`);
  }
  return {
    url,
    dataDir,
    pid: child.process.pid ?? 0,
    output: child.output,
    stop: () => finish('SIGTERM'),
    kill: () => finish('SIGKILL'),
  };
}
