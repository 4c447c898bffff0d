import { isUuid } from '#features/accounts/rules.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { limits, takeTokens } from '#platform/limits.ts';
import type { MoveResult, PartyEvent } from '../model.ts';
import { moveSale } from '../move.ts';
import { mayMoveSales, NOTE_LIMIT, partyOf } from '../rules.ts';
import { lockSale } from '../sale-row.ts';

export interface ActInput {
  saleId: string;
  event: PartyEvent;
  /** what is wrong, for a problem report or a cancellation; at most 2,000 characters */
  note?: string | null;
}

/**
 * What the people of a sale do to it: confirm the closing, deliver documents, ask for, agree to or decline a cancellation,
 * report or resolve a problem, release, cancel. Who may do what, and when, stands in the table of transitions (B-076, B-077).
 * @throws Unauthenticated; NotFound for a sale that is none of the caller's business (R8); TooManyRequests
 */
export async function actOnSale(ctx: Ctx, { saleId, event, note }: ActInput): Promise<MoveResult> {
  const user = authorizedUser(ctx, mayMoveSales);
  if (!isUuid(saleId)) throw new NotFound();
  await takeTokens(ctx, limits.actOnSale, user.id);
  return ctx.db.tx(async (q) => {
    const sale = await lockSale(q, saleId);
    const party = sale && partyOf(ctx.actor, { buyerId: sale.buyer_id, agentId: sale.agent_id });
    if (!sale || !party) throw new NotFound();
    // A suspended seller only reads (B-098).
    if (party === 'seller' && user.suspended) return { ok: false, reason: 'not_yours' };
    return moveSale(ctx, { sale, event, by: party, note: note?.trim().slice(0, NOTE_LIMIT) || null });
  });
}
