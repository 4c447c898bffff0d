import { sql } from 'kysely';
import { refundJob } from '#features/sales/refund-request.ts';
import { lockSale, type SaleRow, stateOf } from '#features/sales/sale-row.ts';
import { areAllHeld } from '#features/sales/sql.ts';
import { transitionSale } from '#features/sales/transition-sale.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import { PaymentError, paymentMethods } from '#gateways/payments/port.ts';
import { paysInParts } from '#gateways/payments/providers.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY, HOUR, SECOND } from '#platform/durations.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { askProvider } from '../ask-provider.ts';
import { mayReconcile, REFUND_DAYS } from '../rules.ts';
import { portOfSale } from '../sale-port.ts';
import { applyCheckout, syncPayment } from './sync-payment.ts';

/** Sales per sweep; the next one continues. */
const BATCH = 200;
/** How long an account is waited for in vain in one sweep. */
const MAX_SILENCE_MS = 15 * SECOND;
/** What a question without an answer counts for at least: also a provider that refuses at once is asked a few times only. */
const SILENCE_MS = 3 * SECOND;

/**
 * Runs every minute: ends expired holds, releases escrow that is due, requeues refunds that lost their job (R5), reports overdue ones.
 * An account whose provider gives no answer is asked a few times only in the same sweep: each question would take as long, and keep the
 * sales of the others waiting. What needs no answer is done all the same.
 */
export async function sweepSales(ctx: CtxWith<'payments'>): Promise<void> {
  authorize(ctx, mayReconcile);
  const silent = new SilentAccounts();
  await endExpiredHolds(ctx, silent);
  await releaseDueEscrow(ctx, silent);
  await requeueLostRefunds(ctx);
  await reportOverdueRefunds(ctx);
}

/** Accounts that gave no answer in this sweep, as `accountOfSale` names them. */
class SilentAccounts {
  readonly #waited = new Map<string, number>();

  note(account: string, waitedMs: number): void {
    this.#waited.set(account, (this.#waited.get(account) ?? 0) + Math.max(SILENCE_MS, waitedMs));
  }

