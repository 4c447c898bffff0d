import { actAsParty } from '#features/sales/act-as-party.ts';
import { saleLimits } from '#features/sales/limits.ts';
import type { ReleasingEvent, TransitionResult } from '#features/sales/model.ts';
import { saleOfParty } from '#features/sales/sale-of-party.ts';
import { factsOf, stateOf } from '#features/sales/sale-row.ts';
import { resolveTransition } from '#features/sales/transitions.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { askFirst } from '../ask-first.ts';

interface ReleaseInput {
  saleId: string;
  event: ReleasingEvent;
  /** at most 2,000 characters */
  note?: string | null;
}

/**
 * Releases escrow: the buyer confirms the closing, or an administrator releases. The provider is asked before; a dispute that it
 * tells of freezes the sale, and then nothing is released.
 * @throws Unauthenticated; ProofRequired for administrators; NotFound for a sale that the caller has no part in (R8);
 *   TooManyRequests; PaymentError `unavailable` when the provider gives no answer: the money stays in escrow
 */
export async function releaseEscrow(
  ctx: CtxWith<'payments'>,
  { saleId, event, note }: ReleaseInput,
): Promise<TransitionResult> {
  const { sale, party, user } = await saleOfParty(ctx, saleId);
  await takeTokens(ctx, saleLimits.act, user.id);
  // Decided before the provider is asked: no one else can make us do that.
  const possible = resolveTransition(stateOf(sale), event, party, await factsOf(ctx, sale));
  if (!possible.ok) return possible;
  if (party === 'admin') requireFreshProof(ctx);
  await askFirst(ctx, { saleId });
  const done = await actAsParty(ctx, { user, saleId, event, note });
  return done.ok ? { ok: true } : done;
}
