import type { EventEmitter } from 'node:events';
import pg from 'pg';

const RETRY_MS = 200;

/**
 * A dedicated session for LISTEN, opened with the first channel. It reconnects automatically and then emits 'resync',
 * because notifications sent in the meantime are lost.
 */
export function listenOn(connection: pg.ClientConfig, channels: EventEmitter) {
  const wanted = new Set<string>();
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...connection, keepAlive: true, application_name: 'acre-listen' });
    client = next;
    next.on('notification', ({ channel, payload }) => channels.emit(channel, payload ?? ''));
    next.on('error', () => undefined);
    next.on('end', reconnectSoon);
    await next.connect();
    for (const channel of wanted) await next.query(`listen ${pg.escapeIdentifier(channel)}`);
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
