import { sql, type UpdateObject } from 'kysely';
import type { Parts } from '#features/ledger/allocation.ts';
import { balancesOf } from '#features/ledger/balances.ts';
import { postEntry } from '#features/ledger/commands/post-entry.ts';
import { releasedPostings } from '#features/ledger/rules.ts';
import { documentsDueDays } from '#features/settings/reads.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { DAY, HOUR, SECOND } from '#platform/durations.ts';
import { askClosingDocuments } from './ask-closing-documents.ts';
import { nextDocumentsCheck, postponedDueAt } from './documents.ts';
import { loadBooks } from './load-books.ts';
import { PARTS_HOLD_MS, type Party, RELEASE_DAYS, RELEASE_GRACE_HOURS, SUBMITTED_HOLD_MS } from './model.ts';
import { queueOwedRefund } from './refund-request.ts';
import { amountsOf, type SaleRow } from './sale-row.ts';
import type { Effect, SaleFacts } from './transition.ts';

interface EffectContext {
  /** after the transition */
  sale: SaleRow;
  note: string | null;
  /** what a refund that failed was to return */
  again: Parts | undefined;
}

type Columns = UpdateObject<DB, 'property_sales'>;

/** The columns that effects set in the sale's own row, written together with its new state. `facts` are those before. */
export async function effectColumns(
  ctx: Ctx,
  effects: readonly Effect[],
  { by, facts }: { by: Party; facts: SaleFacts },
): Promise<Columns> {
  const columns: Columns = {};
  // It stays frozen while another cause is left: what the end of freezing brings comes with the last one.
  const stays = effects.includes('unfreeze') && facts.frozenBy > 0;
  const effective = stays ? effects.filter((effect) => !FOLLOW_UNFREEZING.includes(effect)) : effects;
  for (const effect of effective) Object.assign(columns, await columnsOf(ctx, effect, by, facts));
  return columns;
}

const FOLLOW_UNFREEZING: readonly Effect[] = [
  'unfreeze',
  'postpone_hold',
  'postpone_release',
  'postpone_documents',
];

async function columnsOf(ctx: Ctx, effect: Effect, by: Party, facts: SaleFacts): Promise<Columns> {
  const later = (ms: number) => new Date(ctx.now().getTime() + ms);
  // One that begins while the sale is frozen gets the time since then when it goes on.
  const heldFor = (ms: number) => ({
    locked_until: sql<Date>`coalesce(frozen_at, ${ctx.now()}::timestamptz) + make_interval(secs => ${ms / SECOND})`,
  });
  switch (effect) {
    case 'start_documents_timer': {
      const dueAt = later((await documentsDueDays(ctx)) * DAY);
      return { documents_due_at: dueAt, documents_check_at: nextDocumentsCheck(dueAt, ctx.now()) };
    }
    case 'postpone_documents': {
      const dueAt = postponedDueAt(facts);
      return dueAt ? { documents_due_at: dueAt, documents_check_at: ctx.now() } : {};
    }
    case 'note_overdue':
      return { documents_overdue_at: ctx.now(), documents_check_at: null };
    case 'post_released':
      return { released_at: ctx.now() };
    case 'extend_hold':
      return heldFor(SUBMITTED_HOLD_MS);
    case 'hold_for_rest':
      return heldFor(PARTS_HOLD_MS);
    case 'end_hold':
      return { locked_until: null, checkout_url: null };
    case 'postpone_hold':
      // The buyer was told not to pay meanwhile.
      return {
        locked_until: sql<Date | null>`case when escrow_status = 'pending' and frozen_at is not null
          then locked_until + (${ctx.now()}::timestamptz - frozen_at) else locked_until end`,
      };
    case 'start_release_timer':
      return { documents_delivered_at: ctx.now(), release_due_at: later(RELEASE_DAYS * DAY) };
    case 'end_release_timer': {
      // A date that had passed before the delivery stays: malware gains a late seller no time.
      const dueAt = sql<Date>`case when documents_due_at < documents_delivered_at then documents_due_at
        else greatest(documents_due_at, ${later(RELEASE_GRACE_HOURS * HOUR)}::timestamptz) end`;
      return {
        documents_delivered_at: null,
        release_due_at: null,
        documents_due_at: dueAt,
        documents_check_at: ctx.now(),
        documents_overdue_at: null,
      };
    }
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
      return { frozen_at: sql<Date>`coalesce(frozen_at, ${ctx.now()}::timestamptz)` };
    case 'unfreeze':
      return { frozen_at: null };
    case 'note_property_gone':
      return facts.propertyGone
        ? { property_gone_at: sql<Date>`coalesce(property_gone_at, ${ctx.now()}::timestamptz)` }
        : {};
    case 'note_paid_out':
      return { payout_date: ctx.now() };
    case 'forget_paid_out':
      return { payout_date: null };
    default:
      return {};
  }
}

/** Performs one side effect of a transition outside the sale's own row, in the current database transaction. */
export async function applyEffect(
  ctx: Ctx,
  effect: Effect,
  { sale, note, again }: EffectContext,
): Promise<void> {
  switch (effect) {
    case 'receipt':
    case 'extend_hold':
    case 'hold_for_rest':
    case 'end_hold':
    case 'postpone_hold':
    case 'start_documents_timer':
    case 'postpone_documents':
    case 'note_overdue':
    case 'start_release_timer':
    case 'end_release_timer':
    case 'postpone_release':
    case 'note_cancellation':
    case 'forget_cancellation':
    case 'freeze':
    case 'unfreeze':
    case 'note_property_gone':
    case 'note_paid_out':
    case 'forget_paid_out':
      return; // written together with the state: see effectColumns
    case 'post_released':
      await postReleased(ctx, sale);
      return askClosingDocuments(ctx, sale.id);
    case 'ask_refund':
      return queueOwedRefund(ctx, sale, { reason: note ?? 'The sale was cancelled.' });
    case 'ask_refund_again':
      return queueOwedRefund(ctx, sale, { reason: note ?? 'The refund failed before.', again });
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
        .where('kind', '=', 'problem')
        .execute();
      return;
  }
}

/** Releases what is still held. Entries are always posted by the system, whoever triggered the transition. */
async function postReleased(ctx: Ctx, sale: SaleRow): Promise<void> {
  const system = asSystem(ctx, 'purchases');
  const { entries } = await loadBooks(ctx, sale.id);
  const postings = releasedPostings(amountsOf(sale), balancesOf(entries));
  if (postings.length === 0) return;
  await postEntry(system, {
    key: `released:${sale.id}`,
    kind: 'L2',
    saleId: sale.id,
    memo: 'Escrow released',
    postings,
  });
}