  /** Whether it is asked no more. */
  has = (account: string): boolean => (this.#waited.get(account) ?? 0) >= MAX_SILENCE_MS;

  list = (): string[] => [...this.#waited.keys()].filter(this.has);
}

/** Of a row of `property_sales`: the account that it is asked about at. */
const accountOfSale = sql<string>`concat_ws(' ', provider, livemode, provider_account_id)`;

const isHeard = (silent: SilentAccounts) => sql<boolean>`${accountOfSale} <> all(${silent.list()}::text[])`;

/** What the work for a sale is told of its account, and tells of it. */
interface Hearing {
  /** it is not to be asked */
  isSilent: boolean;
  onSilence: () => void;
}

/**
 * Does the work for the sales, one after the other; one that fails does not stop the others. When accounts fall silent, the batch is
 * read again, so that those of their sales that need an answer take no other sale's place.
 */
async function forSales<Sale extends { id: string; account: string }>(
  ctx: Ctx,
  silent: SilentAccounts,
  read: () => Promise<Sale[]>,
  work: (sale: Sale, hearing: Hearing) => Promise<void>,
): Promise<void> {
  const done = new Set<string>();
  for (let before = -1; before < silent.list().length; ) {
    before = silent.list().length;
    for (const sale of await read()) {
      if (done.has(sale.id)) continue;
      done.add(sale.id);
      const from = ctx.now().getTime();
      let noAnswer = false;
      const onSilence = () => {
        noAnswer = true;
      };
      try {
        await work(sale, { isSilent: silent.has(sale.account), onSilence });
      } catch (error) {
        if (error instanceof PaymentError && error.retryable) onSilence();
        ctx.log.warn(
          { err: error, sale: sale.id },
          'a sweep could not deal with a sale, and will come again',
        );
      }
      if (noAnswer) silent.note(sale.account, ctx.now().getTime() - from);
    }
  }
}

const endExpiredHolds = (ctx: CtxWith<'payments'>, silent: SilentAccounts): Promise<void> =>
  forSales(
    ctx,
    silent,
    () => expiredHolds(ctx, silent),
    (sale, hearing) => endHold(ctx, sale, hearing),
  );

/** When a hold must have expired to end without an answer. */
const longAgo = (ctx: Ctx) => new Date(ctx.now().getTime() - DAY);

const expiredHolds = (ctx: Ctx, silent: SilentAccounts) =>
  ctx.db
    .q()
    .selectFrom('property_sales')
    .select(['id', 'provider', 'livemode', 'provider_account_id', 'provider_session_id', 'locked_until'])
    .select(['ask_failures', accountOfSale.as('account')])
    .where('stripe_payment_status', 'in', ['pending', 'processing'])
    // Those of silent accounts that end without an answer.
    .where((where) =>
      where.or([
        isHeard(silent),
        where.and([
          where('stripe_payment_status', '=', 'pending'),
          where.or([
            where('provider_session_id', 'is', null),
            where.and([where('ask_failures', '>', 0), where('locked_until', '<', longAgo(ctx))]),
          ]),
        ]),
      ]),
    )
    .where('locked_until', '<', ctx.now())
    .where('frozen_at', 'is', null)
    // What is under way is asked about less often, as is a provider that gave no answer.
    .where((where) =>
      where.or([
        where.and([where('stripe_payment_status', '=', 'pending'), where('ask_failures', '=', 0)]),
        where('next_ask_at', '<=', ctx.now()),
      ]),
    )
    .orderBy('locked_until')
    .limit(BATCH)
    .execute();

type ExpiredHold = Pick<
  SaleRow,
  | 'id'
  | 'provider'
  | 'livemode'
  | 'provider_account_id'
  | 'provider_session_id'
  | 'locked_until'
  | 'ask_failures'
>;

/**
 * The provider is asked before a hold ends: the checkout may have been paid, or must be closed first, also with a part received.
 * When it gives no answer a day after the end of the checkout, the hold ends all the same; money that arrives later is refunded. Each is
 * asked about at least once: also one that was frozen for that day, or that no sweep has seen.
 */
async function endHold(
  ctx: CtxWith<'payments'>,
  sale: ExpiredHold,
  { isSilent, onSilence }: Hearing,
): Promise<void> {
  const { id, provider_session_id: ref, locked_until, ask_failures } = sale;
  if (!ref) return expire(ctx, sale, 'No checkout was opened.', 'The checkout was not opened in time.');
  const askedBefore = ask_failures > 0;
  if (isSilent || !(await askProvider(ctx, { saleId: id, onSilence }))) {
    if (locked_until && locked_until < longAgo(ctx) && (askedBefore || !isSilent))
      await expire(ctx, sale, 'The provider gave no answer for a day.', 'The checkout was not paid in time.');
    return;
  }
  if (!(await isClosable(ctx, id))) return;
  try {
    const { port } = await portOfSale(ctx, sale);
    const checkout = await port.cancelCheckout(ref, `cancel:${id}`);
    await applyCheckout(ctx, { saleId: id, checkout });
  } catch (error) {
    if (!(error instanceof PaymentError) || error.code !== 'conflict') throw error;
    await syncPayment(ctx, { saleId: id });
  }
}

/** Ends a hold without the provider's word, unless the sale has got on meanwhile. */
async function expire(
  ctx: Ctx,
  { id, provider_session_id }: ExpiredHold,
  note: string,
  reason: string,
): Promise<void> {
  await ctx.db.tx(async () => {
    const sale = await lockSale(ctx, id);
    if (sale?.provider_session_id !== provider_session_id || stateOf(sale).payment !== 'pending') return;
    const patch = { failure_reason: reason };
    await transitionSale(ctx, { sale, event: 'expire_checkout', by: 'system', note, patch });
  });
}

/** Nothing is under way, or only the rest of a payment in parts. Asked for once more: its hold may have been extended. */
async function isClosable(ctx: Ctx, saleId: string): Promise<boolean> {
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales')
    .select(['stripe_payment_status', 'provider', 'locked_until'])
    .where('id', '=', saleId)
    .executeTakeFirst();
  if (!sale?.locked_until || sale.locked_until >= ctx.now()) return false;
  const { stripe_payment_status: status, provider } = sale;
  return status === 'pending' || (status === 'processing' && paysInParts(provider));
}

/**
 * The provider is asked before money is released: a dispute may have been opened of which no message has come. Without an
 * answer the money stays where it is.
 */
const releaseDueEscrow = (ctx: CtxWith<'payments'>, silent: SilentAccounts): Promise<void> =>
  forSales(
    ctx,
    silent,
    () => dueReleases(ctx, silent),
    async ({ id }, { isSilent, onSilence }) => {
      if (isSilent || !(await askProvider(ctx, { saleId: id, onSilence }))) return;
      await ctx.db.tx(async () => {
        const sale = await lockSale(ctx, id);
        if (sale) await transitionSale(ctx, { sale, event: 'auto_release', by: 'system', note: null });
      });
    },
  );

const dueReleases = (ctx: Ctx, silent: SilentAccounts) =>
  ctx.db
    .q()
    .selectFrom('property_sales')
    .select(['id', accountOfSale.as('account')])
    .where(isHeard(silent))
    .where('escrow_status', '=', 'in_escrow')
    .where('release_due_at', '<=', ctx.now())
    .where('documents_delivered_at', 'is not', null)
    .where('frozen_at', 'is', null)
    .where('cancellation_requested_at', 'is', null)
    .where((where) => where.or([where('ask_failures', '=', 0), where('next_ask_at', '<=', ctx.now())]))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('disputes')
            .select('disputes.id')
            .whereRef('disputes.sale_id', '=', 'property_sales.id')
            .where('disputes.status', '=', 'open')
            .where('disputes.kind', '<>', 'inquiry'),
        ),
      ),
    )
    // It would not be released while a refund runs, about which the provider is asked less often.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('refunds')
            .select('refunds.id')
            .whereRef('refunds.sale_id', '=', 'property_sales.id')
            .where('refunds.status', '=', 'pending'),
        ),
      ),
    )
    // The provider is not asked about a sale that waits for an administrator.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('admin_tasks')
            .select('admin_tasks.id')
            .where('admin_tasks.kind', '=', 'documents_removed')
            .where('admin_tasks.subject_id', '=', sql<string>`property_sales.id::text`)
            .where('admin_tasks.closed_at', 'is', null),
        ),
      ),
    )
    .where(({ not }) =>
      not(areAllHeld({ id: sql.ref('property_sales.id'), buyer: sql.ref('property_sales.buyer_id') })),
    )
    .orderBy('release_due_at')
    .limit(BATCH)
    .execute();

