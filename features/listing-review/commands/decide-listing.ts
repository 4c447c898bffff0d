import { sql } from 'kysely';
import { moveListing } from '#features/listings/commands/move-listing.ts';
import type { PropertyStatus } from '#features/listings/model.ts';
import { actionRefusalMessages } from '#features/listings/rules.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import type { Decision, DecisionResult } from '../model.ts';
import { outcomeOf } from '../outcome.ts';
import { noteFrom } from '../reasons.ts';
import { CHANGED_MEANWHILE, mayReviewListings } from '../rules.ts';
import { waits } from '../sql.ts';
import { versionOf } from '../version.ts';

export interface DecisionInput {
  propertyId: string;
  decision: Decision;
  /** what the administrator has looked at; `version` of the queue or of the subject */
  version: string;
  /** why, for everything but an approval */
  reason?: string;
  message?: string;
}

/**
 * Decides about a listing that waits for an administrator: approves it, or sends it back to its seller with the reason.
 * Each listing is decided once: whoever comes second learns who has decided what. What its seller has changed since it
 * was looked at is not decided.
 * @throws Unauthenticated; Forbidden; NotFound when there is no such listing
 */
export async function decideListing(ctx: Ctx, input: DecisionInput): Promise<DecisionResult> {
  authorize(ctx, mayReviewListings);
  const { propertyId, decision } = input;
  if (!isUuid(propertyId)) throw new NotFound('Property not found');
  const reading =
    decision === 'approve' ? null : noteFrom({ reason: input.reason ?? '', message: input.message ?? '' });
  if (reading && !reading.ok) return { ok: false, reason: 'invalid', errors: reading.errors };
  return ctx.db.tx(async (): Promise<DecisionResult> => {
    const listing = await lockListing(ctx, propertyId);
    if (!listing.waits)
      return {
        ok: false,
        reason: 'not_waiting',
        why: await outcomeOf(ctx, propertyId, listing.deleted ? null : listing.status),
      };
    if (listing.version !== input.version) return { ok: false, reason: 'changed', why: CHANGED_MEANWHILE };
    const moved = await moveListing(ctx, {
      propertyId,
      event: decision,
      reason: reading?.note ?? 'approved',
      ...(reading && { note: reading.note }),
    });
    if (moved.ok) return moved;
    return {
      ok: false,
      reason: moved.reason === 'status' ? 'not_waiting' : moved.reason,
      why: actionRefusalMessages[moved.reason],
    };
  });
}

interface Locked {
  status: PropertyStatus;
  deleted: boolean;
  waits: boolean;
  version: string;
}

/** Holds the listing, deleted or not, until the transaction ends, then reads what it contains. */
async function lockListing(ctx: Ctx, id: string): Promise<Locked> {
  const q = ctx.db.q();
  await sql`select from properties where id = ${id} for update`.execute(q);
  // A statement of its own: the first one would not see photos that were added while it waited.
  const { rows } = await sql<Locked>`select p.status, p.deleted_at is not null as deleted, ${waits} as waits,
    ${versionOf('p')} as version from properties p where p.id = ${id}`.execute(q);
  const [row] = rows;
  if (!row) throw new NotFound('Property not found');
  return row;
}
