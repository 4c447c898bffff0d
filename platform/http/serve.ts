import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { SECOND } from '../durations.ts';
import type { Log } from '../log.ts';
import { connectionsDropped, measureEventLoop, registry } from '../metrics.ts';

type Fetch = Parameters<typeof getRequestListener>[0];

export interface Listening {
  server: Server;
  port: number;
  /** Stops accepting requests, lets running ones finish for up to `gracePeriodMs`, then closes all connections. */
  close(gracePeriodMs?: number): Promise<void>;
}

/** Listening on the address failed; the message says what to do. */
export class AddressUnavailable extends Error {
  override name = 'AddressUnavailable';
}

interface ListenOptions {
  /** 0 for any free port */
  port: number;
  host: string;
  /** connections beyond it are closed at once; without it only the system limits them */
  maxConnections?: number | undefined;
  /** a client that has not sent its headers by then is cut off */
  headersTimeoutMs?: number;
  /** how long a connection without a request is kept */
  keepAliveMs?: number;
}

const REQUEST_TIMEOUT_MS = 120 * SECOND;
const HEADERS_TIMEOUT_MS = 15 * SECOND;
const KEEP_ALIVE_MS = 5 * SECOND;
/**
 * How long a connection without a request is kept behind a balancer: longer than balancers keep it, since a request that is sent into a
 * connection just being closed is lost.
 */
export const KEEP_ALIVE_OF_BALANCER_MS = 75 * SECOND;

/**
 * Serves a fetch handler over HTTP.
 * @throws AddressUnavailable
 */
export async function listen(
  fetch: Fetch,
  {
    port,
    host,
    maxConnections,
    headersTimeoutMs = HEADERS_TIMEOUT_MS,
    keepAliveMs = KEEP_ALIVE_MS,
  }: ListenOptions,
): Promise<Listening> {
  const respond = getRequestListener(fetch);
  const timeouts = {
    requestTimeout: REQUEST_TIMEOUT_MS,
    headersTimeout: headersTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: headersTimeoutMs / 3,
  };
  const server = createServer(timeouts, (request, response) => {
    // Only HTTP/1.0 comes without, which is how simple health checks ask; the server itself refuses the rest.
    request.headers.host ??= 'localhost';
    void respond(request, response);
  });
  if (maxConnections !== undefined) server.maxConnections = maxConnections;
  server.on('drop', () => connectionsDropped.inc());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(describeListenError(error, port, host)));
    server.listen(port, host, resolve);
  });
  return {
    server,
    port: (server.address() as AddressInfo).port,
    close: (gracePeriodMs = 5_000) => closeServer(server, gracePeriodMs),
  };
}

/** Serves `GET /metrics` for Prometheus on a separate port, so that they are never public. */
export function listenForMetrics(address: { port: number; host: string }): Promise<Listening> {
  measureEventLoop();
  return listen(async (request) => {
    if (new URL(request.url).pathname !== '/metrics') return new Response('Not found\n', { status: 404 });
    return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
  }, address);
}

function describeListenError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === 'EADDRINUSE')
    return new AddressUnavailable(`Port ${port} is in use. Stop what uses it, or set PORT to another one.`);
  if (error.code === 'EACCES')
    return new AddressUnavailable(`Port ${port} needs more rights. Set PORT to one above 1023.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new AddressUnavailable(`${host} is no address of this machine. Set HOST to one that is.`);
  return error;
}

async function closeServer(server: Server, gracePeriodMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Otherwise a keep-alive connection whose request ends meanwhile would stay open.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const cut = setTimeout(() => server.closeAllConnections(), gracePeriodMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}

/** Stopping may take this long, with the time for which the balancer is waited. */
const DEADLINE_MS = 9_500;
const REPEAT_SIGNAL_AFTER_MS = 1_000;

interface Stopping {
  /** ends the process's work; afterwards it exits */
  stop: () => Promise<void>;
  /** called at once on SIGTERM: from now on the balancer should send requests elsewhere */
  leave: () => void;
  /** for how long requests are still served after SIGTERM, until the balancer has noticed; part of the ten seconds */
  drainMs: number;
}

/**
 * Runs `stop` on SIGTERM, SIGINT and SIGHUP and then exits with 0, after 10 seconds at the latest. SIGTERM, which process managers
 * send, first leaves the balancer. An uncaught error is logged and stops the process at once, with 1.
 */
export function stopOnSignal(log: Log, { stop, leave, drainMs }: Stopping): void {
  let stoppingSince: number | null = null;
  const stopWith = (code: number, waitMs = 0) => {
    if (stoppingSince !== null) {
      // A terminal and a parent process may both forward one Ctrl-C; only a later one counts as a second.
      if (performance.now() - stoppingSince > REPEAT_SIGNAL_AFTER_MS) process.exit(130);
      return;
    }
    stoppingSince = performance.now();
    setTimeout(() => {
      log.error('stopping took too long');
      process.exit(1);
    }, DEADLINE_MS).unref();
    leave();
    pause(waitMs)
      .then(stop)
      .then(
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
      stopWith(0, signal === 'SIGTERM' ? drainMs : 0);
    });
  }
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(fault, (error) => {
      log.error({ err: error }, fault);
      stopWith(1);
    });
  }
}
