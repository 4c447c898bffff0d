import { sql, type UpdateObject } from 'kysely';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { setAuditActor } from '#platform/audit-actor.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { recordHistory } from '../history.ts';
import { mailApproval, mailSentBack, mailStatus } from '../mails.ts';
import type { PropertyStatus } from '../model.ts';
import { isOwnershipMissing } from '../ownership-fact.ts';
import { mayMoveListing } from '../rules.ts';
import { isSellerGone } from '../seller-fact.ts';
import {
  type ListingActionRefusal,
  type ListingEffect,
  type ListingEvent,
  partyOf,
  resolveListingEvent,
} from '../transitions.ts';

interface MoveInput {
  propertyId: string;
  event: ListingEvent;
  /** why, for the history, the audit log and the seller */
  reason?: string;
  /** what its seller is told when it is sent back */
  note?: string;
}

type MoveResult = { ok: true; status: PropertyStatus } | { ok: false; reason: ListingActionRefusal };

/**
 * Performs one transition of a listing: the row, its history and the audit log in one transaction, in which a
 * database trigger notifies the watchers. The only code that changes a listing's status.
 * @throws Unauthenticated; Forbidden for an event that is not the actor's; NotFound for a deleted listing, and for
 * another seller's
 */
export async function moveListing(
  ctx: Ctx,
  { propertyId, event, reason, note }: MoveInput,
): Promise<MoveResult> {
  authorize(ctx, mayMoveListing(event));
  if (!isUuid(propertyId)) throw new NotFound('Property not found');
  return ctx.db.tx(async () => {
    // Lock first: beginning a purchase locks the property too, so a concurrent sale is visible once we hold it.
    const listing = await lockListing(ctx, propertyId, event);
    const resolution = resolveListingEvent(listing.status, event, {
      wasListed: listing.listed_at !== null,
      awaitsApproval: listing.needs_approval_since !== null,
      changedSinceApproval: listing.changed_since_approval_at !== null,
      ...(await saleFacts(ctx, propertyId)),
      ownershipMissing: await isOwnershipMissing(ctx, propertyId),
      sellerGone: await isSellerGone(ctx, propertyId),
    });
    if (!resolution.ok) return resolution;
    const { transition, status } = resolution;
    await setAuditActor(ctx);
    await ctx.db
      .q()
      .updateTable('properties')
      .set({
        status,
        ...columnsOf(transition.effects, ctx.now()),
        ...(note !== undefined && { review_note: note }),
      })
      .where('id', '=', propertyId)
      .execute();
    if (status !== listing.status)
      await recordHistory(ctx, propertyId, [
        { field: 'status', from: listing.status, to: status, ...(reason && { reason }) },
      ]);
    await audit(ctx, {
      action: `listing.${event}`,
      entity: 'property',
      entityId: propertyId,
      before: { status: listing.status },
      after: {
        status,
        ...(transition.effects.includes('mark_deleted') && { deleted: true }),
        ...(transition.effects.includes('explain_to_seller') && { reason }),
        ...(note !== undefined && { note }),
      },
    });
    if (transition.effects.includes('notify_seller')) await mailApproval(ctx, propertyId);
    if (transition.effects.includes('explain_to_seller'))
      await mailStatus(ctx, { propertyId, from: listing.status, to: status, reason: reason ?? '' });
    if (transition.effects.includes('notify_reason'))
      await mailSentBack(ctx, propertyId, { status, note: note ?? '' });
    return { ok: true, status };
  });
}

/** Holds the listing until the transaction ends; a seller reaches only their own. */
async function lockListing(ctx: Ctx, propertyId: string, event: ListingEvent) {
  const own = partyOf(event) === 'seller' && ctx.actor.kind === 'user' ? ctx.actor.agentId : null;
  const listing = await ctx.db
    .q()
    .selectFrom('properties')
    .select(['status', 'listed_at', 'changed_since_approval_at', 'needs_approval_since'])
    .where('id', '=', propertyId)
    .where('deleted_at', 'is', null)
    .$if(own !== null, (query) => query.where('agent_id', '=', own))
    .forUpdate()
    .executeTakeFirst();
  if (!listing) throw new NotFound('Property not found');
  return listing;
}

async function saleFacts(ctx: Ctx, propertyId: string) {
  const { rows } = await sql<{ beingBought: boolean; saleInEscrow: boolean; saleClosed: boolean }>`
    select held_by_sale(${propertyId}) as "beingBought",
      exists (select from property_sales
        where property_id = ${propertyId} and escrow_status = 'in_escrow') as "saleInEscrow",
      exists (select from property_sales
        where property_id = ${propertyId} and escrow_status = 'completed') as "saleClosed"`.execute(
    ctx.db.q(),
  );
  return rows[0] ?? { beingBought: false, saleInEscrow: false, saleClosed: false };
}

type Columns = UpdateObject<DB, 'properties'>;

/** The columns that each effect sets; telling the seller sets none. */
const effects: Record<ListingEffect, (now: Date) => Columns> = {
  start_days: (now) => ({ listed_at: sql<Date>`coalesce(listed_at, ${now}::timestamptz)` }),
  stop_days: (now) => ({ off_market_at: sql<Date>`coalesce(off_market_at, ${now}::timestamptz)` }),
  resume_days: (now) => ({
    // A pause counts by itself once the listing is Active.
    paused_seconds: sql<number>`paused_seconds + case when listed_at is null or paused_at is not null then 0 else
      coalesce(extract(epoch from ${now}::timestamptz - off_market_at), 0)::bigint end`,
  }),
  approve_content: () => ({ review_note: null, changed_since_approval_at: null, needs_approval_since: null }),
  pause_days: (now) => ({
    paused_at: sql<Date>`coalesce(paused_at, off_market_at, ${now}::timestamptz)`,
    off_market_at: null,
  }),
  notify_seller: () => ({}),
  explain_to_seller: () => ({}),
  notify_reason: () => ({}),
  join_queue: (now) => ({ submitted_at: now }),
  require_approval: (now) => ({ needs_approval_since: now }),
  // The form from which it was made is no repeat of it anymore: sent again, it is a new listing.
  mark_deleted: (now) => ({ deleted_at: now, draft_id: null }),
};

function columnsOf(names: readonly ListingEffect[], now: Date): Columns {
  const columns: Columns = {};
  for (const name of names) Object.assign(columns, effects[name](now));
  return columns;
}
