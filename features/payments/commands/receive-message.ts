import { sql } from 'kysely';
import type { ProviderName } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { MESSAGES_KEY, messagesJob } from '../message-job.ts';
import { mayReceiveMessages } from '../rules.ts';

export interface ReceiveMessageInput {
  provider: ProviderName;
  rawBody: Uint8Array;
  headers: Headers;
}

/**
 * Receives a provider's message (webhook): verifies the signature on the raw body, stores it once by its id and queues its
 * processing (R3, R10). Its content is never trusted. Every configured provider is heard, whichever serves new sales.
 * @returns false when it was stored before
 * @throws PaymentError `bad_signature` when the provider did not send it
 */
export async function receiveMessage(ctx: CtxWith<'payments'>, input: ReceiveMessageInput): Promise<boolean> {
  authorize(ctx, mayReceiveMessages);
  const port = ctx.payments.of(input.provider);
  const message = port.parseWebhook({ rawBody: input.rawBody, headers: input.headers, now: ctx.now() });
  const outcome = await ctx.db.tx(async () => {
    const stored = await ctx.db
      .q()
      .insertInto('provider_events')
      .values({
        provider: port.provider,
        event_id: message.eventId,
        event_type: message.type,
        payload: JSON.stringify(sanitizeJson(JSON.parse(Buffer.from(input.rawBody).toString('utf8')))),
        ref: message.ref,
        payment_ref: message.paymentRef,
        livemode: message.from?.livemode ?? null,
        account_ref: message.from?.account ?? null,
        received_at: ctx.now(),
        next_attempt_at: ctx.now(),
      })
      .onConflict((conflict) => conflict.columns(['provider', 'event_id']).doNothing())
      .returning(sql<number>`1`.as('one'))
      .executeTakeFirst();
    if (!stored) return 'known';
    return (await enqueue(ctx, messagesJob, {}, { key: MESSAGES_KEY })) ? 'queued' : 'joined';
  });
  // The waiting job may have started before this message was committed; in that case this adds another one.
  if (outcome === 'joined') await enqueue(ctx, messagesJob, {}, { key: MESSAGES_KEY });
  return outcome !== 'known';
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
