import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { freshDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { rawRequest } from '#tests/support/server/raw-request.ts';
import { jobSeconds, measureDatabase, measureQueues } from '../metrics.ts';
import { Readiness } from './health.ts';
import { AddressUnavailable, type Listening, listen, listenForMetrics } from './serve.ts';

const here = { port: 0, host: '127.0.0.1' };
let open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.map((one) => one.close(0)));
  open = [];
});
async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}
const opened = (one: Listening) => {
  open.push(one);
  return one;
};

it('says what to do when an address is unavailable', async () => {
  const first = opened(await listen(() => new Response('ok'), here));
  const again = listen(() => new Response('ok'), { port: first.port, host: '127.0.0.1' });
  await expect(again).rejects.toThrow(AddressUnavailable);
  await expect(again).rejects.toThrow(`Port ${first.port} is in use`);
  await expect(listen(() => new Response('ok'), { port: 0, host: '203.0.113.1' })).rejects.toThrow('HOST');
});

it('close lets running requests finish, and aborts those that take too long', async () => {
  /** A handler whose request has arrived, and finishes when told. */
  const held = () => {
    const [arrived, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const handler = async () => {
      arrived.resolve();
      await finish.promise;
      return new Response('finished');
    };
    return { handler, arrived: arrived.promise, finish: finish.resolve };
  };
  const slow = held();
  const patient = await listen(slow.handler, here);
  const answered = fetch(`http://127.0.0.1:${patient.port}/`).then((answer) => answer.text());
  await slow.arrived;
  const closed = patient.close();
  slow.finish();
  await closed;
  expect(await answered).toBe('finished');
  const endless = held();
  const hurried = await listen(endless.handler, here);
  const failed = expect(fetch(`http://127.0.0.1:${hurried.port}/`)).rejects.toThrow();
  await endless.arrived;
  await hurried.close(50);
  await failed;
});

it('answers a health check that speaks HTTP/1.0 without a host', async () => {
  const { port } = opened(await listen((request) => new Response(new URL(request.url).pathname), here));
  const bare = await rawRequest(port, Buffer.from('GET /healthz HTTP/1.0\r\n\r\n'), 5_000);
  expect(bare).toMatchObject({ status: 200, body: '/healthz' });
  const modern = await rawRequest(
    port,
    Buffer.from('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'),
    5_000,
  );
  expect(modern.status).toBe(400);
});

it('refuses connections beyond its limit, and serves again once there is room', async () => {
  const { port } = opened(await listen(() => new Response('ok'), { ...here, maxConnections: 2 }));
  const idle = await Promise.all([connected(port), connected(port)]);
  const third = await connected(port);
  await once(third, 'close');
  for (const socket of idle) socket.destroy();
  await expect
    .poll(
      () =>
        fetch(`http://127.0.0.1:${port}/`).then(
          (answer) => answer.status,
          () => 0,
        ),
      { timeout: 20_000 },
    )
    .toBe(200);
});

it('cuts off a client that does not finish its headers', async () => {
  const { port } = opened(await listen(() => new Response('ok'), { ...here, headersTimeoutMs: 90 }));
  const answer = await rawRequest(port, Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: '), 10_000);
  expect(answer.status).toBe(408);
});

it('keeps a connection without a request for as long as it is given', async () => {
  const [brief, patient] = [
    opened(await listen(() => new Response('ok'), { ...here, keepAliveMs: 100 })),
    opened(await listen(() => new Response('ok'), { ...here, keepAliveMs: 60_000 })),
  ];
  const closedBy = async ({ port }: Listening) => {
    const socket = await connected(port);
    const closed = once(socket.resume(), 'close');
    const answered = once(socket, 'data');
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await answered;
    return closed;
  };
  const longer = closedBy(patient).then(() => 'closed');
  await closedBy(brief);
  expect(await Promise.race([longer, 'open'])).toBe('open');
});

it('serves metrics on a separate port', async () => {
  const db = await freshDatabase('embedded');
  measureDatabase(db);
  measureQueues(db);
  jobSeconds.observe({ job: 'test.note', outcome: 'done' }, 0.25);
  const { port } = opened(await listenForMetrics(here));
  await testContext(db).db.q().selectFrom('property_types').select('id').execute();
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const text = await answer.text();
  expect(text).toContain('job_duration_seconds_count{job="test.note",outcome="done"} 1');
  expect(text).toMatch(/^database_connections_total 1$/m);
  for (const name of ['jobs_waiting', 'jobs_dead', 'mails_dead', 'mails_oldest_seconds'])
    expect(text).toMatch(new RegExp(`^${name} 0$`, 'm'));
  expect(text).toMatch(/^process_cpu_seconds_total [\d.]+$/m);
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  await db.close();
});

it('is ready while the database answers and until it is stopping', async () => {
  const db = await freshDatabase('embedded');
  const readiness = new Readiness(db);
  expect(await readiness.check()).toEqual({ ready: true, database: 'reachable', migrated: true });
  readiness.stop();
  expect(await readiness.check()).toMatchObject({ ready: false, database: 'reachable' });
  const other = new Readiness(db);
  await db.close();
  expect(await other.check()).toEqual({ ready: false, database: 'unreachable', migrated: false });
});
