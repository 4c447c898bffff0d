import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import type { NotDecided, SelectedListing } from '../model.ts';
import { MOST_APPROVED, mayReviewListings } from '../rules.ts';
import { decideListing } from './decide-listing.ts';

interface ApprovalOfMany {
  /** how many this has approved */
  approved: number;
  rest: NotDecided[];
}

/**
 * Approves the selected listings, each in a transaction of its own; those that no longer wait, or that their sellers have
 * changed in the meantime, are left as they are and returned with the reason. Beyond the first hundred nothing is done.
 * @throws Unauthenticated; Forbidden
 */
export async function approveListings(
  ctx: Ctx,
  selected: readonly SelectedListing[],
): Promise<ApprovalOfMany> {
  authorize(ctx, mayReviewListings);
  const result: ApprovalOfMany = { approved: 0, rest: [] };
  const unique = new Map(selected.map((one) => [one.propertyId, one]));
  for (const { propertyId, version } of [...unique.values()].slice(0, MOST_APPROVED)) {
    const answer = await decideListing(ctx, { propertyId, version, decision: 'approve' }).catch(notFound);
    if (answer.ok) result.approved += 1;
    else if (answer.reason !== 'invalid')
      result.rest.push({ propertyId, address: await addressOf(ctx, propertyId), why: answer.why });
  }
  return result;
}

function notFound(error: unknown) {
  if (!(error instanceof NotFound)) throw error;
  return { ok: false, reason: 'not_waiting', why: 'There is no such property.' } as const;
}

async function addressOf(ctx: Ctx, id: string): Promise<string> {
  const row = isUuid(id)
    ? await ctx.db.q().selectFrom('properties').select('address').where('id', '=', id).executeTakeFirst()
    : undefined;
  return row?.address ?? 'Unknown property';
}
