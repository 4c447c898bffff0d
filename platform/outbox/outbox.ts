import type { Ctx } from '../context.ts';
import { MINUTE } from '../durations.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { defineJob, handle, type JobHandler } from '../jobs/job.ts';
import { mailsTotal } from '../metrics.ts';

/** A mail to one person. Mail with the same `idempotencyKey` is sent once, however often it is queued. */
interface QueuedMail {
  idempotencyKey: string;
  to: { address: string; name?: string | null };
  subject: string;
  text: string;
  html: string;
  /** one-click unsubscribe URL, which mail clients show next to the sender (RFC 8058) */
  unsubscribeUrl?: string;
  /** a calendar file, which mail clients offer to enter or to take out (RFC 6047) */
  calendar?: MailCalendar;
}

interface MailCalendar {
  method: 'REQUEST' | 'CANCEL';
  /** the whole file, whose METHOD is the same */
  file: string;
}

/** The top-level domain that never exists (RFC 2606); nothing is sent there. */
export const UNDELIVERABLE = '.invalid';

/**
 * The mail gateway's `send`. An error with `retryable: false` is permanent. The same key must give the same Message-ID, so
 * that a mail sent twice after a crash is recognized as one.
 */
export type SendMail = (
  mail: {
    idempotencyKey: string;
    to: { address: string; name?: string };
    subject: string;
    text: string;
    html: string;
    unsubscribeUrl?: string;
    calendar?: MailCalendar;
  },
  ctx: Ctx,
) => Promise<{ messageId: string }>;

/** With delays that grow to an hour, this is three days: an outage over a weekend loses no mail. */
const RETRIES = 80;
/** A queued mail of this age without a waiting or running job has lost its job. */
const LOST_AFTER_MS = 5 * MINUTE;

const deliver = defineJob<{ id: string }>('mail.deliver', {
  retries: RETRIES,
  retryDelaySeconds: 15,
  expireSeconds: 180,
  concurrency: 2,
  uniqueWhile: 'live',
});

/**
 * Writes a mail to the outbox in the current transaction; it is sent only if that commits.
 * @returns false when a mail with this key was queued before, or the address cannot exist, like that of a closed account
 */
export async function queueMail(ctx: Ctx, mail: QueuedMail): Promise<boolean> {
  if (mail.to.address.endsWith(UNDELIVERABLE)) return false;
  return ctx.db.tx(async () => {
    const row = await ctx.db
      .q()
      .insertInto('mail_outbox')
      .values({
        idempotency_key: mail.idempotencyKey,
        to_address: mail.to.address,
        to_name: mail.to.name ?? null,
        subject: mail.subject,
        text_body: mail.text,
        html_body: mail.html,
        unsubscribe_url: mail.unsubscribeUrl ?? null,
        calendar_method: mail.calendar?.method ?? null,
        calendar_file: mail.calendar?.file ?? null,
        created_at: ctx.now(),
      })
      .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!row) return false;
    await enqueue(ctx, deliver, { id: row.id }, { key: row.id });
    return true;
  });
}

