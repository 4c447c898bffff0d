import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { mailAccountState } from './mails.ts';
import { auditedSettings, payoutReadinessOf, type SellerRow, sellerRow } from './payout-row.ts';

/** What the provider says about a seller's account; `requirement` is a sentence for the seller. */
export interface AccountState {
  transfersActive: boolean;
  requirement: string | null;
}

/**
 * Writes what the provider says about a seller's account, if it is new: whether the seller can be paid follows from it. The
 * seller is mailed when that begins or ends. In the current transaction.
 * @returns whether anything has changed
 */
export async function recordAccountState(ctx: Ctx, agentId: string, state: AccountState): Promise<boolean> {
  const before = await sellerRow(ctx, agentId, true);
  const requirement = state.transfersActive ? null : state.requirement;
  const after: SellerRow = {
    ...before,
    stripe_transfers_active: state.transfersActive,
    stripe_requirement: requirement,
  };
  const turned = before.stripe_transfers_active !== after.stripe_transfers_active;
  if (!turned && before.stripe_requirement === requirement) return false;
  await ctx.db
    .q()
    .updateTable('agents')
    .set({
      stripe_transfers_active: after.stripe_transfers_active,
      stripe_requirement: requirement,
      payout_status: payoutReadinessOf(after),
    })
    .where('id', '=', agentId)
    .execute();
  await audit(ctx, {
    action: 'seller.stripe_state',
    entity: 'agent',
    entityId: agentId,
    before: { ...auditedSettings(before), ...accountOf(before) },
    after: { ...auditedSettings(after), ...accountOf(after) },
  });
  if (turned)
    await mailAccountState(
      ctx,
      { name: before.name, email: before.email },
      { active: state.transfersActive, requirement },
    );
  if (before.user_id !== null)
    await publish(ctx, { audience: `user:${before.user_id}`, type: 'account', payload: {} });
  return true;
}

const accountOf = ({ stripe_transfers_active: active, stripe_requirement: requirement }: SellerRow) => ({
  transfersActive: active,
  requirement,
});
