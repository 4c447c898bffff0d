import { sql } from 'kysely';
import { openTask } from '#features/tasks/commands/open-task.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { providerOfCheckout } from '#gateways/payments/providers.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#platform/durations.ts';
import { saleNamedBy } from '../find-sale.ts';
import { mayReconcile } from '../rules.ts';
import { syncPayment } from './sync-payment.ts';

/** Messages taken from the queue at once: so few that the last one has its turn before its claim ends, also when each waits for a silent provider. */
const BATCH = 40;
/** Concurrent requests to providers. */
const CONCURRENCY = 4;
const ATTEMPTS = 10;
/** How long a provider may give no answer before administrators are asked to look. */
const OUTAGE_MS = DAY;
/** Messages claimed by a process that died become available again after this time. */
const CLAIM_MS = MINUTE;

/** Follows a message about a payout, which is no part of payments. */
export type FollowPayout = (message: {
  provider: string;
  payoutKey: string | null;
  account: string | null;
}) => Promise<boolean>;

interface Message {
  id: number;
  provider: string;
  ref: string | null;
  payment_ref: string | null;
  payout_key: string | null;
  payout_account: string | null;
  /** whose message it is; null where the provider has one account only */
  livemode: boolean | null;
  account_ref: string | null;
  attempts: number;
  received_at: Date;
}

/**
 * Processes the waiting provider messages: each names a payment, whose state is then fetched from the provider. Messages
 * about the same payment share one request. Failures are retried with increasing delays; after ten attempts a message is
 * dead and administrators are notified (R10); where the provider gives no answer, not before a day has passed. Any number of processes
 * may run this at once.
 * @param followPayout asks about the payout or the seller's account that a message names; false when it is none of ours
 */
export async function processMessages(
  ctx: CtxWith<'payments'>,
  followPayout: FollowPayout = async () => false,
): Promise<void> {
  authorize(ctx, mayReconcile);
  for (;;) {
    const claimed = await claimMessages(ctx);
    if (claimed.length === 0) return;
    const groups = [
      ...Map.groupBy(
        claimed,
        ({ provider, ref, payment_ref, payout_key, payout_account }) =>
          `${provider} ${ref ?? payment_ref ?? payout_key ?? payout_account}`,
      ).values(),
    ];
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        for (let group = groups.shift(); group; group = groups.shift())
          await processGroup(ctx, group, followPayout);
      }),
    );
  }
}

/** Claims those whose turn it is, and whatever else waits about the same payments: one request answers for all of these. */
async function claimMessages(ctx: Ctx): Promise<Message[]> {
  const due = sql`status = 'received' and next_attempt_at <= ${ctx.now()}`;
  const { rows } = await sql<Message>`
    with next as (
      select id, provider, ref, payment_ref from provider_events where ${due}
      order by next_attempt_at, id limit ${BATCH} for update skip locked),
    of_checkouts as (
      select id from provider_events where ${due} and (provider, ref) in (select provider, ref from next)
      for update skip locked),
    of_payments as (
      select id from provider_events where ${due} and ref is null
        and (provider, payment_ref) in (select provider, payment_ref from next where ref is null)
      for update skip locked)
    update provider_events set attempts = attempts + 1, next_attempt_at = ${new Date(ctx.now().getTime() + CLAIM_MS)}
    where id in (select id from next union select id from of_checkouts union select id from of_payments)
    returning id, provider, ref, payment_ref, payout_key, payout_account, livemode, account_ref, attempts, received_at`.execute(
    ctx.db.q(),
  );
  return rows;
}

async function processGroup(
  ctx: CtxWith<'payments'>,
  messages: Message[],
  followPayout: FollowPayout,
): Promise<void> {
  const [first] = messages;
  if (!first) return;
  const ids = messages.map(({ id }) => id);
  try {
    const { provider, payout_key: payoutKey, payout_account: account } = first;
    if (payoutKey !== null || account !== null) {
      const ours = await followPayout({ provider, payoutKey, account });
      return void (await markDone(ctx, ids, ours ? 'processed' : 'ignored'));
    }
    const saleId = await findSaleId(ctx, first);
    if (saleId) await syncPayment(ctx, { saleId });
    await markDone(ctx, ids, saleId ? 'processed' : 'ignored');
  } catch (error) {
    ctx.log.warn({ err: error, messages: ids }, 'a provider message could not be answered');
    for (const message of messages) await postpone(ctx, message, error);
  }
}

/** Finds the sale by checkout or payment reference; null when the message concerns none of ours. */
async function findSaleId(ctx: CtxWith<'payments'>, message: Message): Promise<string | null> {
  const { provider, ref, payment_ref, livemode, account_ref: account } = message;
  if (ref === null && payment_ref === null) return null;
  const [sale] = (await saleNamedBy(message).execute(ctx.db.q())).rows;
  if (sale) return sale.id;
  if (ref === null) return null;
  const named = providerOfCheckout(provider, ref);
  const checkout = await ctx.payments
    .of(named, livemode === null ? undefined : { livemode, account })
    .getCheckout(ref)
    .catch((error: unknown) => {
      // The account may have other customers, whose payments have nothing to do with us.
      if (named !== provider && error instanceof PaymentError && error.code === 'not_found') return null;
      throw error;
    });
  // Every checkout of ours names its sale; the others are of another system in the account.
  if (!checkout?.saleId) return null;
  // Money of a sale that is not there needs a human: fail until the message is dead and reported.
  if (checkout.status === 'paid' || checkout.tranches.length > 0)
    throw new Error(`The paid checkout ${ref} belongs to no sale, it names ${checkout.saleId}`);
  return null;
}

const markDone = (ctx: Ctx, ids: number[], status: 'processed' | 'ignored') =>
  ctx.db
    .q()
    .updateTable('provider_events')
    .set({ status, processed_at: ctx.now(), last_error: null })
    .where('id', 'in', ids)
    .execute();

async function postpone(ctx: Ctx, message: Message, error: unknown): Promise<void> {
  const { id, attempts, received_at } = message;
  const isOutage = error instanceof PaymentError && error.retryable;
  const age = ctx.now().getTime() - received_at.getTime();
  const dead = attempts >= ATTEMPTS && (!isOutage || age >= OUTAGE_MS);
  const wait = Math.min(HOUR, 5 * SECOND * 2 ** attempts);
  const reason = cutText(String(error instanceof Error ? error.message : error), 500);
  await ctx.db.tx(async () => {
    await ctx.db
      .q()
      .updateTable('provider_events')
      .set({
        status: dead ? 'dead' : 'received',
        last_error: reason,
        next_attempt_at: new Date(ctx.now().getTime() + wait),
      })
      .where('id', '=', id)
      .execute();
    if (dead) await openTask(ctx, { kind: 'message_dead', subjectId: String(id), detail: reason });
  });
}
