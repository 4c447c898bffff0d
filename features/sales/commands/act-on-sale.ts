import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { type ActResult, actAsParty, type PartyAct } from '../act-as-party.ts';
import { saleLimits } from '../limits.ts';
import type { PartyEvent, ReleasingEvent } from '../model.ts';
import { mayActOnSales } from '../rules.ts';

/** All but what releases escrow: before that the provider is asked. */
type ActOnSaleInput = PartyAct<Exclude<PartyEvent, ReleasingEvent>>;

/**
 * An action of a person on a sale: deliver documents (see `deliverDocuments`, which takes files), request, agree to or decline a
 * cancellation, report or resolve a problem, cancel. The transition table says who may do what, and when. `releaseEscrow` confirms the
 * closing and releases.
 * @throws Unauthenticated; ProofRequired for administrators who cancel; NotFound for a sale that the caller has no part in (R8); TooManyRequests
 */
export async function actOnSale(ctx: Ctx, input: ActOnSaleInput): Promise<ActResult> {
  const user = authorizedUser(ctx, mayActOnSales);
  if (!isUuid(input.saleId)) throw new NotFound();
  await takeTokens(ctx, saleLimits.act, user.id);
  return actAsParty(ctx, { ...input, user });
}
