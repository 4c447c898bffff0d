import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { dropMessage } from '#features/payments/commands/drop-message.ts';
import { replayMessage } from '#features/payments/commands/replay-message.ts';
import { providerMessages } from '#features/payments/reads.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { SECOND } from '#platform/durations.ts';
import { bossFor } from '#platform/jobs/boss.ts';
import { DEAD_LETTERS, ensureQueue } from '#platform/jobs/enqueue.ts';
import { defineJob } from '#platform/jobs/job.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { dropJob } from './commands/drop-job.ts';
import { dropUnsentMail } from './commands/drop-unsent-mail.ts';
import { markBackup } from './commands/mark-backup.ts';
import { retryJobs } from './commands/retry-jobs.ts';
import { retryMails } from './commands/retry-mails.ts';
import { deadJobs, deadMails, systemState } from './reads.ts';

const exporting = defineJob('test.export');
const GONE = { ok: false, reason: 'gone' };
const NO_REASON = { ok: false, reason: 'no_reason' };

await describeOnDatabase('operations', (open) => {
  let db: Database;
  let admin: UserActor;
  let ctx: Ctx;
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
    ctx = testContext(db, { actor: admin });
    await ensureQueue(db, exporting);
  });
  beforeEach(async () => {
    await db.pool.query('delete from pgboss.job; delete from mail_outbox; delete from provider_events');
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  afterAll(() => db.close());

  const failJob = async (reason = 'The disk is full') => {
    // As every job has: without a key of its own, one waiting job excludes the next.
    const id = await bossFor(db).send(DEAD_LETTERS, { n: 1 }, { singletonKey: crypto.randomUUID() });
    await db.pool.query(
      `update pgboss.job set source_name = 'test.export', source_output = jsonb_build_object('message', $1::text)
        where id = $2`,
      [reason, id],
    );
    return id ?? '';
  };
  const failMail = async (subject: string) =>
    (
      await db
        .q()
        .insertInto('mail_outbox')
        .values({
          idempotency_key: crypto.randomUUID(),
          to_address: 'mary@example.test',
          subject,
          text_body: '',
          html_body: '',
          status: 'dead',
          last_error: 'Mailbox full',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  const audited = (entityId: string) =>
    db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'after'])
      .where('entity_id', '=', entityId)
      .orderBy('id')
      .execute();
  const waiting = async (name: string) =>
    (await db.pool.query(`select 1 from pgboss.job where name = $1 and state < 'active'`, [name])).rowCount;

  it('a failed job is run again once, whoever asks at the same time', async () => {
    const id = await failJob();
    expect((await deadJobs(ctx, { page: 1, job: 'test.export' })).rows).toMatchObject([
      { id, job: 'test.export', reason: 'The disk is full' },
    ]);
    expect((await deadJobs(ctx, { page: 1, job: 'another' })).rows).toEqual([]);
    // A page whose last row is gone is the one before it.
    expect(await deadJobs(ctx, { page: 2, job: 'test.export' })).toMatchObject({
      rows: [{ job: 'test.export' }],
      page: 1,
      more: false,
    });
    const answers = await Promise.all([retryJobs(ctx, { id }), retryJobs(ctx, { id })]);
    expect(answers).toContainEqual({ ok: true, count: 1 });
    expect(answers).toContainEqual(GONE);
    expect([await waiting(DEAD_LETTERS), await waiting('test.export')]).toEqual([0, 1]);
    expect(await audited(id)).toMatchObject([{ action: 'job.retry', actor_id: admin.id }]);
  });

  it('failed jobs are run again together, or dropped with a reason', async () => {
    const ids = [await failJob(), await failJob(), await failJob()];
    const [first = ''] = ids;
    expect(await dropJob(ctx, { id: first, reason: ' ' })).toEqual(NO_REASON);
    expect(await dropJob(ctx, { id: first, reason: 'The file is obsolete' })).toEqual({ ok: true, count: 1 });
    expect(await dropJob(ctx, { id: first, reason: 'Again' })).toEqual(GONE);
    expect(await dropJob(ctx, { id: 'made up', reason: 'Again' })).toEqual(GONE);
    expect(await audited(first)).toMatchObject([
      { action: 'job.drop', after: { reason: 'The file is obsolete' } },
    ]);
    expect(await retryJobs(ctx, { job: 'test.export' })).toEqual({ ok: true, count: 2 });
    expect(await retryJobs(ctx, { job: null })).toEqual(GONE);
  });

  it('an unsent email is sent again or dropped with a reason, and the audit log does not say to whom', async () => {
    const [kept, dropped] = [await failMail('Your receipt'), await failMail('Your invitation')];
    expect((await deadMails(ctx, { page: 1 })).rows).toHaveLength(2);
    expect(await dropUnsentMail(ctx, { id: dropped, reason: '' })).toEqual(NO_REASON);
    expect(await dropUnsentMail(ctx, { id: dropped, reason: 'Wrong address' })).toEqual({
      ok: true,
      count: 1,
    });
    expect(await dropUnsentMail(ctx, { id: dropped, reason: 'Twice' })).toEqual(GONE);
    expect(await retryMails(ctx, { id: dropped })).toEqual(GONE);
    expect(await retryMails(ctx, 'all')).toEqual({ ok: true, count: 1 });
    expect(await retryMails(ctx, { id: kept })).toEqual(GONE);
    const rows = [...(await audited(kept)), ...(await audited(dropped))];
    expect(rows.map(({ action }) => action)).toEqual(['mail.retry', 'mail.drop']);
    expect(JSON.stringify(rows)).not.toContain('example.test');
  });

  it('an unsent email of an erased account is not sent again, only dropped', async () => {
    const id = await failMail('Your receipt');
    await db
      .q()
      .updateTable('mail_outbox')
      .set({ erased_address: 'somebody@closed.invalid' })
      .where('id', '=', id)
      .execute();
    expect((await deadMails(ctx, { page: 1 })).rows).toMatchObject([{ id, subject: '' }]);
    expect(await retryMails(ctx, { id })).toEqual(GONE);
    expect(await retryMails(ctx, 'all')).toEqual(GONE);
    expect(await waiting('mail.deliver')).toBe(0);
    expect(await dropUnsentMail(ctx, { id, reason: 'Erased' })).toEqual({ ok: true, count: 1 });
  });

  it('unsent emails of erased accounts, however many, keep no other from being sent again', async () => {
    await failMail('Your receipt');
    await sql`
      insert into mail_outbox (idempotency_key, to_address, subject, text_body, html_body, status, created_at)
      select 'erased:' || n, 'somebody@closed.invalid', '', '', '', 'dead', now() + interval '1 day'
      from generate_series(1, 1000) n`.execute(db.q());
    expect(await retryMails(ctx, 'all')).toEqual({ ok: true, count: 1 });
    await db.q().deleteFrom('mail_outbox').where('idempotency_key', 'like', 'erased:%').execute();
  });

  it('provider messages are found by the sale, and processed again or dropped', async () => {
    const scenario = await createSaleScenario(db);
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    const { provider } = await db
      .q()
      .selectFrom('property_sales')
      .select('provider')
      .where('id', '=', saleId)
      .executeTakeFirstOrThrow();
    const message = async (values: { ref?: string; status?: 'dead' | 'processed' }) =>
      (
        await db
          .q()
          .insertInto('provider_events')
          .values({ provider, event_id: crypto.randomUUID(), event_type: 'paid', payload: '{}', ...values })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const mine = await message({ ref, status: 'processed' });
    const dead = await message({ ref: 'another', status: 'dead' });
    const search = async (q: string, status: 'dead' | null = null) =>
      (await providerMessages(ctx, { q, status, before: null })).messages.map(({ id }) => id);
    expect(await search('')).toEqual([dead, mine]);
    expect(await search(saleId)).toEqual([mine]);
    expect(await search(saleId.toUpperCase())).toEqual([mine]);
    expect(await search(crypto.randomUUID())).toEqual([]);
    expect(await search(String(dead))).toEqual([dead]);
    expect(await search(ref)).toEqual([mine]);
    expect(await search('', 'dead')).toEqual([dead]);
    const { messages } = await providerMessages(ctx, { q: '', status: null, before: dead });
    expect(messages).toMatchObject([{ id: mine, sale: { id: saleId }, status: 'processed' }]);

    const answers = await Promise.all([replayMessage(ctx, { id: mine }), replayMessage(ctx, { id: mine })]);
    expect(answers).toContainEqual({ ok: true });
    expect(answers).toContainEqual(GONE);
    expect(await replayMessage(ctx, { id: Number.NaN })).toEqual(GONE);
    expect(await dropMessage(ctx, { id: dead, reason: ' ' })).toEqual(NO_REASON);
    expect(await dropMessage(ctx, { id: dead, reason: 'Of another shop' })).toEqual({ ok: true });
    expect(await dropMessage(ctx, { id: dead, reason: 'Twice' })).toEqual(GONE);
    expect(await waiting('payments.messages')).toBeGreaterThan(0);
  });

  const never = () => new Promise<never>(() => undefined);

  it('the state of the system is told within three seconds, also when everything hangs', async () => {
    const hanging = { forMethod: () => ({ provider: 'stripe', livemode: true, check: never }) };
    const ports = { files: { check: never }, mailer: { check: never }, payments: hanging, payouts: hanging };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (const method of ['connect', 'query'] as const) vi.spyOn(db.pool, method).mockImplementation(never);
    vi.spyOn(db, 'ping').mockImplementation(never);
    const told = systemState({ ...ctx, ...ports } as unknown as Parameters<typeof systemState>[0]);
    await vi.advanceTimersByTimeAsync(3 * SECOND);
    const { items, ...rest } = await told;
    expect(items.filter(({ state }) => state === 'bad').length).toBeGreaterThan(5);
    expect(rest).toEqual({ queues: null, versions: null });
  });

  it('the state of the system is told also when a part hangs or fails', async () => {
    vi.spyOn(db, 'ping').mockResolvedValue();
    const ports = {
      files: { check: never },
      mailer: { check: () => Promise.reject(new Error('refused by smtp://user:secret@mail.test')) },
      payments: {
        forMethod: (method: string) => ({
          provider: `sandbox-${method}`,
          livemode: false,
          check: async () => undefined,
        }),
      },
      payouts: {
        forMethod: (method: string) =>
          method === 'stripe'
            ? {
                provider: 'stripe',
                livemode: true,
                check: () => Promise.reject(new Error('The key was revoked')),
              }
            : null,
      },
    };
    const config = {
      ...ctx.config,
      smtpUrl: 'smtp://user:secret@mail.test',
      clamavUrl: 'tcp://clamd.test:3310',
    };
    const malware = { check: () => Promise.reject(new Error('ClamAV did not answer')) };
    const full = { ...ctx, config, malware, ...ports } as unknown as Parameters<typeof systemState>[0];
    const { items, queues, versions } = await systemState(full);
    const states = Object.fromEntries(items.map(({ name, state, text }) => [name, `${state}: ${text}`]));
    expect(states).toMatchObject({
      Replica: 'off: Not configured: everything is read from the database.',
      'File storage': 'bad: No answer within 2.5 seconds.',
      Email: 'bad: Not reachable: refused by its address',
      'Malware scanner': 'bad: Not reachable: ClamAV did not answer',
      'Card payments': 'warn: Sandbox, in test mode: no real money moves.',
      'Stripe payouts': 'bad: Not reachable: The key was revoked',
      'PayPal payouts': 'off: Not configured: these payouts are made by hand.',
      'Last backup': 'off: No backup has been recorded yet.',
    });
    expect(states.Database).toMatch(/^ok: /);
    expect(queues).toEqual(expect.any(Array));
    expect(versions?.waiting).toEqual([]);
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(versions?.product).toMatch(new RegExp(`^${version}, (build [0-9a-f]{12}|not built)$`));

    const without = await systemState({ ...full, config: { ...config, clamavUrl: undefined } });
    expect(without.items).toContainEqual(expect.objectContaining({ name: 'Malware scanner', state: 'off' }));

    const system = testContext(db, { actor: { kind: 'system', name: 'operations' } });
    await markBackup(system, { note: 'Nightly dump' });
    const answering = {
      forMethod: (method: string) => ({ provider: method, livemode: true, check: async () => undefined }),
    };
    const answered = await systemState({ ...full, payouts: answering } as unknown as typeof full);
    expect(answered.items.filter(({ name }) => name.endsWith('payouts'))).toMatchObject([
      { name: 'Stripe payouts', state: 'ok', text: 'Stripe, live' },
      { name: 'PayPal payouts', state: 'ok', text: 'PayPal, live' },
    ]);
    const later = new Date(ctx.now().getTime() + 25 * 3_600_000);
    const after = await systemState({ ...full, now: () => later });
    expect(after.items.find(({ name }) => name === 'Last backup')).toMatchObject({
      state: 'warn',
      text: '25 hours ago: more than a day',
    });
  });
});
