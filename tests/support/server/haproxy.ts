import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { projectRoot } from '#platform/project-root.ts';
import { freePort } from './free-port.ts';
import { installed } from './installed.ts';

/** HAProxy with the configuration of `deploy/`. */
export interface Balancer {
  /** origin without a trailing slash */
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export const haproxy = installed('haproxy');

/**
 * Starts HAProxy before two servers.
 * @param ports where on this machine the servers listen, or will
 * @throws Error with its output when it does not start
 */
export async function startHaproxy(ports: readonly [number, number]): Promise<Balancer> {
  if (!haproxy) throw new Error('HAProxy is needed');
  const port = await freePort();
  const [one, two] = ports;
  const child = spawn(haproxy, ['-db', '-f', join(projectRoot, 'deploy/haproxy.cfg')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      HAPROXY_BIND: `127.0.0.1:${port}`,
      MARKET_ONE: `127.0.0.1:${one}`,
      MARKET_TWO: `127.0.0.1:${two}`,
      MARKET_PROTO: 'http',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  for (const deadline = Date.now() + 10_000; ; await wait(20)) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break;
    if (child.exitCode === null && Date.now() < deadline) continue;
    kill();
    throw new Error(`HAProxy did not start:\n${output}`);
  }
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      process.off('exit', kill);
      kill();
      await ended;
    },
  };
}
