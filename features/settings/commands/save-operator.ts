import { authorize } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { invalidate } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { takeLock } from '#platform/db/locks.ts';
import { type Operator, type SaveOperatorResult, settingSchemas } from '../model.ts';
import { savedOperator } from '../reads.ts';
import { mayEditOperator } from '../rules.ts';
import { changeSetting } from './change-setting.ts';

interface OperatorInput {
  brand: string;
  /** empty: derived from where mails are sent from */
  supportAddress: string;
  /** what was edited */
  base: Operator;
}

/**
 * Changes the marketplace's name and support address, in every page, mail and receipt from now on.
 * @throws Unauthenticated, ProofRequired, Forbidden for everyone but administrators
 */
export async function saveOperator(ctx: Ctx, input: OperatorInput): Promise<SaveOperatorResult> {
  authorize(ctx, mayEditOperator);
  requireFreshProof(ctx);
  const brand = settingSchemas.brand.safeParse(input.brand);
  const address = settingSchemas.support_address.safeParse(input.supportAddress.trim() || null);
  if (!brand.success || !address.success)
    return {
      ok: false,
      reason: 'invalid',
      errors: {
        ...(!brand.success && { brand: brand.error.issues[0]?.message ?? '' }),
        ...(!address.success && { supportAddress: address.error.issues[0]?.message ?? '' }),
      },
    };
  const result = await ctx.db.tx(async (): Promise<SaveOperatorResult> => {
    await takeLock(ctx, 'operator');
    const current = await savedOperator(ctx);
    const { base } = input;
    if (current.brand !== base.brand || current.supportAddress !== base.supportAddress)
      return { ok: false, reason: 'newer', current };
    if (brand.data !== current.brand) await changeSetting(ctx, { name: 'brand', value: brand.data });
    if (address.data !== current.supportAddress)
      await changeSetting(ctx, { name: 'support_address', value: address.data });
    return { ok: true };
  });
  if (result.ok) invalidate(ctx.db, 'platform_settings');
  return result;
}
