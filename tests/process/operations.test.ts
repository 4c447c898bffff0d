import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { bossFor } from '#platform/jobs/boss.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { defineJob } from '#platform/jobs/job.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { freshDataDir } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { startProcess } from '#tests/support/server/process.ts';

const job = defineJob<{ sale: string }>('test.close', { retries: 0 });
let dataDir: string;

/** Works on the database between two commands. */
async function withDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ dataDir });
  return work(db).finally(() => db.close());
}

beforeAll(async () => {
  dataDir = await freshDataDir();
  await withDatabase(async (db) => {
    const ctx = testContext(db, { now: () => new Date() });
    const mail = { subject: 'Your house', text: 'Hello', html: '<p>Hello</p>' };
    await queueMail(ctx, { ...mail, idempotencyKey: 'lost', to: { address: 'bea@example.test' } });
    await db.pool.query(
      `update mail_outbox set status = 'dead', attempts = 81, last_error = 'Error: nobody answers'`,
    );
    await db.pool.query(`delete from pgboss.job where name = 'mail.deliver'`);
    await enqueue(ctx, job, { sale: 'a sale' });
    const [taken] = await bossFor(db).fetch(job.name);
    await bossFor(db).fail(job.name, taken?.id ?? '', { message: 'the provider is away' });
  });
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function operations(...args: string[]): Promise<{ code: number | string; output: string }> {
  const child = startProcess('scripts/operations.ts', { DATA_DIR: dataDir }, args);
  const code = await child.end();
  return { code, output: child.output() };
}

it('lists what was given up, and has it tried again', async () => {
  const listed = await operations();
  expect(listed).toMatchObject({ code: 0, output: expect.stringContaining('Nothing waits.') });
  expect(listed.output).toContain("to bea@example.test, 'Your house', 81 attempts: Error: nobody answers");
  expect(listed.output).toContain('test.close {"sale":"a sale"}: the provider is away');
  const [, jobId = ''] = /^ {2}(\S+) {2}\S+ {2}test\.close/m.exec(listed.output) ?? [];

  expect(await operations('retry', 'mail', crypto.randomUUID())).toMatchObject({ code: 1 });
  expect(await operations('retry', 'everything')).toMatchObject({
    code: 1,
    output: expect.stringContaining('Usage: npm run operations'),
  });
  expect(await operations('retry', 'mail', 'all')).toMatchObject({
    code: 0,
    output: expect.stringContaining('1 mail will be tried again.'),
  });
  expect(await operations('retry', 'job', jobId)).toMatchObject({
    code: 0,
    output: expect.stringContaining('1 job will be tried again.'),
  });
  const after = await operations();
  expect(after.output).toContain('mail.deliver: 1');
  expect(after.output).toContain('test.close: 1');
  expect(after.output).toContain('No mail was given up.');
  expect(after.output).toContain('No job failed for good.');
});
