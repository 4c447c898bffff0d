import { processMessages } from '#features/purchases/commands/process-messages.ts';
import { receiveMessage } from '#features/purchases/commands/receive-message.ts';
import { sendRefund } from '#features/purchases/commands/send-refund.ts';
import { reconcileSales, sweepSales } from '#features/purchases/commands/sweep-sales.ts';
import { messagesJob } from '#features/purchases/message-queue.ts';
import { refundJob } from '#features/purchases/refund-queue.ts';
import type { Payments } from '#gateways/payments/port.ts';
import { deliverJob } from '#gateways/payments/sandbox/change.ts';
import { signedMessage } from '#gateways/payments/sandbox/messages.ts';
import { sandboxSecret } from '#gateways/payments/sandbox/rules.ts';
import { letTimePass } from '#gateways/payments/sandbox/time.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { ensureQueue } from '#platform/jobs/enqueue.ts';
import { testConfig } from '#tests/support/context.ts';
import { type Rewindable, rewindable } from '#tests/support/rewindable-database.ts';
import { chargeFees, type SaleBench, saleBench } from '#tests/support/sale-bench.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Rehearsal {
  rewinding: Rewindable;
  bench: SaleBench;
}

/** People, fees and queues in a database that forgets. */
export async function rehearsal(db: Database): Promise<Rehearsal> {
  const rewinding = await rewindable(db);
  await chargeFees(rewinding.db);
  const bench = await saleBench(rewinding.db);
  // Known from the beginning: what is made for the first time later would be forgotten with it.
  await rewinding.db.tx(async () => {
    for (const job of [deliverJob, messagesJob, refundJob]) await ensureQueue(rewinding.db, job);
  });
  await rewinding.mark();
  return { rewinding, bench };
}

/** A message that a provider has sent. */
export interface Sent {
  event_id: string;
  rail: 'card' | 'crypto';
  type: string;
  payload: string;
}

/** Every message that the providers have sent, oldest first. */
export const sentMessages = (db: Database): Promise<Sent[]> =>
  db
    .q()
    .selectFrom('sandbox_deliveries')
    .select(['event_id', 'rail', 'type', 'payload'])
    .orderBy('id')
    .execute();

/** Brings a message to our door, signed anew as providers do. @returns false for one that was there before */
export async function deliver(
  bench: SaleBench,
  message: Sent,
  { ctx = bench.system, payments = bench.payments }: { ctx?: Ctx; payments?: Payments } = {},
): Promise<boolean> {
  const secret = sandboxSecret(testConfig.secret, message.rail);
  const signed = signedMessage(message, secret, bench.clock.now());
  return receiveMessage(ctx, { rail: message.rail, ...signed }, payments);
}

/** What our processes do by themselves between two ticks of the clock: messages that wait, and refunds to ask for. */
export async function work(ctx: Ctx, payments: Payments): Promise<void> {
  await processMessages(ctx, payments);
  const refunds = await ctx.db
    .q()
    .selectFrom('refunds')
    .select('id')
    .where('status', '=', 'pending')
    .orderBy('id')
    .execute();
  for (const { id } of refunds) await sendRefund(ctx, id, payments);
}

/** One pass of everything that runs by the clock, after `ms` have gone by for us and the providers. */
export async function pass(
  bench: SaleBench,
  ms: number,
  { ctx = bench.system, payments = bench.payments }: { ctx?: Ctx; payments?: Payments } = {},
): Promise<void> {
  bench.clock.advance(ms);
  await letTimePass(bench.db, bench.clock.now());
  await work(ctx, payments);
  await sweepSales(ctx, payments);
  await reconcileSales(ctx, payments);
  await work(ctx, payments);
}

/** Lets time go by without any fault until nothing moves any more: longer than any hold, wait or timer that moves money. */
export async function rest(
  bench: SaleBench,
  { payments = bench.payments }: { payments?: Payments } = {},
): Promise<void> {
  for (const ms of [2 * MINUTE, HOUR + MINUTE, 11 * DAY]) await pass(bench, ms, { payments });
  for (let round = 0, before = ''; round < 20; round += 1) {
    await pass(bench, DAY + HOUR, { payments });
    const now = await standing(bench.db);
    if (now === before) return;
    before = now;
  }
}

/** How every sale and refund stands, to see whether something moves. */
async function standing(db: Database): Promise<string> {
  const sales = await db
    .q()
    .selectFrom('property_sales')
    .select(['id', 'stripe_payment_status', 'escrow_status', 'frozen_at'])
    .orderBy('id')
    .execute();
  const refunds = await db.q().selectFrom('refunds').select(['id', 'status']).orderBy('id').execute();
  return JSON.stringify([sales, refunds]);
}
