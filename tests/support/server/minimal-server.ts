import { Hono } from 'hono';
import { sql } from 'kysely';
import { readConfig } from '#platform/config.ts';
import { visitor } from '#platform/context.ts';
import { openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import { DatabaseInUse } from '#platform/errors.ts';
import { EventHub } from '#platform/events/hub.ts';
import { EventStreams } from '#platform/events/stream.ts';
import type { HttpEnv } from '#platform/http/environment.ts';
import { addHealth, Readiness } from '#platform/http/health.ts';
import { listen, stopOnSignal } from '#platform/http/serve.ts';
import { createLog } from '#platform/log.ts';

// A minimal server for tests that kill, stop or restart a process: the platform alone, without pages.
//   POST /write?name=…  responds once the row is committed       GET /names   all rows
//   POST /grow          writes about 22 MB of log                GET /log     how long the log is
//   GET /slow           says so, responds half a second later    GET /events  an event stream
// With SCHEMA=own it neither migrates nor streams: most of these tests are about the folder and the process, whatever is stored.

const config = readConfig();
const log = createLog(config.logLevel);
const db = await openDatabase({
  url: config.databaseUrl,
  dataDir: config.dataDir,
  mayShare: process.env.SHARE === 'on',
}).catch((error: unknown) => {
  if (!(error instanceof DatabaseInUse)) throw error;
  console.error(error.message);
  return process.exit(3);
});
const hasOwnSchema = process.env.SCHEMA === 'own';
if (!hasOwnSchema) await migrate(db);
await sql`create table if not exists written_names (name text)`.execute(db.q());
const hub = new EventHub(db, log);
if (!hasOwnSchema) await hub.start();
const streams = new EventStreams(hub, log);
const readiness = new Readiness(db);

const app = new Hono<HttpEnv>();
addHealth(app, readiness);
app.post('/write', async (c) => {
  const name = c.req.query('name') ?? '';
  await db.tx(() => sql`insert into written_names values (${name})`.execute(db.q()));
  return c.text('committed');
});
app.post('/grow', async (c) => {
  await sql`create table if not exists grown (body text)`.execute(db.q());
  // About 22 MB of log.
  await sql`insert into grown select repeat('x', 640) from generate_series(1, 30000)`.execute(db.q());
  return c.text('grown');
});
app.get('/log', async (c) => {
  const { rows } = await sql<{ written: number; toReplay: number }>`
    select (pg_current_wal_insert_lsn() - '0/0')::float8 as written,
      (pg_current_wal_insert_lsn() - redo_lsn)::float8 as "toReplay" from pg_control_checkpoint()`.execute(
    db.q(),
  );
  return c.json(rows[0]);
});
app.get('/names', async (c) => {
  const { rows } = await sql<{ name: string }>`select name from written_names`.execute(db.q());
  return c.json(rows.map(({ name }) => name));
});
app.get('/slow', async (c) => {
  console.log('a slow request has arrived');
  await new Promise((resolve) => setTimeout(resolve, 500));
  return c.text('finished');
});
app.get('/events', (c) =>
  streams.respond(c, { actor: visitor, ip: null }, async () => ({ current: true, endsAt: null })),
);

const listening = await listen(app.fetch, config);
stopOnSignal(log, {
  drainMs: config.drainSeconds * 1_000,
  leave: () => readiness.stop(),
  async stop() {
    streams.closeAll();
    await listening.close();
    if (!hasOwnSchema) await hub.stop();
    await db.close();
  },
});
console.log(JSON.stringify({ listening: listening.port }));