/** True when a mail with this key has been queued, whatever became of it. */
export async function isQueued({ db }: Pick<Ctx, 'db'>, idempotencyKey: string): Promise<boolean> {
  const row = await db
    .q()
    .selectFrom('mail_outbox')
    .select('id')
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Delivers queued mails. The queue never runs two deliveries of one mail at a time, and mails already sent are skipped. Only
 * a crash between sending and recording repeats a mail, with the same Message-ID. A mail is tried for 72 hours, unless it is refused
 * for good.
 */
export const deliverMail = (send: SendMail): JobHandler =>
  handle(deliver, async (ctx, { id }, attempt) => {
    const mail = await ctx.db
      .q()
      .updateTable('mail_outbox')
      .set((row) => ({ attempts: row('attempts', '+', 1) }))
      .where('id', '=', id)
      .where('status', '=', 'queued')
      .returningAll()
      .executeTakeFirst();
    if (!mail) return;
    const record = (change: Partial<{ status: 'sent' | 'dead'; message_id: string; last_error: string }>) =>
      ctx.db
        .q()
        .updateTable('mail_outbox')
        .set({ ...change, ...(change.status === 'sent' && { sent_at: ctx.now() }) })
        .where('id', '=', id)
        .execute();
    try {
      const { messageId } = await send(
        {
          idempotencyKey: `outbox:${id}`,
          to: { address: mail.to_address, ...(mail.to_name && { name: mail.to_name }) },
          subject: mail.subject,
          text: mail.text_body,
          html: mail.html_body,
          ...(mail.unsubscribe_url && { unsubscribeUrl: mail.unsubscribe_url }),
          ...(mail.calendar_method &&
            mail.calendar_file && { calendar: { method: mail.calendar_method, file: mail.calendar_file } }),
        },
        ctx,
      );
      await record({ status: 'sent', message_id: messageId });
      mailsTotal.inc({ outcome: 'sent' });
    } catch (error) {
      const permanent = (error as { retryable?: unknown }).retryable === false;
      const dead = permanent || attempt.last;
      mailsTotal.inc({ outcome: dead ? 'dead' : 'retry' });
      await record({ last_error: String(error), ...(dead && { status: 'dead' }) });
      if (dead) ctx.log.error({ err: error, mail: id, attempts: mail.attempts }, 'mail given up');
      if (!permanent) throw error;
    }
  });

/** Creates new jobs for queued mails that lost theirs (a restored database, a deleted job). */
export const requeueLostMail = handle(defineJob('mail.sweep', { cron: '*/5 * * * *' }), async (ctx) => {
  const before = new Date(ctx.now().getTime() - LOST_AFTER_MS);
  const rows = await ctx.db
    .q()
    .selectFrom('mail_outbox')
    .select('id')
    .where('status', '=', 'queued')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(1_000)
    .execute();
  for (const { id } of rows) {
    if (await enqueue(ctx, deliver, { id }, { key: id })) ctx.log.warn({ mail: id }, 'mail had lost its job');
  }
});

const resume = defineJob<{ id: string }>('mail.resume', { retries: 12, retryDelaySeconds: 1 });

/**
 * Adds the delivery of a mail that was to be sent again while its last delivery, which had given it up, was still in the queue. Beside
 * that there can be no other.
 */
export const resumeMail = handle(resume, async (ctx, { id }) => {
  const mail = await ctx.db
    .q()
    .selectFrom('mail_outbox')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'queued')
    // Otherwise a delivery has begun since, and sees to the rest.
    .where('attempts', '=', 0)
    .executeTakeFirst();
  if (mail && !(await enqueue(ctx, deliver, { id }, { key: id })))
    throw new Error('the last delivery is still in the queue');
});

/** A mail that was given up; times are UTC. */
export interface DeadMail {
  id: string;
  to: string;
  subject: string;
  attempts: number;
  reason: string;
  queuedAt: Date;
  /** its account was erased since, so that nothing is left to be sent */
  isErased: boolean;
}

/**
 * Mails that were given up, newest first.
 * @param withErased whether those of erased accounts are among them, which cannot be sent again
 */
export async function readDeadMails(
  { db }: Pick<Ctx, 'db'>,
  limit = 100,
  { offset = 0, withErased = true }: { offset?: number; withErased?: boolean } = {},
): Promise<DeadMail[]> {
  const rows = await db
    .q()
    .selectFrom('mail_outbox')
    .select(['id', 'to_address', 'subject', 'attempts', 'last_error', 'created_at'])
    .where('status', '=', 'dead')
    .$if(!withErased, (query) => query.where('to_address', 'not like', `%${UNDELIVERABLE}`))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    to: row.to_address,
    subject: row.subject,
    attempts: row.attempts,
    reason: row.last_error ?? '',
    queuedAt: row.created_at,
    isErased: row.to_address.endsWith(UNDELIVERABLE),
  }));
}

/**
 * Retries a mail that was given up, at an administrator's request; false when there is no such mail, or nothing is left of it since its
 * account was erased.
 */
export async function retryMail(ctx: Ctx, id: string): Promise<boolean> {
  return ctx.db.tx(async () => {
    const row = await ctx.db
      .q()
      .updateTable('mail_outbox')
      .set({ status: 'queued', attempts: 0, last_error: null })
      .where('id', '=', id)
      .where('status', '=', 'dead')
      .where('to_address', 'not like', `%${UNDELIVERABLE}`)
      .returning('id')
      .executeTakeFirst();
    if (row && !(await enqueue(ctx, deliver, { id }, { key: id }))) await enqueue(ctx, resume, { id });
    return row !== undefined;
  });
}

/** Gives up a mail that could not be sent for good, at an administrator's request; false when there is no such mail. */
export async function dropMail({ db }: Pick<Ctx, 'db'>, id: string): Promise<boolean> {
  const row = await db
    .q()
    .updateTable('mail_outbox')
    .set({ status: 'dropped' })
    .where('id', '=', id)
    .where('status', '=', 'dead')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
