import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '#platform/db/database.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { freshDataDir } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { startServer } from '#tests/support/server/server.ts';

const mail = { subject: 'Your house', text: 'Hello', html: '<p>Hello</p>' };
const silent = new Set<Socket>();
let dataDir: string;
let mailServer: Server;
beforeEach(async () => {
  dataDir = await freshDataDir();
  mailServer = createServer((socket) => silent.add(socket.on('error', () => undefined)));
  await once(mailServer.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  for (const socket of silent) socket.destroy();
  mailServer.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Begins a request whose body never ends; it is under way once the server has asked for that body. */
async function endlessRequest(url: string): Promise<void> {
  const { port, host, origin } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
  silent.add(socket);
  socket.write(
    `POST /buyer/login HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Length: 99\r\n` +
      'Content-Type: application/x-www-form-urlencoded\r\nExpect: 100-continue\r\n\r\n',
  );
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 100 /);
}

it('a server that is stopped in the middle of a job and a request that take longer gives back the one, cuts the other, and ends in time', async () => {
  const before = await openDatabase({ dataDir });
  const ctx = testContext(before, { now: () => new Date() });
  await queueMail(ctx, { ...mail, idempotencyKey: 'slow', to: { address: 'bea@example.test' } });
  await before.close();

  const { port } = mailServer.address() as AddressInfo;
  const connected = once(mailServer, 'connection');
  const server = await startServer({
    DATA_DIR: dataDir,
    DEMO: 'off',
    // The most that is taken.
    DRAIN_SECONDS: '6',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'no-reply@acre.test',
  });
  await connected;
  await endlessRequest(server.url);
  expect(await server.stop(), server.output()).toBe(0);

  const after = await openDatabase({ dataDir });
  const { rows } = await after.pool.query(`select state from pgboss.job where name = 'mail.deliver'`);
  await after.close();
  expect(rows).toEqual([{ state: 'retry' }]);
});
