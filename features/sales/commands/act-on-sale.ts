import { registerSaleFiles, type SaleFile } from '#features/documents/sale-files.ts';
import { authorizedUser } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { visibleText } from '#platform/typed-text.ts';
import { isUuid } from '#platform/uuid.ts';
import { saleLimits } from '../limits.ts';
import type { PartyEvent, TransitionResult } from '../model.ts';
import { mayActOnSales, NOTE_MAX_LENGTH, partyOf } from '../rules.ts';
import { lockSale } from '../sale-row.ts';
import { transitionSale } from '../transition-sale.ts';

export interface ActOnSaleInput {
  saleId: string;
  event: PartyEvent;
  /** what is wrong, for a problem report or a cancellation; at most 2,000 characters */
  note?: string | null;
  /** what is delivered, stored already: at least one document for `deliver_documents` */
  documents?: readonly SaleFile[];
}

/** What an administrator does with other people's money. */
const MOVES_MONEY: readonly PartyEvent[] = ['release', 'cancel_sale'];

/** The keys of the files that rows now name. */
type ActResult = { ok: true; registered: readonly string[] } | Extract<TransitionResult, { ok: false }>;

/**
 * An action of a person on a sale: confirm the closing, deliver documents (see `deliverDocuments`, which takes files), request, agree to or decline a cancellation,
 * report or resolve a problem, release, cancel. The transition table says who may do what, and when.
 * @throws Unauthenticated; ProofRequired for administrators who release or cancel; NotFound for a sale that the caller has no part in (R8); TooManyRequests
 */
export async function actOnSale(
  ctx: Ctx,
  { saleId, event, note, documents = [] }: ActOnSaleInput,
): Promise<ActResult> {
  const user = authorizedUser(ctx, mayActOnSales);
  if (!isUuid(saleId)) throw new NotFound();
  await takeTokens(ctx, saleLimits.act, user.id);
  return ctx.db.tx(async (): Promise<ActResult> => {
    const sale = await lockSale(ctx, saleId);
    const party = sale && partyOf(ctx.actor, { buyerId: sale.buyer_id, agentId: sale.agent_id });
    if (!sale || !party) throw new NotFound();
    // A suspended seller may only look.
    if (party === 'seller' && user.suspended) return { ok: false, reason: 'not_yours' };
    if (event === 'deliver_documents' && documents.length === 0) return { ok: false, reason: 'no_documents' };
    const moved = await transitionSale(ctx, {
      sale,
      event,
      by: party,
      note:
        visibleText(note ?? '')
          .trim()
          .slice(0, NOTE_MAX_LENGTH) || null,
    });
    if (!moved.ok) return moved;
    // Nobody has to prove anything for what is not possible; without the proof nothing of the move stays.
    if (party === 'admin' && MOVES_MONEY.includes(event)) requireFreshProof(ctx);
    const registered = await registerSaleFiles(ctx, {
      sale: { id: sale.id, propertyId: sale.property_id },
      files: documents,
      userId: user.id,
    });
    return { ok: true, registered };
  });
}
