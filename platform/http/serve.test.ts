import { afterEach, expect, it } from 'vitest';
import { testContext } from '#tests/support/context.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { jobSeconds, measurePool } from '../metrics.ts';
import { Readiness } from './health.ts';
import { AddressUnavailable, type Listening, listen, listenForMetrics } from './serve.ts';

const here = { port: 0, host: '127.0.0.1' };
let open: Listening[] = [];
afterEach(async () => {
  await Promise.all(open.map((one) => one.close(0)));
  open = [];
});
const opened = (one: Listening) => {
  open.push(one);
  return one;
};

it('says what to do about an address that cannot be had', async () => {
  const first = opened(await listen(() => new Response('ok'), here));
  const again = listen(() => new Response('ok'), { port: first.port, host: '127.0.0.1' });
  await expect(again).rejects.toThrow(AddressUnavailable);
  await expect(again).rejects.toThrow(`Port ${first.port} is in use`);
  await expect(listen(() => new Response('ok'), { port: 0, host: '203.0.113.1' })).rejects.toThrow('HOST');
});

it('closing lets a running request finish, and cuts one that takes too long', async () => {
  const slow = async () => {
    await new Promise((resolve) => setTimeout(resolve, 400));
    return new Response('finished');
  };
  const patient = await listen(slow, here);
  const answered = fetch(`http://127.0.0.1:${patient.port}/`).then((answer) => answer.text());
  await new Promise((resolve) => setTimeout(resolve, 100));
  await patient.close();
  expect(await answered).toBe('finished');
  const hurried = await listen(slow, here);
  const cut = fetch(`http://127.0.0.1:${hurried.port}/`);
  const failed = expect(cut).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 100));
  await hurried.close(50);
  await failed;
});

it('shows what the process measures on a port of its own', async () => {
  const db = await freshDatabase('embedded');
  measurePool(db);
  jobSeconds.observe({ job: 'test.note', outcome: 'done' }, 0.25);
  const { port } = opened(await listenForMetrics(here));
  await testContext(db).db.q().selectFrom('property_types').select('id').execute();
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const text = await answer.text();
  expect(text).toContain('job_duration_seconds_count{job="test.note",outcome="done"} 1');
  expect(text).toMatch(/^database_connections_total 1$/m);
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
