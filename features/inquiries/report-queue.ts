import { sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import type { Ctx } from '#platform/context.ts';
import { type BoundedCount, lastPageOf } from '#platform/counts.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import type { ReportDecision, ReportedConversation, ReportQueue } from './oversight-model.ts';

/** Reports on one page of their queue. */
export const REPORTS_PAGE_SIZE = 25;

const whereOf = (state: 'open' | 'decided') =>
  sql`resolved_at is ${state === 'open' ? sql`null` : sql`not null`}`;

/**
 * SQL: joins as `a` the seller whom the report `r` concerns, in the conversation `i` about the property `p`, which an administrator may
 * have given to another seller before or after. A buyer reports whoever wrote to them last; otherwise it is the one who had the property
 * when it was reported.
 */
const joinSeller = sql`
  left join lateral (select m.sender_id from inquiry_messages m
    where m.inquiry_id = i.id and m.sender_id <> i.user_id and r.reported_by = i.user_id and m.created_at <= r.created_at
    order by m.created_at desc, m.id desc limit 1) last on true
  left join agents a on a.id = case when last.sender_id is not null then (select id from agents where user_id = last.sender_id)
    else coalesce((select c.previous_value::uuid from property_changes c
      where c.property_id = p.id and c.field = 'agent_id' and c.created_at > r.created_at
      order by c.created_at, c.id limit 1), p.agent_id) end`;

/** What a seller is called whose record was deleted. */
const DELETED_SELLER = 'A former seller';

/** The seller whom a report concerns; all but the name is null for one who was deleted. */
export async function sellerOfReport(ctx: Ctx, reportId: string): Promise<SellerOfReport> {
  const { rows } = await sql<SellerOfReport>`
    select a.id as "agentId", a.user_id as id, coalesce(a.name, ${DELETED_SELLER}) as name, a.email
    from inquiry_reports r
      join property_inquiries i on i.id = r.inquiry_id
      join properties p on p.id = i.property_id
      ${joinSeller}
    where r.id = ${reportId}`.execute(ctx.db.q());
  return rows[0] ?? { agentId: null, id: null, name: DELETED_SELLER, email: null };
}

interface SellerOfReport {
  agentId: string | null;
  /** of the account; null before the registration */
  id: string | null;
  name: string;
  email: string | null;
}

/** The number of reports that wait for a decision, or have one. */
export const reportCount = (ctx: Ctx, state: 'open' | 'decided'): Promise<BoundedCount> =>
  boundedCount(ctx, sql`from inquiry_reports where ${whereOf(state)}`);

/** A page of reports: open ones the oldest first, decided ones the latest first. */
export async function readReports(
  ctx: Ctx,
  state: 'open' | 'decided',
  { page, size }: { page: number; size: number },
): Promise<ReportQueue> {
  const total = await reportCount(ctx, state);
  const pages = lastPageOf(total, size);
  const shown = Math.min(page, pages);
  const order = state === 'open' ? sql`r.created_at, r.id` : sql`r.resolved_at desc, r.id`;
  const { rows } = await sql<Row>`
    select r.id, r.inquiry_id, r.reason, r.created_at, r.resolved_at, r.decision, r.decision_note,
      d.name as decided_by, p.id as property_id, p.address, p.city, p.state as state_code, p.zip,
      r.reported_by = i.user_id as by_buyer, b.name as buyer, bp.role = 'agent' as buyer_sells, coalesce(a.name, ${DELETED_SELLER}) as seller
    from inquiry_reports r
      join property_inquiries i on i.id = r.inquiry_id
      join properties p on p.id = i.property_id
      ${joinSeller}
      join users b on b.id = i.user_id
      join profiles bp on bp.id = b.id
      left join users d on d.id = r.decided_by
    where r.${whereOf(state)}
    order by ${order} limit ${size} offset ${(shown - 1) * size}`.execute(ctx.db.q());
  return { rows: rows.map(reportFrom), total, page: shown, pages };
}

interface Row {
  id: string;
  inquiry_id: string;
  reason: string;
  created_at: Date;
  resolved_at: Date | null;
  decision: ReportDecision | null;
  decision_note: string | null;
  decided_by: string | null;
  property_id: string;
  address: string;
  city: string;
  state_code: string;
  zip: string;
  by_buyer: boolean;
  buyer: string;
  buyer_sells: boolean;
  seller: string;
}

function reportFrom(row: Row): ReportedConversation {
  const buyer = { side: 'buyer', name: row.buyer } as const;
  const seller = { side: 'seller', name: row.seller } as const;
  const { resolved_at, decision } = row;
  return {
    id: row.id,
    inquiryId: row.inquiry_id,
    property: {
      id: row.property_id,
      address: row.address,
      town: townLine({ city: row.city, state: row.state_code, zip: row.zip }),
    },
    reporter: row.by_buyer ? buyer : seller,
    reported: row.by_buyer ? { ...seller, isSeller: true } : { ...buyer, isSeller: row.buyer_sells },
    reason: row.reason,
    at: row.created_at.toISOString(),
    decided:
      resolved_at && decision
        ? { decision, by: row.decided_by ?? '', note: row.decision_note, at: resolved_at.toISOString() }
        : null,
  };
}
