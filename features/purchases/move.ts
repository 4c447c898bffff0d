import type { Updateable } from 'kysely';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { publish } from '#platform/events/events.ts';
import { nameWriter } from '#platform/writer.ts';
import { apply } from './effects.ts';
import { tellParties } from './mails.ts';
import type { MoveResult, Party, SaleEvent } from './model.ts';
import { amountsOf, factsOf, type SaleRow, stateOf } from './sale-row.ts';
import { nextStep, type Transition } from './transitions.ts';

export interface Move {
  /** as read under lock in the running transaction */
  sale: SaleRow;
  event: SaleEvent;
  by: Party;
  /** why, in the words of whoever caused it */
  note?: string | null;
  /** the provider's dispute, where the event is about one */
  disputeRef?: string;
  /** which of its refunds, counted from 0, where the event is about one */
  refundNumber?: number;
  /** what else is known now, such as the provider's payment id */
  patch?: Updateable<DB['property_sales']>;
}

/**
 * Makes one move of the sale machine, whole: the row, its history, its audit, the property, the ledger, the refund to ask
 * for, and what the parties are told, all in the running transaction. The only place that changes a sale's state (B4-T).
 */
export async function moveSale(
  ctx: Ctx,
  { sale, event, by, note, disputeRef, refundNumber, patch }: Move,
): Promise<MoveResult> {
  const q = ctx.db.q();
  if (!q.isTransaction) throw new Error(`The sale ${sale.id} was moved outside a transaction`);
  const before = stateOf(sale);
  const step = nextStep(before, event, by, await factsOf(ctx, sale));
  if (!step.ok) {
    ctx.log.info({ sale: sale.id, event, by, reason: step.reason }, 'a move was refused');
    return step;
  }
  const { transition, state: after } = step;
  const moved = await q
    .updateTable('property_sales')
    .set({
      ...patch,
      stripe_payment_status: after.payment,
      escrow_status: after.escrow,
      payout_status: after.payout,
      ...(transition.effects.includes('receipt') && {
        sale_date: ctx.now(),
        receipt_number: (value) => value.fn<number>('nextval', [value.val('receipt_numbers')]),
      }),
    })
    .where('id', '=', sale.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await q
    .insertInto('sale_events')
    .values({
      sale_id: sale.id,
      event,
      actor_id: ctx.actor.kind === 'user' ? ctx.actor.id : null,
      actor_role: by,
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      note: note ?? null,
      created_at: ctx.now(),
    })
    .execute();
  await audit(ctx, { action: `sale.${event}`, entity: 'property_sale', entityId: sale.id, before, after });
  await moveProperty(ctx, moved, transition);
  for (const effect of transition.effects)
    await apply(ctx, effect, {
      sale: moved,
      by,
      note: note ?? null,
      disputeRef: disputeRef ?? null,
      refundNumber: refundNumber ?? null,
      amounts: amountsOf(moved),
    });
  await tell(ctx, moved, event, by);
  return { ok: true };
}

/** The property follows its sale (B-078); the guard of its table keeps the market's clock. */
async function moveProperty(ctx: Ctx, sale: SaleRow, { property, event }: Transition): Promise<void> {
  if (!property) return;
  const q = ctx.db.q();
  const from = property === 'escrow' ? 'Active' : 'escrow';
  await nameWriter(ctx);
  const changed = await q
    .updateTable('properties')
    .set({ status: property })
    .where('id', '=', sale.property_id)
    .where('status', '=', from)
    .returning('id')
    .executeTakeFirst();
  if (!changed) return;
  await q
    .insertInto('property_changes')
    .values({
      property_id: sale.property_id,
      changed_by: ctx.actor.kind === 'user' ? ctx.actor.id : null,
      field: 'status',
      previous_value: from,
      new_value: property,
      reason: `sale ${event}`,
      created_at: ctx.now(),
    })
    .execute();
}

async function tell(ctx: Ctx, sale: SaleRow, event: SaleEvent, by: Party): Promise<void> {
  const seller = await ctx.db
    .q()
    .selectFrom('agents')
    .select('user_id')
    .where('id', '=', sale.agent_id)
    .executeTakeFirst();
  const payload = { sale: sale.id, event };
  await publish(ctx, { audience: `user:${sale.buyer_id}`, type: 'sale.moved', payload });
  if (seller?.user_id)
    await publish(ctx, { audience: `user:${seller.user_id}`, type: 'sale.moved', payload });
  await publish(ctx, { audience: 'role:admin', type: 'sale.moved', payload });
  await tellParties(ctx, sale, event, by);
}
