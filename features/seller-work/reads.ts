import { sql } from 'kysely';
import type { PropertyStatus } from '#features/listings/model.ts';
import { authorizedSeller } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import {
  type Listed,
  MOST_LISTED,
  type SellerWork,
  type SentBackListing,
  type WaitingSale,
} from './model.ts';
import { maySeeOwnWork } from './rules.ts';

const NOTHING = { entries: [], total: 0 };

/**
 * What waits for the seller. A suspended seller is shown nothing that a suspended seller cannot do, which leaves the sales.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function ownWork(ctx: Ctx): Promise<SellerWork> {
  const { agentId, suspended } = authorizedSeller(ctx, maySeeOwnWork);
  if (suspended)
    return { replies: null, sales: await waitingSales(ctx, agentId), sentBack: NOTHING, payouts: null };
  const [replies, sales, sentBack, payouts] = await Promise.all([
    waitingReplies(ctx, agentId),
    waitingSales(ctx, agentId),
    sentBackListings(ctx, agentId),
    missingPayouts(ctx, agentId),
  ]);
  return { replies, sales, sentBack, payouts };
}

/** The same conversations as the inbox lists under 'needs response'. */
async function waitingReplies(ctx: Ctx, agentId: string): Promise<SellerWork['replies']> {
  const { rows } = await sql<{ count: number; since: Date | null }>`
    select count(*)::integer as count, min(i.last_message_at) as since
    from property_inquiries i join properties p on p.id = i.property_id
    where p.agent_id = ${agentId} and i.status = 'pending'`.execute(ctx.db.q());
  const [found] = rows;
  return found?.since ? { count: found.count, since: found.since.toISOString() } : null;
}

interface SaleRow {
  id: string;
  address: string;
  due_at: Date | null;
  cancellation: boolean;
  total: number;
}

/**
 * Sales in escrow whose next step is the seller's: to deliver the closing documents, or to answer the buyer's request for a
 * cancellation. A request that came after the documents were overdue is for the buyer to decide, and while an administrator
 * or a bank decides something, nobody else acts.
 */
async function waitingSales(ctx: Ctx, agentId: string): Promise<Listed<WaitingSale>> {
  const now = ctx.now();
  const { rows } = await sql<SaleRow>`
    select s.id, p.address, s.documents_due_at as due_at, s.cancellation_requested_by is not null as cancellation,
      count(*) over ()::integer as total
    from property_sales s join properties p on p.id = s.property_id
    where s.agent_id = ${agentId} and s.escrow_status = 'in_escrow' and s.frozen_at is null
      and not exists (select from disputes d where d.sale_id = s.id and d.status = 'open' and d.kind = 'problem')
      and case when s.cancellation_requested_by is null then s.documents_delivered_at is null
        else s.cancellation_requested_by = 'buyer' and (s.documents_delivered_at is not null
          or s.documents_due_at is null or s.documents_due_at > ${now}
          or s.cancellation_requested_at < s.documents_due_at) end
    order by s.documents_due_at nulls last, s.id limit ${MOST_LISTED}`.execute(ctx.db.q());
  return {
    entries: rows.map(({ id, address, due_at, cancellation }) => ({
      saleId: id,
      address,
      step: cancellation ? 'cancellation' : 'documents',
      dueAt: cancellation ? null : (due_at?.toISOString() ?? null),
      overdue: !cancellation && due_at !== null && due_at <= now,
    })),
    total: rows[0]?.total ?? 0,
  };
}

interface ListingRow {
  id: string;
  address: string;
  status: PropertyStatus;
  note: string | null;
  total: number;
}

async function sentBackListings(ctx: Ctx, agentId: string): Promise<Listed<SentBackListing>> {
  const { rows } = await sql<ListingRow>`
    select p.id, p.address, p.status, p.review_note as note, count(*) over ()::integer as total
    from properties p
    where p.agent_id = ${agentId} and p.deleted_at is null and p.status in ('changes_requested', 'rejected')
    order by p.updated_at desc, p.id limit ${MOST_LISTED}`.execute(ctx.db.q());
  return {
    entries: rows.map(({ id, address, status, note }) => ({ id, address, status, note })),
    total: rows[0]?.total ?? 0,
  };
}

async function missingPayouts(ctx: Ctx, agentId: string): Promise<SellerWork['payouts']> {
  const { payout_status: status, preferred_payout_method: method } = await ctx.db
    .q()
    .selectFrom('agents')
    .select(['payout_status', 'preferred_payout_method'])
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow();
  if (status === 'complete') return null;
  return method === null ? 'not_set' : 'pending';
}
