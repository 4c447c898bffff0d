import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { authorize } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { invalidate } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { takeLock } from '#platform/db/locks.ts';
import { isGateway } from '#platform/gateway-address.ts';
import type { SaveGatewayResult } from '../model.ts';
import { savedGateway } from '../reads.ts';
import { contentMessages, mayManageContent } from '../rules.ts';

/**
 * Changes where links to public documents lead, from now on.
 * @param input `gateway` with {cid}, empty for the derived one; `base` is what was edited
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators
 */
export async function saveGateway(
  ctx: Ctx,
  input: { gateway: string; base: string | null },
): Promise<SaveGatewayResult> {
  authorize(ctx, mayManageContent);
  requireFreshProof(ctx);
  const gateway = input.gateway.trim() || null;
  if (gateway !== null && (gateway.length > 300 || !isGateway(gateway)))
    return { ok: false, reason: 'invalid', error: contentMessages.gatewayInvalid };
  const result = await ctx.db.tx(async (): Promise<SaveGatewayResult> => {
    await takeLock(ctx, 'content_gateway');
    const current = await savedGateway(ctx);
    // Also the same form once more, whose answer was lost.
    if (current.gateway === gateway) return { ok: true };
    if (current.gateway !== input.base) return { ok: false, reason: 'newer', current };
    await changeSetting(ctx, { name: 'content_gateway', value: gateway });
    return { ok: true };
  });
  if (result.ok) invalidate(ctx.db, 'platform_settings');
  return result;
}
