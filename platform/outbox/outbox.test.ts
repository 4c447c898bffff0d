import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { bossFor } from '#platform/jobs/boss.ts';
import { type RunningJobs, readDeadLetters, startJobs } from '#platform/jobs/jobs.ts';
import { type TestClock, testClock, testContext } from '#tests/support/context.ts';
import { describeOnEachDatabase } from '#tests/support/database.ts';
import { deliverMail, queueMail, retryMail, type SendMail, sweepMail } from './outbox.ts';

await describeOnEachDatabase('the mail outbox', (open) => {
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
  /** A post office: `answer` decides what each hand-over meets. */
  const postOffice = (answer: (count: number) => void = () => undefined) => {
    const taken: Parameters<SendMail>[0][] = [];
    let count = 0;
    const send: SendMail = async (one) => {
      answer(++count);
      taken.push(one);
      return { messageId: `<${one.idempotencyKey}@acre.test>` };
    };
    return { taken, send };
  };
  const start = async (send: SendMail) => {
    running = await startJobs(context, [deliverMail(send)], { pollSeconds: 0.5, cron: false });
  };

  beforeEach(async () => {
    clock = testClock();
    db = await open();
  });
  afterEach(async () => {
    await running?.stop(1_000);
    running = undefined;
    await db.close();
  });

  it('sends a mail once the transaction committed, and none of one rolled back', async () => {
    const { taken, send } = postOffice();
    await start(send);
    const failing = db.tx(async () => {
      await queueMail(context(), mail('a'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await db.tx(() => queueMail(context(), mail('b')))).toBe(true);
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ status: 'sent' }]), {
      timeout: 5_000,
    });
    const [row] = await rows();
    expect(taken).toEqual([
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

  it('takes a mail with the same key once, also when two ask at the same time', async () => {
    const { taken, send } = postOffice();
    const queued = await Promise.all([1, 2, 3].map(() => queueMail(context(), mail('same'))));
    expect(queued.filter(Boolean)).toHaveLength(1);
    await start(send);
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ status: 'sent' }]), {
      timeout: 5_000,
    });
    expect(await queueMail(context(), mail('same'))).toBe(false);
    expect(taken).toHaveLength(1);
  });

  it('tries again after a failure of the other side', async () => {
    const { taken, send } = postOffice((count) => {
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
    expect(taken).toHaveLength(1);
  });

  it('gives up at once what the other side refuses for good, and sends it again on request', async () => {
    let refuse = true;
    const { taken, send } = postOffice(() => {
      if (refuse) throw Object.assign(new Error('no such box'), { retryable: false });
    });
    await start(send);
    await queueMail(context(), mail('a'));
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ status: 'dead', attempts: 1 }]), {
      timeout: 5_000,
    });
    expect(await readDeadLetters({ db })).toEqual([]);
    refuse = false;
    const [row] = await rows();
    expect(await retryMail(context(), row?.id ?? '')).toBe(true);
    await vi.waitFor(() => expect(taken).toHaveLength(1), { timeout: 5_000 });
  });

  it('gives up after the tenth attempt', async () => {
    const { send } = postOffice(() => {
      throw new Error('still nobody');
    });
    await queueMail(context(), mail('a'));
    const [row] = await rows();
    for (let count = 0; count < 10; count++) {
      await deliverMail(send)
        .run(context(), { id: row?.id }, attempt)
        .catch(() => undefined);
    }
    expect(await rows()).toMatchObject([{ status: 'dead', attempts: 10 }]);
  });

  it('a delivery that dies before the hand-over is made up for, exactly once', async () => {
    await queueMail(context(), mail('a'));
    // What a killed process leaves behind: the job is taken, nothing came of it.
    const [job] = await bossFor(db).fetch<{ id: string }>('mail.deliver');
    expect(job?.data.id).toBe((await rows())[0]?.id);
    const { taken, send } = postOffice();
    await start(send);
    clock.advance(3_600_000);
    // While that attempt may still be running no second one starts …
    await sweepMail.run(context(), {}, attempt);
    expect((await db.pool.query('select from pgboss.job')).rowCount).toBe(1);
    expect(taken).toEqual([]);
    // … and once its time is over the next one does.
    await db.pool.query(`update pgboss.job set started_on = now() - interval '1 hour' where id = $1`, [
      job?.id,
    ]);
    await bossFor(db).supervise('mail.deliver');
    await db.pool.query(`update pgboss.job set start_after = now() where id = $1`, [job?.id]);
    await vi.waitFor(async () => expect(await rows()).toMatchObject([{ status: 'sent' }]), {
      timeout: 5_000,
    });
    await sweepMail.run(context(), {}, attempt);
    expect(taken).toHaveLength(1);
  });

  it('a mail that lost its job gets a new one', async () => {
    await queueMail(context(), mail('a'));
    await db.pool.query('delete from pgboss.job');
    const { taken, send } = postOffice();
    await start(send);
    await sweepMail.run(context(), {}, attempt);
    expect((await db.pool.query('select from pgboss.job')).rowCount).toBe(0);
    clock.advance(6 * 60_000);
    await sweepMail.run(context(), {}, attempt);
    await sweepMail.run(context(), {}, attempt);
    await vi.waitFor(() => expect(taken).toHaveLength(1), { timeout: 5_000 });
  });
});
