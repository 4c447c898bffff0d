import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Log } from '../log.ts';
import { registry } from '../metrics.ts';

type Fetch = Parameters<typeof getRequestListener>[0];

export interface Listening {
  server: Server;
  port: number;
  /** Takes no new request, lets running ones finish for up to `patienceMs`, then cuts what is left. */
  close(patienceMs?: number): Promise<void>;
}

/** The address cannot be listened on; the text says what to do. */
export class AddressUnavailable extends Error {
  override name = 'AddressUnavailable';
}

/**
 * Serves a fetch handler over HTTP.
 * @param port 0 for any free one
 * @throws AddressUnavailable
 */
export async function listen(
  fetch: Fetch,
  { port, host }: { port: number; host: string },
): Promise<Listening> {
  const server = createServer({ requestTimeout: 120_000 }, getRequestListener(fetch));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(understandable(error, port, host)));
    server.listen(port, host, resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: (patienceMs = 5_000) => closeServer(server, patienceMs),
  };
}

/** Serves `GET /metrics` for Prometheus on a port of its own, so that the public one never shows them. */
export function listenForMetrics(address: { port: number; host: string }): Promise<Listening> {
  return listen(async (request) => {
    if (new URL(request.url).pathname !== '/metrics') return new Response('Not found\n', { status: 404 });
    return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
  }, address);
}

function understandable(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === 'EADDRINUSE')
    return new AddressUnavailable(`Port ${port} is in use. Stop what uses it, or set PORT to another one.`);
  if (error.code === 'EACCES')
    return new AddressUnavailable(`Port ${port} needs more rights. Set PORT to one above 1023.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new AddressUnavailable(`${host} is no address of this machine. Set HOST to one that is.`);
  return error;
}

async function closeServer(server: Server, patienceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection whose request ends during this time would otherwise stay open for the next one.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}

const DEADLINE_MS = 9_500;
const REPEATED_AFTER_MS = 1_000;

/**
 * Runs `stop` on SIGTERM, SIGINT and SIGHUP and then exits with 0, within 10 seconds in any case. A fault that
 * nothing caught is logged and stops the process the same way, with 1.
 */
export function stopOnSignal(log: Log, stop: () => Promise<void>): void {
  let stoppingSince: number | null = null;
  const stopWith = (code: number) => {
    if (stoppingSince !== null) {
      // A terminal and a parent process may both pass on one Ctrl-C; only a later one is meant.
      if (performance.now() - stoppingSince > REPEATED_AFTER_MS) process.exit(130);
      return;
    }
    stoppingSince = performance.now();
    setTimeout(() => {
      log.error('stopping took too long');
      process.exit(1);
    }, DEADLINE_MS).unref();
    stop().then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      log.info({ signal }, 'stopping');
      stopWith(0);
    });
  }
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(fault, (error) => {
      log.error({ err: error }, fault);
      stopWith(1);
    });
  }
}