/**
 * A refund still unsent after all retries lost its job: through a crash, or after the last retry. All of them in each sweep, since those
 * that wait for a dispute or an account stay unsent for long.
 */
async function requeueLostRefunds(ctx: Ctx): Promise<void> {
  let last: string | null = null;
  for (;;) {
    const lost: { id: string }[] = await ctx.db
      .q()
      .selectFrom('refunds')
      .select('id')
      .where('status', '=', 'pending')
      .where('provider_ref', 'is', null)
      .where('bank_reference', 'is', null)
      .where('created_at', '<', new Date(ctx.now().getTime() - DAY - HOUR))
      .$if(last !== null, (query) => query.where('id', '>', last))
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const { id } of lost) await enqueue(ctx, refundJob, { refundId: id }, { key: id });
    if (lost.length < BATCH) return;
    last = lost.at(-1)?.id ?? null;
  }
}

/** Opens a task for every refund that should have arrived by now: the buyer is waiting for it. */
async function reportOverdueRefunds(ctx: Ctx): Promise<void> {
  const overdue = await ctx.db
    .q()
    .selectFrom('refunds as r')
    .innerJoin('property_sales as s', 's.id', 'r.sale_id')
    .select(['r.sale_id', 'r.created_at'])
    .where('r.status', '=', 'pending')
    .where((where) =>
      where.or(
        paymentMethods.map((method) =>
          where.and([
            where('s.payment_method', '=', method),
            where('r.created_at', '<', new Date(ctx.now().getTime() - REFUND_DAYS[method] * DAY)),
          ]),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('admin_tasks as t')
            .select('t.id')
            .where('t.kind', '=', 'refund_overdue')
            .where('t.subject_id', '=', sql<string>`r.sale_id::text`)
            .where('t.closed_at', 'is', null),
        ),
      ),
    )
    .limit(BATCH)
    .execute();
  for (const { sale_id, created_at } of overdue)
    await openTask(ctx, {
      kind: 'refund_overdue',
      subjectId: sale_id,
      detail: `It was asked for on ${created_at.toUTCString()}.`,
    });
}
