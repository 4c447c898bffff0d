import { type Selectable, sql } from 'kysely';
import type { Database } from '#platform/db/database.ts';
import type { SandboxDeliveriesTable } from '#platform/db/schema.gen.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { handle, type JobHandler } from '#platform/jobs/job.ts';
import { deliverJob } from './change.ts';
import { signedMessage, WEBHOOK_PATHS } from './messages.ts';
import { sandboxSecret } from './rules.ts';
import { letTimePass } from './time.ts';

/** `baseUrl` is the origin that messages are sent to; `secret` is the application's. */
export interface Delivery {
  baseUrl: string;
  secret: string;
  fetch?: typeof fetch;
  now?: () => Date;
}

const BATCH = 50;
const TIMEOUT_MS = 10_000;
const FIRST_WAIT_SECONDS = 5;
const LONGEST_WAIT_SECONDS = 3_600;
/** As long as Stripe tries. */
const TRIED_FOR_MS = 3 * 86_400_000;

/**
 * What the world outside does by itself: checkouts expire, money and refunds arrive, and messages about it are sent. A
 * message that is not accepted is sent again after growing waits for three days; it may come twice, with the same id.
 */
export const deliverSandboxEvents = (delivery: Delivery): JobHandler =>
  handle(deliverJob, async (ctx, _data, { signal }) => {
    const now = delivery.now ?? ctx.now;
    await letTimePass(ctx.db, now());
    let retryAt: Date | null = null;
    for (;;) {
      const due = await claim(ctx.db, now());
      for (const event of due) {
        const refusal = await send(event, delivery, now());
        await record(ctx.db, event.event_id, refusal, now());
        if (refusal === null) continue;
        const facts = { event: event.event_id, type: event.type, attempt: event.attempts, refusal };
        ctx.log.warn(facts, 'a message of the sandbox was not accepted');
        const again = event.next_attempt_at;
        if (again && (!retryAt || again < retryAt)) retryAt = again;
      }
      if (due.length < BATCH || signal.aborted) break;
    }
    if (retryAt) await enqueue(ctx, deliverJob, {}, { after: retryAt });
  });

type Claimed = Pick<
  Selectable<SandboxDeliveriesTable>,
  'id' | 'event_id' | 'rail' | 'type' | 'payload' | 'attempts' | 'next_attempt_at'
>;

/** Takes due messages in order, each with the time of its next attempt already set: a crash after this only delays. */
async function claim(db: Database, now: Date): Promise<Claimed[]> {
  const until = new Date(now.getTime() - TRIED_FOR_MS);
  const { rows } = await sql<Claimed>`
    update sandbox_deliveries set
      attempts = attempts + 1,
      next_attempt_at = case when created_at > ${until} then ${now}::timestamptz + make_interval(
        secs => least(${LONGEST_WAIT_SECONDS}::float, ${FIRST_WAIT_SECONDS} * 4.0 ^ least(attempts, 10))) end
    where id in (
      select id from sandbox_deliveries where next_attempt_at <= ${now} order by id limit ${BATCH} for update skip locked
    )
    returning id, event_id, rail, type, payload, attempts, next_attempt_at
  `.execute(db.q());
  return rows.toSorted((a, b) => a.id - b.id);
}

/** @returns why it was not accepted, or null when it was */
async function send(event: Claimed, delivery: Delivery, now: Date): Promise<string | null> {
  const post = delivery.fetch ?? fetch;
  const { rawBody, headers } = signedMessage(event, sandboxSecret(delivery.secret, event.rail), now);
  try {
    const response = await post(delivery.baseUrl + WEBHOOK_PATHS[event.rail], {
      method: 'POST',
      headers,
      body: rawBody,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok ? null : `answered ${response.status}`;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

async function record(db: Database, eventId: string, refusal: string | null, now: Date): Promise<void> {
  const done = { delivered_at: now, next_attempt_at: null, last_error: null };
  await db
    .q()
    .updateTable('sandbox_deliveries')
    .set(refusal === null ? done : { last_error: refusal })
    .where('event_id', '=', eventId)
    .execute();
}
