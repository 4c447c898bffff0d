import { sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import type { PropertyStatus } from '#features/listings/model.ts';
import type { OwnershipStatus } from '#features/listings/ownership.ts';
import { ownListing } from '#features/listings/reads.ts';
import { ownershipProofRequired } from '#features/settings/reads.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { type BoundedCount, lastPageOf } from '#platform/counts.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import type {
  ListedProof,
  ListingOwnership,
  OwnOwnership,
  ProofList,
  ProofSubject,
  ProofTab,
} from './model.ts';
import { outcomeOf } from './outcome.ts';
import { documentJoin, type ProofRow, proofColumns, proofFrom } from './proof-rows.ts';
import { mayDecideOwnership } from './rules.ts';
import { comparedVersion } from './version.ts';

/** Proofs on one page of the administrators' lists. */
const PROOF_PAGE_SIZE = 25;

/**
 * What is known of the ownership of one of the seller's own listings.
 * @throws Unauthenticated; Forbidden for everyone but sellers; NotFound for any other listing
 */
export async function ownOwnership(ctx: Ctx, { propertyId }: { propertyId: string }): Promise<OwnOwnership> {
  const { id, agentId, status, row } = await ownListing(ctx, { propertyId });
  const { rows } = await sql<ProofRow>`select ${proofColumns} from ownership_proofs o ${documentJoin}
    where o.property_id = ${id} and o.agent_id = ${agentId} and o.status <> 'replaced'
    order by o.created_at desc limit 1`.execute(ctx.db.q());
  return {
    listing: { id, address: row.address, town: townLine(row), status },
    proof: rows[0] ? proofFrom(rows[0]) : null,
    required: await ownershipProofRequired(ctx),
  };
}

/**
 * How many proofs wait for an administrator.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function waitingProofs(ctx: Ctx): Promise<BoundedCount> {
  authorize(ctx, mayDecideOwnership);
  return boundedCount(ctx, lists.waiting.from);
}

const lists = {
  waiting: {
    from: sql`from ownership_proofs o where o.status = 'waiting'`,
    at: sql<Date>`o.created_at`,
    order: sql`o.created_at, o.id`,
  },
  decided: {
    from: sql`from ownership_proofs o where o.status in ('verified', 'refused', 'withdrawn')`,
    at: sql<Date>`coalesce(o.ended_at, o.decided_at)`,
    order: sql`coalesce(o.ended_at, o.decided_at) desc, o.id`,
  },
};

/**
 * The proofs that wait for a decision, oldest first, or those that were decided or withdrawn, latest first; 25 a page unless `size` says otherwise.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function proofList(
  ctx: Ctx,
  { tab, page, size }: { tab: ProofTab; page: number; size?: number | null },
): Promise<ProofList> {
  authorize(ctx, mayDecideOwnership);
  const { from, at, order } = lists[tab];
  const total = await boundedCount(ctx, from);
  const limit = size ?? PROOF_PAGE_SIZE;
  const pages = lastPageOf(total, limit);
  const current = Math.min(Math.max(1, Math.trunc(page)), pages);
  const { rows } = await sql<Omit<ListedProof, 'at'> & { at: Date }>`
    select o.id, p.address, a.name as "sellerName", o.status, ${at} as at, coalesce(d.scan = 'held', false) as held
    from (select o.* ${from} order by ${order} limit ${limit} offset ${(current - 1) * limit}) o
      join properties p on p.id = o.property_id join agents a on a.id = o.agent_id ${documentJoin}
    order by ${order}`.execute(ctx.db.q());
  return {
    rows: rows.map((row) => ({ ...row, at: row.at.toISOString() })),
    total,
    page: current,
    pages,
  };
}

interface SubjectRow extends Omit<ProofRow, 'status'> {
  status: OwnershipStatus | 'replaced';
  property_id: string;
  listing_address: string;
  listing_status: PropertyStatus;
  is_public: boolean;
  agent_id: string;
  seller_name: string;
  seller_email: string;
  decided_by: string | null;
  decider: string | null;
  version: string;
}

/**
 * A proof with what an administrator compares it with, whether it still waits or not.
 * @param of the proof, or the listing whose latest proof is meant
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound
 */
export async function proofSubject(
  ctx: Ctx,
  of: { proofId: string } | { propertyId: string },
): Promise<ProofSubject> {
  authorize(ctx, mayDecideOwnership);
  const id = 'proofId' in of ? of.proofId : of.propertyId;
  if (!isUuid(id)) throw new NotFound('Proof of ownership not found');
  const { rows } = await sql<SubjectRow>`
    select ${proofColumns}, o.property_id, o.agent_id, o.decided_by, u.name as decider, address_line(p) as listing_address,
      p.status as listing_status, p.is_public, a.name as seller_name, a.email as seller_email, ${comparedVersion} as version
    from ownership_proofs o join properties p on p.id = o.property_id join agents a on a.id = o.agent_id ${documentJoin}
      left join users u on u.id = o.decided_by
    where ${'proofId' in of ? sql`o.id = ${id}` : sql`o.property_id = ${id} and o.status <> 'replaced'`}
    order by o.created_at desc limit 1`.execute(ctx.db.q());
  const [row] = rows;
  if (!row) throw new NotFound('Proof of ownership not found');
  const { listing_status: status } = row;
  return {
    // One that was replaced no longer counts, whatever is left of it.
    proof: proofFrom({ ...row, status: row.status === 'replaced' ? 'withdrawn' : row.status }),
    listing: {
      id: row.property_id,
      address: row.listing_address,
      status,
      hasPublicPage: row.is_public || status === 'escrow' || status === 'Sold',
    },
    seller: { id: row.agent_id, name: row.seller_name, email: row.seller_email },
    decidedBy: row.decider,
    version: row.version,
    outcome: outcomeOf(ctx, row),
  };
}

/**
 * What the review of a listing shows of its ownership: the latest proof of its seller.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function ownershipOfListing(
  ctx: Ctx,
  { propertyId }: { propertyId: string },
): Promise<ListingOwnership> {
  authorize(ctx, mayDecideOwnership);
  const required = await ownershipProofRequired(ctx);
  if (!isUuid(propertyId)) return { proof: null, required };
  const { rows } = await sql<ProofRow>`select ${proofColumns} from ownership_proofs o
      join properties p on p.id = o.property_id and p.agent_id = o.agent_id ${documentJoin}
    where o.property_id = ${propertyId} and o.status <> 'replaced' order by o.created_at desc limit 1`.execute(
    ctx.db.q(),
  );
  return { proof: rows[0] ? proofFrom(rows[0]) : null, required };
}
