import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { parseRate } from '../commission.ts';
import { lockManagedSeller } from '../lock-managed.ts';
import { mayManageSellers } from '../rules.ts';

interface RateInput {
  sellerId: string;
  /** as typed; empty for the default */
  rate: string;
  /** the rate that the administrator saw, in the same form */
  seen: string;
}

type SetRateResult =
  | { ok: true; rate: number | null }
  | { ok: false; reason: 'invalid'; error: string }
  /** another administrator has changed it meanwhile */
  | { ok: false; reason: 'changed' };

/**
 * Sets a seller's share of future sales in percent, 0–100; sales that have begun keep theirs.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators; NotFound
 */
export async function setCommissionRate(
  ctx: Ctx,
  { sellerId, rate: typed, seen: typedBefore }: RateInput,
): Promise<SetRateResult> {
  authorize(ctx, mayManageSellers);
  requireFreshProof(ctx);
  const parsed = parseRate(typed);
  if (!parsed.ok) return { ok: false, reason: 'invalid', error: parsed.error };
  const { rate } = parsed;
  const seen = parseRate(typedBefore);
  return ctx.db.tx(async (): Promise<SetRateResult> => {
    const seller = await lockManagedSeller(ctx, sellerId);
    const before = seller.commission_rate;
    if (before === rate) return { ok: true, rate };
    if (!seen.ok || seen.rate !== before) return { ok: false, reason: 'changed' };
    await ctx.db
      .q()
      .updateTable('agents')
      .set({ commission_rate: rate })
      .where('id', '=', seller.id)
      .execute();
    await audit(ctx, {
      action: 'seller.set_commission',
      entity: 'agent',
      entityId: seller.id,
      before: { commissionRate: before },
      after: { commissionRate: rate },
    });
    return { ok: true, rate };
  });
}
