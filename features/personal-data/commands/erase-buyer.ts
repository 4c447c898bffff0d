import { reasonProblem } from '#features/buyers/rules.ts';
import { countOpenPurchasesOf } from '#features/sales/reads.ts';
import { cancelToursOf } from '#features/tours/commands/cancel-tours-of.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { visibleText } from '#platform/typed-text.ts';
import { lockPerson } from '../lock-person.ts';
import { mailAccountErased } from '../mails.ts';
import { mayAnswerDataRequests } from '../rules.ts';
import { eraseAccount } from './erase-account.ts';

interface EraseBuyerInput {
  buyerId: string;
  /** for the record, such as how the request arrived */
  reason: string;
  /** the buyer's address as the administrator typed it */
  confirmation: string;
}

type EraseBuyerResult =
  | { ok: true; email: string }
  /** `live_sale`: a purchase is still in progress */
  | { ok: false; reason: 'empty' | 'too_long' | 'unconfirmed' | 'closed' | 'live_sale' };

/**
 * Erases a buyer's account because the buyer asked for it, as closing it oneself does, and tells them so by email: what is only
 * theirs is deleted, sales and messages are kept under the name 'Former buyer'. Refused while a purchase is in progress.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators; NotFound for what is no buyer
 */
export async function eraseBuyer(
  ctx: Ctx,
  { buyerId, reason: typed, confirmation }: EraseBuyerInput,
): Promise<EraseBuyerResult> {
  authorize(ctx, mayAnswerDataRequests);
  requireFreshProof(ctx);
  const reason = visibleText(typed).trim();
  const problem = reasonProblem(reason);
  if (problem) return { ok: false, reason: problem };
  return ctx.db.tx(async (): Promise<EraseBuyerResult> => {
    const buyer = await lockPerson(ctx, buyerId, ['buyer']);
    if (buyer.closed) return { ok: false, reason: 'closed' };
    if (confirmation.trim().toLowerCase() !== buyer.email.toLowerCase())
      return { ok: false, reason: 'unconfirmed' };
    if ((await countOpenPurchasesOf(ctx, buyer.id)) > 0) return { ok: false, reason: 'live_sale' };
    await mailAccountErased(ctx, buyer);
    const system = asSystem(ctx, 'account-erasure');
    await cancelToursOf(system, { buyerId: buyer.id });
    await eraseAccount(system, buyer);
    await audit(ctx, { action: 'account.erase', entity: 'user', entityId: buyer.id, after: { reason } });
    await publish(ctx, { audience: `user:${buyer.id}`, type: 'session', payload: {} });
    return { ok: true, email: buyer.email };
  });
}
