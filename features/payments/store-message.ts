import { type Insertable, sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import type { ProviderEventsTable } from '#platform/db/schema.gen.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { MESSAGES_KEY, messagesJob } from './message-job.ts';

/** A verified message; its content is kept for people to read, and never trusted. */
type VerifiedMessage = Pick<
  Insertable<ProviderEventsTable>,
  | 'provider'
  | 'event_id'
  | 'event_type'
  | 'ref'
  | 'payment_ref'
  | 'livemode'
  | 'account_ref'
  | 'payout_key'
  | 'payout_account'
> & { rawBody: Uint8Array };

/**
 * Stores a verified message once by its id, and queues the processing of what is stored.
 * @returns false when it was stored before
 */
export async function storeMessage(ctx: Ctx, { rawBody, ...message }: VerifiedMessage): Promise<boolean> {
  const stored = await ctx.db
    .q()
    .insertInto('provider_events')
    .values({
      ...message,
      payload: JSON.stringify(sanitizeJson(JSON.parse(Buffer.from(rawBody).toString('utf8')))),
      received_at: ctx.now(),
      next_attempt_at: ctx.now(),
    })
    .onConflict((conflict) => conflict.columns(['provider', 'event_id']).doNothing())
    .returning(sql<number>`1`.as('one'))
    .executeTakeFirst();
  if (!stored) return false;
  // Once the message is committed: a job that is waiting already finds it. One that a crash keeps from being added is run every minute.
  await enqueue(ctx, messagesJob, {}, { key: MESSAGES_KEY });
  return true;
}

/** PostgreSQL's JSON rejects NUL and lone surrogates, which can occur in text that payers typed. */
function sanitizeJson(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (Array.isArray(value)) return value.map(sanitizeJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [sanitizeJson(name), sanitizeJson(inner)]),
  );
}
