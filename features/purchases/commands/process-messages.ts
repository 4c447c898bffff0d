import { sql } from 'kysely';
import type { Payments } from '#gateways/payments/port.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { mayReconcile } from '../rules.ts';
import { syncPayment } from './sync-payment.ts';

/** Messages taken at once, and sales asked about at once. */
const BATCH = 100;
const LANES = 4;
const ATTEMPTS = 10;
/** A process that took messages and died gives them back after this time. */
const TAKEN_MS = 60_000;

interface Message {
  id: number;
  provider: string;
  ref: string | null;
  payment_ref: string | null;
  attempts: number;
}

/**
 * Works through the waiting messages: each names a payment, and its provider is asked how that stands. Messages about the
 * same payment are answered by one question. What fails is tried again with growing waits, and after ten times it is dead,
 * where administrators see it (R10). Any number of processes may run this at once.
 */
export async function processMessages(ctx: Ctx, payments: Payments): Promise<void> {
  authorize(ctx, mayReconcile);
  for (;;) {
    const taken = await take(ctx);
    if (taken.length === 0) return;
    const groups = [
      ...Map.groupBy(taken, ({ provider, ref, payment_ref }) => `${provider} ${ref ?? payment_ref}`).values(),
    ];
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (let group = groups.shift(); group; group = groups.shift()) await answer(ctx, group, payments);
      }),
    );
  }
}

async function take(ctx: Ctx): Promise<Message[]> {
  const { rows } = await sql<Message>`
    update provider_events set attempts = attempts + 1, next_attempt_at = ${new Date(ctx.now().getTime() + TAKEN_MS)}
    where id in (select id from provider_events where status = 'received' and next_attempt_at <= ${ctx.now()}
      order by next_attempt_at, id limit ${BATCH} for update skip locked)
    returning id, provider, ref, payment_ref, attempts`.execute(ctx.db.q());
  return rows;
}

async function answer(ctx: Ctx, messages: Message[], payments: Payments): Promise<void> {
  const [first] = messages;
  if (!first) return;
  const ids = messages.map(({ id }) => id);
  try {
    const saleId = await saleOf(ctx, first, payments);
    if (saleId) await syncPayment(ctx, saleId, payments);
    await close(ctx, ids, saleId ? 'processed' : 'ignored');
  } catch (error) {
    ctx.log.warn({ err: error, messages: ids }, 'a provider message could not be answered');
    for (const message of messages) await postpone(ctx, message, error);
  }
}

/** By the checkout, by the payment, and at last by what the provider says it was opened for. */
async function saleOf(ctx: Ctx, message: Message, payments: Payments): Promise<string | null> {
  const { provider, ref, payment_ref } = message;
  if (ref === null && payment_ref === null) return null;
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('provider', '=', provider)
    .where((where) =>
      where.or([
        ...(ref === null ? [] : [where('provider_session_id', '=', ref)]),
        ...(payment_ref === null ? [] : [where('provider_payment_id', '=', payment_ref)]),
      ]),
    )
    .executeTakeFirst();
  if (sale) return sale.id;
  if (ref === null) return null;
  const checkout = await payments.of(provider).getCheckout(ref);
  // Money without a sale of ours is for people to look at.
  if (checkout.status === 'paid')
    throw new Error(`The paid checkout ${ref} belongs to no sale, it names ${checkout.saleId}`);
  return null;
}

const close = (ctx: Ctx, ids: number[], status: 'processed' | 'ignored') =>
  ctx.db
    .q()
    .updateTable('provider_events')
    .set({ status, processed_at: ctx.now(), last_error: null })
    .where('id', 'in', ids)
    .execute();

async function postpone(ctx: Ctx, { id, attempts }: Message, error: unknown): Promise<void> {
  const dead = attempts >= ATTEMPTS;
  const wait = Math.min(3_600_000, 5_000 * 2 ** attempts);
  await ctx.db.tx(async (q) => {
    await q
      .updateTable('provider_events')
      .set({
        status: dead ? 'dead' : 'received',
        last_error: String(error instanceof Error ? error.message : error).slice(0, 500),
        next_attempt_at: new Date(ctx.now().getTime() + wait),
      })
      .where('id', '=', id)
      .execute();
    if (dead) await publish(ctx, { audience: 'role:admin', type: 'payments.message-dead', payload: { id } });
  });
}
