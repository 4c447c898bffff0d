import { sql, type UpdateObject } from 'kysely';
import { postEntry } from '#features/ledger/commands/post-entry.ts';
import type { EntryKind, Posting, SaleAmounts } from '#features/ledger/model.ts';
import {
  disputedPostings,
  lostPostings,
  paidPostings,
  releasedPostings,
  reversedPostings,
} from '#features/ledger/rules.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { type Party, RELEASE_DAYS, RELEASE_GRACE_HOURS, SUBMITTED_HOLD_MS } from './model.ts';
import { queueRefund } from './refund-request.ts';
import type { SaleRow } from './sale-row.ts';
import type { Effect } from './transitions.ts';

interface EffectContext {
  /** after the transition */
  sale: SaleRow;
  note: string | null;
  /** the provider's dispute, where it is about one */
  disputeRef: string | null;
  /** which of its refunds, counted from 0, where it is about one */
  refundNumber: number | null;
  amounts: SaleAmounts;
}

type Columns = UpdateObject<DB, 'property_sales'>;

/** The columns that effects set in the sale's own row, written together with its new state. */
export function effectColumns(ctx: Ctx, effects: readonly Effect[], by: Party): Columns {
  const columns: Columns = {};
  for (const effect of effects) Object.assign(columns, columnsOf(ctx, effect, by));
  return columns;
}

function columnsOf(ctx: Ctx, effect: Effect, by: Party): Columns {
  const later = (ms: number) => new Date(ctx.now().getTime() + ms);
  switch (effect) {
    case 'extend_hold':
      return { locked_until: later(SUBMITTED_HOLD_MS) };
    case 'end_hold':
      return { locked_until: null, checkout_url: null };
    case 'start_release_timer':
      return { documents_delivered_at: ctx.now(), release_due_at: later(RELEASE_DAYS * DAY) };
    case 'postpone_release':
      return {
        release_due_at: sql<Date | null>`case when release_due_at is not null then
          greatest(release_due_at, ${later(RELEASE_GRACE_HOURS * HOUR)}::timestamptz) end`,
      };
    case 'note_cancellation':
      return {
        cancellation_requested_at: ctx.now(),
        cancellation_requested_by: by === 'seller' ? 'seller' : by === 'admin' ? 'admin' : 'buyer',
      };
    case 'forget_cancellation':
      return { cancellation_requested_at: null, cancellation_requested_by: null };
    case 'freeze':
      return { frozen_at: ctx.now() };
    case 'unfreeze':
      return { frozen_at: null };
    default:
      return {};
  }
}

/** Performs one side effect of a transition outside the sale's own row, in the current database transaction. */
export async function applyEffect(
  ctx: Ctx,
  effect: Effect,
  { sale, note, disputeRef, refundNumber, amounts }: EffectContext,
): Promise<void> {
  switch (effect) {
    case 'receipt':
    case 'extend_hold':
    case 'end_hold':
    case 'start_release_timer':
    case 'postpone_release':
    case 'note_cancellation':
    case 'forget_cancellation':
    case 'freeze':
    case 'unfreeze':
      return; // written together with the state: see effectColumns
    case 'post_paid':
      return postSaleEntry(ctx, sale, 'L1', 'paid', 'Payment received', paidPostings(amounts));
    case 'post_released':
      return postSaleEntry(ctx, sale, 'L2', 'released', 'Escrow released', releasedPostings(amounts));
    case 'post_refund':
      return postSaleEntry(
        ctx,
        sale,
        'L4',
        `refunded:${refundNumber}`,
        'Payment refunded',
        reversedPostings(paidPostings(amounts)),
      );
    case 'post_refund_back':
      return postSaleEntry(
        ctx,
        sale,
        'L4',
        `refund-returned:${refundNumber}`,
        'Refund came back',
        paidPostings(amounts),
      );
    case 'post_disputed':
      return postSaleEntry(
        ctx,
        sale,
        'L5',
        `disputed:${disputeRef}`,
        'Payment disputed',
        disputedPostings(sale.total_cents),
      );
    case 'post_won':
      return postSaleEntry(
        ctx,
        sale,
        'L5',
        `dispute-won:${disputeRef}`,
        'Dispute won',
        reversedPostings(disputedPostings(sale.total_cents)),
      );
    case 'post_lost':
      return postSaleEntry(
        ctx,
        sale,
        'L5',
        `dispute-lost:${disputeRef}`,
        'Dispute lost',
        lostPostings(amounts),
      );
    case 'ask_refund':
      return queueRefund(ctx, sale, note ?? 'The sale was cancelled.');
    case 'ask_refund_again':
      return queueRefund(ctx, sale, note ?? 'The refund failed before.');
    case 'open_problem':
      await ctx.db
        .q()
        .insertInto('disputes')
        .values({
          sale_id: sale.id,
          opened_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
          reason: note ?? '',
          created_at: ctx.now(),
        })
        .execute();
      return;
    case 'close_problem':
      await ctx.db
        .q()
        .updateTable('disputes')
        .set({ status: 'withdrawn', closed_at: ctx.now() })
        .where('sale_id', '=', sale.id)
        .where('status', '=', 'open')
        .where('provider_ref', 'is', null)
        .execute();
      return;
  }
}

/** Ledger entries are always posted by the system, whoever triggered the transition. */
async function postSaleEntry(
  ctx: Ctx,
  sale: SaleRow,
  kind: EntryKind,
  step: string,
  memo: string,
  postings: Posting[],
): Promise<void> {
  const system: Ctx = { ...ctx, actor: { kind: 'system', name: 'purchases' } };
  await postEntry(system, {
    key: `${step}:${sale.id}`,
    kind,
    saleId: sale.id,
    providerAccountId: sale.provider_account_id,
    memo,
    postings,
  });
}
