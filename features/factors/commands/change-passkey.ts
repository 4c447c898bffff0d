import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { mailFactorRemoved } from '../mails.ts';
import { dropCodesWithoutFactor, lockFactors, mustKeepFactor } from '../own-factors.ts';
import { mayManageOwnFactors, passkeyName } from '../rules.ts';
import type { RemoveFactorResult } from './remove-authenticator.ts';

/**
 * Gives one of the user's own passkeys another name.
 * @returns false when there is no such passkey (anymore)
 * @throws Unauthenticated
 */
export async function renamePasskey(ctx: Ctx, input: { passkeyId: string; name: string }): Promise<boolean> {
  const user = authorizedUser(ctx, mayManageOwnFactors);
  if (!isUuid(input.passkeyId)) return false;
  const name = passkeyName(input.name);
  return ctx.db.tx(async () => {
    const before = await ownPasskey(ctx, user.id, input.passkeyId);
    if (!before) return false;
    await ctx.db.q().updateTable('passkeys').set({ name }).where('id', '=', input.passkeyId).execute();
    const entry = { action: 'factor.rename', entity: 'user', entityId: user.id } as const;
    await audit(ctx, { ...entry, before: { name: before.name }, after: { name } });
    return true;
  });
}

/**
 * Removes one of the user's own passkeys and mails a notice. Administrators keep at least one factor.
 * @throws Unauthenticated, ProofRequired
 */
export async function removePasskey(
  ctx: Ctx,
  { passkeyId }: { passkeyId: string },
): Promise<RemoveFactorResult> {
  const user = authorizedUser(ctx, mayManageOwnFactors);
  requireFreshProof(ctx);
  if (!isUuid(passkeyId)) return { ok: false, reason: 'gone' };
  return ctx.db.tx(async (): Promise<RemoveFactorResult> => {
    const factors = await lockFactors(ctx, user.id);
    const passkey = await ownPasskey(ctx, user.id, passkeyId);
    if (!passkey) return { ok: false, reason: 'gone' };
    if (factors === 1 && mustKeepFactor(user, ctx)) return { ok: false, reason: 'last_factor' };
    await ctx.db.q().deleteFrom('passkeys').where('id', '=', passkeyId).execute();
    await dropCodesWithoutFactor(ctx, user.id);
    await mailFactorRemoved(ctx, user, `The passkey "${passkey.name}"`);
    const entry = { action: 'factor.remove', entity: 'user', entityId: user.id } as const;
    await audit(ctx, { ...entry, before: { kind: 'passkey', name: passkey.name } });
    return { ok: true };
  });
}

const ownPasskey = (ctx: Ctx, userId: string, passkeyId: string) =>
  ctx.db
    .q()
    .selectFrom('passkeys')
    .select('name')
    .where('id', '=', passkeyId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
