import type { Updateable } from 'kysely';
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
import { publish } from '#platform/events/events.ts';
import { type Party, RELEASE_DAYS, SUBMITTED_HOLD_MS } from './model.ts';
import { queueRefund } from './refund-queue.ts';
import type { SaleRow } from './sale-row.ts';
import type { Effect } from './transitions.ts';

const DAY_MS = 86_400_000;

interface Situation {
  /** after the move */
  sale: SaleRow;
  by: Party;
  note: string | null;
  /** the provider's dispute, where it is about one */
  disputeRef: string | null;
  /** which of its refunds, counted from 0, where it is about one */
  refundNumber: number | null;
  amounts: SaleAmounts;
}

/** Does what a transition does beside the state, in the running transaction. */
export async function apply(
  ctx: Ctx,
  effect: Effect,
  { sale, by, note, disputeRef, refundNumber, amounts }: Situation,
): Promise<void> {
  const set = (change: Updateable<DB['property_sales']>) =>
    ctx.db.q().updateTable('property_sales').set(change).where('id', '=', sale.id).execute();
  const later = (ms: number) => new Date(ctx.now().getTime() + ms);
  switch (effect) {
    case 'receipt':
      return; // written with the state itself, which may not stand without it
    case 'post_paid':
      return post(ctx, sale, 'L1', 'paid', 'Payment received', paidPostings(amounts));
    case 'post_released':
      return post(ctx, sale, 'L2', 'released', 'Escrow released', releasedPostings(amounts));
    case 'post_refund':
      return post(
        ctx,
        sale,
        'L4',
        `refunded:${refundNumber}`,
        'Payment refunded',
        reversedPostings(paidPostings(amounts)),
      );
    case 'post_refund_back':
      return post(
        ctx,
        sale,
        'L4',
        `refund-returned:${refundNumber}`,
        'Refund came back',
        paidPostings(amounts),
      );
    case 'post_disputed':
      return post(
        ctx,
        sale,
        'L5',
        `disputed:${disputeRef}`,
        'Payment disputed',
        disputedPostings(sale.total_cents),
      );
    case 'post_won':
      return post(
        ctx,
        sale,
        'L5',
        `dispute-won:${disputeRef}`,
        'Dispute won',
        reversedPostings(disputedPostings(sale.total_cents)),
      );
    case 'post_lost':
      return post(ctx, sale, 'L5', `dispute-lost:${disputeRef}`, 'Dispute lost', lostPostings(amounts));
    case 'ask_refund':
      return queueRefund(ctx, sale, note ?? 'The sale was cancelled.');
    case 'ask_refund_again':
      return queueRefund(ctx, sale, note ?? 'The refund failed before.');
    case 'extend_hold':
      await set({ locked_until: later(SUBMITTED_HOLD_MS) });
      return;
    case 'end_hold':
      await set({ locked_until: null, checkout_url: null });
      return;
    case 'start_release_timer':
      await set({ documents_delivered_at: ctx.now(), release_due_at: later(RELEASE_DAYS * DAY_MS) });
      return;
    case 'note_cancellation':
      await set({
        cancellation_requested_at: ctx.now(),
        cancellation_requested_by: by === 'seller' ? 'seller' : by === 'admin' ? 'admin' : 'buyer',
      });
      return;
    case 'forget_cancellation':
      await set({ cancellation_requested_at: null, cancellation_requested_by: null });
      return;
    case 'freeze':
      await set({ frozen_at: ctx.now() });
      return;
    case 'unfreeze':
      await set({ frozen_at: null });
      return;
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
    case 'tell_admins':
      await publish(ctx, { audience: 'role:admin', type: 'sale.attention', payload: { sale: sale.id } });
      return;
  }
}

/** The ledger is written by the machine, whoever pressed the button. */
async function post(
  ctx: Ctx,
  sale: SaleRow,
  kind: EntryKind,
  step: string,
  memo: string,
  postings: Posting[],
): Promise<void> {
  const system: Ctx = { ...ctx, actor: { kind: 'system', name: 'purchases' } };
  await postEntry(system, { key: `${step}:${sale.id}`, kind, saleId: sale.id, memo, postings });
}
