import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { bossFor } from '#platform/jobs/boss.ts';
import { type RunningJobs, readDeadLetters, startJobs } from '#platform/jobs/jobs.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { type TestClock, testClock, testContext } from '#tests/support/fixtures/context.ts';
import { HOUR, MINUTE, SECOND } from '../durations.ts';
import {
  deliverMail,
  queueMail,
  readDeadMails,
  requeueLostMail,
  resumeMail,
  retryMail,
  type SendMail,
} from './outbox.ts';

await describeOnEachDatabase('the mail outbox', (open, kind) => {
  let db: Database;
  let clock: TestClock;
  let running: RunningJobs | undefined;
  const context = () => testContext(db, { now: clock.now });
  const attempt = { number: 1, last: false, signal: new AbortController().signal };
  const mail = (idempotencyKey: string) => ({
    idempotencyKey,
    to: { address: 'bea@acre.test', name: 'Bea' },
    subject: 'Your house',
    text: 'Hello',
    html: '<p>Hello</p>',
  });
  const rows = () => db.q().selectFrom('mail_outbox').selectAll().orderBy('created_at').execute();
  /** A fake mail gateway; `answer` decides the outcome of each send. */
  const fakeGateway = (answer: (count: number) => void = () => undefined) => {
    const sent: Parameters<SendMail>[0][] = [];
    let count = 0;
    const send: SendMail = async (one) => {
      answer(++count);
      sent.push(one);
      return { messageId: `<${one.idempotencyKey}@acre.test>` };
    };
    return { sent, send };
  };
  const start = async (send: SendMail) => {
    running = await startJobs(context, [deliverMail(send)], { pollSeconds: 0.5, cron: false });
  };

  beforeEach(async () => {
    clock = testClock();
    db = await open();
  });
  afterEach(async () => {
    await running?.stop(20_000);
    running = undefined;
    await db.close();
  });

  it('sends a mail once the transaction has committed, and none after a rollback', async () => {
    const { sent, send } = fakeGateway();
    await start(send);
    const failing = db.tx(async () => {
      await queueMail(context(), mail('a'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await db.tx(() => queueMail(context(), mail('b')))).toBe(true);
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ status: 'sent' }]), {
      timeout: 20_000,
    });
    const [row] = await rows();
    expect(sent).toEqual([
      {
        idempotencyKey: `outbox:${row?.id}`,
        to: { address: 'bea@acre.test', name: 'Bea' },
        subject: 'Your house',
        text: 'Hello',
        html: '<p>Hello</p>',
      },
    ]);
    expect(row).toMatchObject({
      attempts: 1,
      message_id: `<outbox:${row?.id}@acre.test>`,
      sent_at: clock.now(),
      last_error: null,
    });
  });

  it('accepts a mail with the same key once, even concurrently', async () => {
    const { sent, send } = fakeGateway();
    const queued = await Promise.all([1, 2, 3].map(() => queueMail(context(), mail('same'))));
    expect(queued.filter(Boolean)).toHaveLength(1);
    await start(send);
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ status: 'sent' }]), {
      timeout: 20_000,
    });
    expect(await queueMail(context(), mail('same'))).toBe(false);
    expect(sent).toHaveLength(1);
  });

  it('retries after a failure of the mail gateway', async () => {
    const { sent, send } = fakeGateway((count) => {
      if (count === 1) throw new Error('nobody answers');
    });
    await queueMail(context(), mail('a'));
    const delivery = deliverMail(send);
    const [row] = await rows();
    await expect(delivery.run(context(), { id: row?.id }, attempt)).rejects.toThrow('nobody answers');
    expect(await rows()).toMatchObject([
      { status: 'queued', attempts: 1, last_error: 'Error: nobody answers' },
    ]);
    await delivery.run(context(), { id: row?.id }, attempt);
    await delivery.run(context(), { id: row?.id }, attempt);
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 2 }]);
    expect(sent).toHaveLength(1);
  });

  it('gives up at once on a permanent rejection, and sends again on request', async () => {
    let refuse = true;
    const { sent, send } = fakeGateway(() => {
      if (refuse) throw Object.assign(new Error('no such box'), { retryable: false });
    });
    await start(send);
    await queueMail(context(), mail('a'));
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ status: 'dead', attempts: 1 }]), {
      timeout: 20_000,
    });
    expect(await readDeadLetters({ db })).toEqual([]);
    refuse = false;
    const [row] = await rows();
    expect(await retryMail(context(), row?.id ?? '')).toBe(true);
    await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 20_000 });
  });

  it('sends again on request while the delivery that gave the mail up is still in the queue', async () => {
    await queueMail(context(), mail('a'));
    const [job] = await bossFor(db).fetch<{ id: string }>('mail.deliver');
    const id = job?.data.id ?? '';
    const refusing = fakeGateway(() => {
      throw Object.assign(new Error('no such box'), { retryable: false });
    });
    await deliverMail(refusing.send).run(context(), { id }, attempt);
    expect(await retryMail(context(), id)).toBe(true);
    await expect(resumeMail.run(context(), { id }, attempt)).rejects.toThrow('still in the queue');
    await bossFor(db).complete('mail.deliver', job?.id ?? '');
    const { sent, send } = fakeGateway();
    running = await startJobs(context, [deliverMail(send), resumeMail], { pollSeconds: 0.5, cron: false });
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ status: 'sent', attempts: 1 }]), {
      timeout: 5_000,
    });
    await resumeMail.run(context(), { id }, attempt);
    expect(sent).toHaveLength(1);
  });

  it('gives up after three days of attempts', async () => {
    const { send } = fakeGateway(() => {
      throw new Error('still nobody');
    });
    await queueMail(context(), mail('a'));
    const [row] = await rows();
    const delivery = deliverMail(send);
    const { rows: queues } = await db.pool.query(
      `select retry_limit, retry_delay, retry_delay_max from pgboss.queue where name = 'mail.deliver'`,
    );
    // The queue waits between half and the whole of a delay that doubles, up to its maximum.
    const { retry_limit: retries, retry_delay: first, retry_delay_max: most } = queues[0];
    const seconds = Array.from({ length: retries }, (_, n) =>
      Math.min(most, (first * 2 ** Math.min(16, n)) / 2),
    );
    expect(seconds.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual((72 * HOUR) / SECOND);
    for (let count = 0; count < 20; count++)
      await expect(delivery.run(context(), { id: row?.id }, attempt)).rejects.toThrow('still nobody');
    expect(await rows()).toMatchObject([{ status: 'queued', attempts: 20 }]);
    expect(await readDeadMails({ db })).toEqual([]);
    await expect(delivery.run(context(), { id: row?.id }, { ...attempt, last: true })).rejects.toThrow();
    expect(await rows()).toMatchObject([{ status: 'dead', attempts: 21 }]);
    expect(await readDeadMails({ db })).toEqual([
      {
        id: row?.id,
        to: 'bea@acre.test',
        subject: 'Your house',
        attempts: 21,
        reason: 'Error: still nobody',
        queuedAt: clock.now(),
        isErased: false,
      },
    ]);
  });

  it('makes up for a delivery whose process died before sending, exactly once', async () => {
    await queueMail(context(), mail('a'));
    // What a killed process leaves behind: a claimed job without a result.
    const [job] = await bossFor(db).fetch<{ id: string }>('mail.deliver');
    expect(job?.data.id).toBe((await rows())[0]?.id);
    const { sent, send } = fakeGateway();
    await start(send);
    clock.advance(HOUR);
    // The embedded database has one server, so its start makes up for it. Elsewhere another process may still be at it …
    if (kind === 'server') {
      await requeueLostMail.run(context(), {}, attempt);
      expect((await db.pool.query('select from pgboss.job')).rowCount).toBe(1);
      expect(sent).toEqual([]);
      // … until its time is over.
      await db.pool.query(`update pgboss.job set started_on = now() - interval '1 hour' where id = $1`, [
        job?.id,
      ]);
      await bossFor(db).supervise('mail.deliver');
      await db.pool.query(`update pgboss.job set start_after = now() where id = $1`, [job?.id]);
    }
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ status: 'sent' }]), {
      timeout: 20_000,
    });
    await requeueLostMail.run(context(), {}, attempt);
    expect(sent).toHaveLength(1);
  });

  it('creates a new job for a mail that lost its job', async () => {
    await queueMail(context(), mail('a'));
    await db.pool.query('delete from pgboss.job');
    const { sent, send } = fakeGateway();
    await start(send);
    await requeueLostMail.run(context(), {}, attempt);
    expect((await db.pool.query('select from pgboss.job')).rowCount).toBe(0);
    clock.advance(6 * MINUTE);
    await requeueLostMail.run(context(), {}, attempt);
    await requeueLostMail.run(context(), {}, attempt);
    await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 20_000 });
  });
});
