import { registerSaleFiles, type SaleFile } from '#features/documents/sale-files.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import { NotFound } from '#platform/errors.ts';
import { visibleText } from '#platform/typed-text.ts';
import type { PartyEvent, TransitionResult } from './model.ts';
import { NOTE_MAX_LENGTH, partyOf } from './rules.ts';
import { lockSale } from './sale-row.ts';
import { transitionSale } from './transition-sale.ts';

export interface PartyAct<E extends PartyEvent = PartyEvent> {
  saleId: string;
  event: E;
  /** what is wrong, for a problem report or a cancellation; at most 2,000 characters */
  note?: string | null | undefined;
  /** what is delivered, stored already: at least one document for `deliver_documents` */
  documents?: readonly SaleFile[];
}

/** What an administrator does with other people's money. */
const MOVES_MONEY: readonly PartyEvent[] = ['release', 'cancel_sale'];

/** The keys of the files that rows now name. */
export type ActResult =
  | { ok: true; registered: readonly string[] }
  | Extract<TransitionResult, { ok: false }>;

/**
 * Moves a sale for one of its parties, in one transaction. `saleId` is a UUID; the caller has authorised `user`.
 * @throws ProofRequired for administrators who release or cancel; NotFound for a sale that the caller has no part in (R8)
 */
export async function actAsParty(
  ctx: Ctx,
  { user, saleId, event, note, documents = [] }: PartyAct & { user: UserActor },
): Promise<ActResult> {
  return ctx.db.tx(async (): Promise<ActResult> => {
    const sale = await lockSale(ctx, saleId);
    const party = sale && partyOf(user, { buyerId: sale.buyer_id, agentId: sale.agent_id });
    if (!sale || !party) throw new NotFound();
    // A suspended seller may only look.
    if (party === 'seller' && user.suspended) return { ok: false, reason: 'not_yours' };
    if (event === 'deliver_documents' && documents.length === 0) return { ok: false, reason: 'no_documents' };
    const moved = await transitionSale(ctx, {
      sale,
      event,
      by: party,
      note: cutText(visibleText(note ?? '').trim(), NOTE_MAX_LENGTH) || null,
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
