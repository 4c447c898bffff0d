import { type Selectable, sql } from 'kysely';
import { payoutWebhookSecret } from '#gateways/payouts/sandbox/rules.ts';
import { processDuePayouts } from '#gateways/payouts/sandbox/settlement.ts';
import { PAYOUT_WEBHOOK_PATH, signPayoutWebhook } from '#gateways/payouts/sandbox/webhook.ts';
import type { Database } from '#platform/db/database.ts';
import type { SandboxDeliveriesTable } from '#platform/db/schema.gen.ts';
import { DAY } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { handle, type JobHandler } from '#platform/jobs/job.ts';
import { processDue } from './process-due.ts';
import { sandboxWebhookSecret } from './rules.ts';
import { deliverWebhooksJob } from './transitions.ts';
import { signWebhook, WEBHOOK_PATH } from './webhook.ts';

/** `baseUrl` is the origin that webhooks are sent to; `secret` is the application's. */
interface WebhookDeliveryOptions {
  baseUrl: string;
  secret: string;
  fetch?: typeof fetch;
  now?: () => Date;
}

const BATCH = 50;
const TIMEOUT_MS = 10_000;
const FIRST_DELAY_SECONDS = 5;
const MAX_DELAY_SECONDS = 3_600;
/** As long as Stripe retries. */
const GIVE_UP_AFTER_MS = 3 * DAY;

/**
 * Simulates what happens at a provider over time: checkouts expire, payments and refunds settle, and webhooks are sent. A
 * webhook that is not accepted is retried with growing delays for three days; it may arrive twice, with the same id.
 */
export const deliverSandboxWebhooks = (delivery: WebhookDeliveryOptions): JobHandler =>
  handle(deliverWebhooksJob, async (ctx, _data, { signal }) => {
    const now = delivery.now ?? ctx.now;
    await processDue(ctx.db, now());
    await processDuePayouts(ctx.db, now());
    let retryAt: Date | null = null;
    for (;;) {
      const due = await claim(ctx.db, now());
      for (const event of due) {
        const refusal = await send(event, delivery, now());
        const again = await record(ctx.db, event, refusal, now());
        if (again && (!retryAt || again < retryAt)) retryAt = again;
        if (refusal === null) continue;
        const facts = { event: event.event_id, type: event.type, attempt: event.attempts, refusal };
        ctx.log.warn(facts, 'a message of the sandbox was not accepted');
      }
      if (due.length < BATCH || signal.aborted) break;
    }
    if (retryAt) await enqueue(ctx, deliverWebhooksJob, {}, { after: retryAt });
  });

type ClaimedDelivery = Pick<
  Selectable<SandboxDeliveriesTable>,
  'id' | 'event_id' | 'method' | 'type' | 'payload' | 'attempts' | 'next_attempt_at' | 'repeats'
>;

/** Claims due webhooks in order and schedules their next attempt right away, so that a crash only delays them. */
async function claim(db: Database, now: Date): Promise<ClaimedDelivery[]> {
  const until = new Date(now.getTime() - GIVE_UP_AFTER_MS);
  const { rows } = await sql<ClaimedDelivery>`
    update sandbox_deliveries set
      attempts = attempts + 1,
      next_attempt_at = case when created_at > ${until} then ${now}::timestamptz + make_interval(
        secs => least(${MAX_DELAY_SECONDS}::float, ${FIRST_DELAY_SECONDS} * 4.0 ^ least(attempts, 10))) end
    where id in (
      select id from sandbox_deliveries where next_attempt_at <= ${now} order by id limit ${BATCH} for update skip locked
    )
    returning id, event_id, method, type, payload, attempts, next_attempt_at, repeats
  `.execute(db.q());
  return rows.toSorted((a, b) => a.id - b.id);
}

/** @returns why the webhook was not accepted, or null */
async function send(
  event: ClaimedDelivery,
  delivery: WebhookDeliveryOptions,
  now: Date,
): Promise<string | null> {
  const post = delivery.fetch ?? fetch;
  const { path, rawBody, headers } = signed(event, delivery.secret, now);
  try {
    const response = await post(delivery.baseUrl + path, {
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

/** The request of a message: those about payouts go to an endpoint of their own, as at Stripe. */
function signed(
  event: ClaimedDelivery,
  appSecret: string,
  now: Date,
): { path: string; rawBody: Uint8Array<ArrayBuffer>; headers: Headers } {
  const { method } = event;
  if (method === 'connect' || method === 'paypal') {
    const request = signPayoutWebhook({ ...event, method }, payoutWebhookSecret(appSecret, method), now);
    return { path: PAYOUT_WEBHOOK_PATH, ...request };
  }
  const request = signWebhook({ ...event, method }, sandboxWebhookSecret(appSecret, method), now);
  return { path: WEBHOOK_PATH, ...request };
}

/** @returns when it is sent again, or null */
async function record(
  db: Database,
  { event_id, next_attempt_at, repeats }: ClaimedDelivery,
  refusal: string | null,
  now: Date,
): Promise<Date | null> {
  const again = refusal !== null ? next_attempt_at : repeats > 0 ? now : null;
  const accepted = { delivered_at: now, next_attempt_at: again, last_error: null };
  await db
    .q()
    .updateTable('sandbox_deliveries')
    .set(refusal === null ? { ...accepted, repeats: Math.max(0, repeats - 1) } : { last_error: refusal })
    .where('event_id', '=', event_id)
    .execute();
  return again;
}
