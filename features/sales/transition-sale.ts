import type { Updateable } from 'kysely';
import type { Parts } from '#features/ledger/allocation.ts';
import { moveListing } from '#features/listings/commands/move-listing.ts';
import type { PropertyStatus } from '#features/listings/model.ts';
import type { ListingEvent } from '#features/listings/transitions.ts';
import { closeTasks } from '#features/tasks/commands/close-tasks.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import type { TaskKind } from '#features/tasks/model.ts';
import { audit } from '#platform/audit.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { announceSale } from './announce-sale.ts';
import { applyEffect, effectColumns } from './effects.ts';
import { queuePartyMails } from './mails.ts';
import type { Party, SaleEvent, TransitionResult } from './model.ts';
import { factsOf, type SaleRow, stateOf } from './sale-row.ts';
import { eventLabels } from './timeline.ts';
import type { SaleFacts, Transition } from './transition.ts';
import { resolveTransition } from './transitions.ts';

/** The sale after the transition, still locked. */
interface MovedSale {
  ok: true;
  sale: SaleRow;
}
type Refusal = Extract<TransitionResult, { ok: false }>;

interface TransitionInput {
  /** as read with a lock in the current transaction */
  sale: SaleRow;
  event: SaleEvent;
  by: Party;
  /** why, as written by whoever triggered it */
  note?: string | null;
  /** the amount that mails name; by default the whole payment */
  amountCents?: number | undefined;
  /** what a refund that failed was to return */
  again?: Parts | undefined;
  /** further columns to set, such as the provider's payment id */
  patch?: Updateable<DB['property_sales']>;
}

/**
 * Performs one transition of a sale: the row, its history, the audit log, the property, the ledger, a refund if one is due,
 * and the notifications, all in the current transaction. The only place that changes a sale's state.
 * @throws Error outside a transaction
 */
export async function transitionSale(
  ctx: Ctx,
  { sale, event, by, note, amountCents, again, patch }: TransitionInput,
): Promise<MovedSale | Refusal> {
  const q = ctx.db.q();
  if (!q.isTransaction) throw new Error(`The sale ${sale.id} was moved outside a transaction`);
  const before = stateOf(sale);
  const facts = await factsOf(ctx, sale);
  const resolution = resolveTransition(before, event, by, facts);
  if (!resolution.ok) {
    ctx.log.info({ sale: sale.id, event, by, reason: resolution.reason }, 'a move was refused');
    return resolution;
  }
  const { transition, state: after } = resolution;
  const updatedSale = await q
    .updateTable('property_sales')
    .set({
      ...patch,
      stripe_payment_status: after.payment,
      escrow_status: after.escrow,
      payout_status: after.payout,
      // What is due next depends on the state, so it is checked with the provider anew.
      next_ask_at: ctx.now(),
      ...(await effectColumns(ctx, transition.effects, { by, facts })),
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
  await updatePropertyStatus(ctx, updatedSale, transition);
  for (const effect of transition.effects)
    await applyEffect(ctx, effect, { sale: updatedSale, note: note ?? null, again });
  await updateTasks(ctx, updatedSale, transition, { note, facts });
  await notifyParties(ctx, updatedSale, {
    event,
    by,
    amountCents: amountCents ?? updatedSale.total_cents,
    note: note ?? null,
    wasFrozen: facts.frozen,
    hasEnded: before.escrow !== 'cancelled' && after.escrow === 'cancelled',
  });
  return { ok: true, sale: updatedSale };
}

const listingEvents: Partial<Record<PropertyStatus, ListingEvent>> = {
  escrow: 'begin_escrow',
  Active: 'release_escrow',
  Sold: 'sell',
};

/** The property's status follows its sale; one that stands otherwise stays as it is. */
async function updatePropertyStatus(ctx: Ctx, sale: SaleRow, { property, event }: Transition): Promise<void> {
  const move = property && listingEvents[property];
  if (move) await moveListing(ctx, { propertyId: sale.property_id, event: move, reason: `sale ${event}` });
}

const aboutDisputes: readonly TaskKind[] = ['dispute_opened', 'evidence_refused'];

/** Tasks belong to the system, whoever triggered the transition. */
async function updateTasks(
  ctx: Ctx,
  { id }: SaleRow,
  { event, opensTask, closesTasks = [] }: Transition,
  { note, facts }: { note: string | null | undefined; facts: SaleFacts },
): Promise<void> {
  const system = asSystem(ctx, 'purchases');
  // Another dispute of the same payment may still be open.
  const kinds = closesTasks.filter((kind) => !aboutDisputes.includes(kind) || !facts.chargebackOpen);
  await closeTasks(system, { kinds, subjectId: id, resolution: eventLabels[event] });
  if (opensTask) await openTask(system, { kind: opensTask, subjectId: id, detail: note });
}

async function notifyParties(
  ctx: Ctx,
  sale: SaleRow,
  mails: Parameters<typeof queuePartyMails>[2],
): Promise<void> {
  await announceSale(ctx, sale, mails.event);
  await queuePartyMails(ctx, sale, mails);
}
