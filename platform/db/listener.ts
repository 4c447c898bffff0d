import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { SECOND } from '../durations.ts';
import type { Servers } from './servers.ts';

const RETRY_MS = 200;
/** How often a sign of life is asked for, and how long it may take: a silent network closes no connection. */
const HEARTBEAT_MS = 15 * SECOND;
const HEARTBEAT_TIMEOUT_MS = 5 * SECOND;

/**
 * A dedicated session for LISTEN, opened with the first channel. It reconnects automatically and then emits 'resync',
 * because notifications sent in the meantime are lost.
 */
export function listenOn(servers: Servers, channels: EventEmitter) {
  const wanted = new Set<string>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: await servers.choose(),
      keepAlive: true,
      connectionTimeoutMillis: HEARTBEAT_TIMEOUT_MS,
      query_timeout: HEARTBEAT_TIMEOUT_MS,
      application_name: 'acre-listen',
    });
    client = next;
    next.on('notification', ({ channel, payload }) => channels.emit(channel, payload ?? ''));
    next.on('error', () => undefined);
    next.on('end', () => {
      servers.forget();
      reconnectSoon();
    });
    try {
      await next.connect();
      for (const channel of wanted) await next.query(`listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      next.end().catch(() => undefined);
      throw error;
    }
    const heartbeat = setInterval(() => {
      // Ending it with a query under way cuts the connection, which then is opened anew.
      next.query('select 1').catch(() => next.end());
    }, HEARTBEAT_MS).unref();
    next.on('end', () => clearInterval(heartbeat));
  }
  function reconnectSoon(): void {
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      connect().then(() => channels.emit('resync'), reconnectSoon);
    }, RETRY_MS);
    timer.unref();
  }
  return {
    async listen(channel: string): Promise<void> {
      wanted.add(channel);
      if (client) await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      else await connect();
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
