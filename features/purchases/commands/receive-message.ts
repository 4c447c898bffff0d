import { sql } from 'kysely';
import type { Payments, PaymentsPort } from '#gateways/payments/port.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { MESSAGES_KEY, messagesJob } from '../message-queue.ts';
import { mayReceiveMessages } from '../rules.ts';

export interface MessageInput {
  rail: Parameters<Payments['forRail']>[0];
  rawBody: Uint8Array;
  headers: Headers;
}

/**
 * Takes a provider's message in: its signature is verified on the raw body, it is stored once by its id, and worked on later
 * (R3, R10). Nothing that it says is believed.
 * @returns false for one that was stored before
 * @throws PaymentError `bad_signature` for one that the provider did not send
 */
export async function receiveMessage(ctx: Ctx, input: MessageInput, payments: Payments): Promise<boolean> {
  authorize(ctx, mayReceiveMessages);
  const port: PaymentsPort = payments.forRail(input.rail);
  const message = port.parseWebhook({ rawBody: input.rawBody, headers: input.headers, now: ctx.now() });
  const outcome = await ctx.db.tx(async (q) => {
    const stored = await q
      .insertInto('provider_events')
      .values({
        provider: port.provider,
        event_id: message.eventId,
        event_type: message.type,
        payload: JSON.stringify(storable(JSON.parse(Buffer.from(input.rawBody).toString('utf8')))),
        ref: message.ref,
        payment_ref: message.paymentRef,
        received_at: ctx.now(),
        next_attempt_at: ctx.now(),
      })
      .onConflict((conflict) => conflict.columns(['provider', 'event_id']).doNothing())
      .returning(sql<number>`1`.as('one'))
      .executeTakeFirst();
    if (!stored) return 'known';
    return (await enqueue(ctx, messagesJob, {}, { key: MESSAGES_KEY })) ? 'queued' : 'joined';
  });
  // The job that was waiting may have begun before this message was there for it to see; if so, another one is added.
  if (outcome === 'joined') await enqueue(ctx, messagesJob, {}, { key: MESSAGES_KEY });
  return outcome !== 'known';
}

/** The database holds neither NUL nor halves of a character in JSON; payers type into what providers send. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [storable(name), storable(inner)]));
}
