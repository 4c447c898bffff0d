import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { credentialsOf, newPasskey, parsed } from '#platform/auth/factors/passkeys.ts';
import { replaceRecoveryCodes } from '#platform/auth/factors/recovery-codes.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { factorLimits } from '../limits.ts';
import { mailFactorAdded } from '../mails.ts';
import { MAX_PASSKEYS } from '../model.ts';
import { lockFactors } from '../own-factors.ts';
import { factorMessages, mayManageOwnFactors, passkeyName } from '../rules.ts';
import type { AddFactorResult } from './add-authenticator.ts';

interface AddPasskeyInput {
  /** what the browser made, as JSON */
  passkey: string;
  /** what its owner calls it; 'Passkey' when blank */
  name: string;
}

/**
 * Adds a passkey to the user's own account, and mails a notice.
 * @throws Unauthenticated, ProofRequired, TooManyRequests
 */
export async function addPasskey(ctx: Ctx, input: AddPasskeyInput): Promise<AddFactorResult> {
  const user = authorizedUser(ctx, mayManageOwnFactors);
  requireFreshProof(ctx);
  await takeTokens(ctx, factorLimits.setUp, `user:${user.id}`);
  const response = parsed<RegistrationResponseJSON>(input.passkey);
  const name = passkeyName(input.name);
  return ctx.db.tx(async (): Promise<AddFactorResult> => {
    const before = await lockFactors(ctx, user.id);
    if ((await credentialsOf(ctx, user.id)).length >= MAX_PASSKEYS)
      return { ok: false, error: factorMessages.tooManyPasskeys };
    const made = response && (await newPasskey(ctx, response, user.id));
    if (!made) return { ok: false, error: factorMessages.wrongPasskey };
    const { numInsertedOrUpdatedRows } = await ctx.db
      .q()
      .insertInto('passkeys')
      .values({ user_id: user.id, ...made, name, created_at: ctx.now() })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows !== 1n) return { ok: false, error: factorMessages.wrongPasskey };
    const recoveryCodes = before === 0 ? await replaceRecoveryCodes(ctx, user.id) : null;
    await mailFactorAdded(ctx, user, `The passkey "${name}"`);
    await audit(ctx, {
      action: 'factor.add',
      entity: 'user',
      entityId: user.id,
      after: { kind: 'passkey', name },
    });
    return { ok: true, recoveryCodes };
  });
}
