import type { Ctx } from '../../context.ts';
import { spendCode } from './authenticator.ts';
import type { ChallengePurpose } from './challenge.ts';
import { holdUser } from './hold-user.ts';
import { userOfPasskey } from './passkeys.ts';
import { spendRecoveryCode } from './recovery-codes.ts';

/** A second factor as it was given: the first one that is not empty counts. */
export interface GivenFactor {
  /** six digits of the authenticator app */
  code?: string;
  recoveryCode?: string;
  /** what the passkey answered, as JSON */
  passkey?: string;
}

type FactorKind = 'code' | 'recovery code' | 'passkey';

/** Uses up a second factor of a user, in the current transaction. @returns which; null for a wrong or used one */
export async function spendFactor(
  ctx: Ctx,
  userId: string,
  { code, recoveryCode, passkey }: GivenFactor,
  purpose: ChallengePurpose,
): Promise<FactorKind | null> {
  await holdUser(ctx, userId);
  if (code) return (await spendCode(ctx, userId, code)) ? 'code' : null;
  if (recoveryCode) return (await spendRecoveryCode(ctx, userId, recoveryCode)) ? 'recovery code' : null;
  if (!passkey) return null;
  return (await userOfPasskey(ctx, passkey, purpose, userId)) === userId ? 'passkey' : null;
}
