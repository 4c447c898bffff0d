import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { spendCode } from '#platform/auth/factors/authenticator.ts';
import { userOfPasskey } from '#platform/auth/factors/passkeys.ts';
import { isPasswordOf } from '#platform/auth/password.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { resetTokens, takeTokens } from '#platform/rate-limits.ts';
import { factorLimits } from '../limits.ts';
import type { ProofRequest } from '../model.ts';
import { factorMessages, mayManageOwnFactors } from '../rules.ts';

type ProveIdentityResult =
  | { ok: true; provedAt: Date }
  | { ok: false; errors: NonNullable<ProofRequest['errors']> };

interface ProveIdentityInput {
  /** the session that the proof counts for */
  sessionId: string | null;
  /** one of the three is enough; the others are empty */
  password: string;
  code: string;
  /** what the passkey answered, as JSON */
  passkey: string;
}

/**
 * Proves once more that whoever uses a session is its user: by the password, a code of the authenticator app or a passkey. Counts
 * for ten minutes, for this session alone.
 * @throws Unauthenticated, TooManyRequests after five attempts in five minutes
 */
export async function proveIdentity(ctx: Ctx, input: ProveIdentityInput): Promise<ProveIdentityResult> {
  const user = authorizedUser(ctx, mayManageOwnFactors);
  const { password, code, passkey } = input;
  if (!password && !code && !passkey) return { ok: false, errors: { password: factorMessages.nothingGiven } };
  await takeTokens(ctx, factorLimits.proof, `user:${user.id}`);
  // Compared outside of the transaction, because it takes long.
  const knows = password !== '' && password.length <= 1_000 && (await isPasswordOf(ctx, user.id, password));
  const result = await ctx.db.tx(async (): Promise<ProveIdentityResult> => {
    const errors = knows ? null : await errorOfFactor(ctx, user, input);
    if (errors) return { ok: false, errors };
    const { numUpdatedRows } = await ctx.db
      .q()
      .updateTable('sessions')
      .set({ proved_at: ctx.now() })
      .where('id', '=', input.sessionId)
      .where('user_id', '=', user.id)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return { ok: false, errors: { password: factorMessages.wrongPassword } };
    const by = knows ? 'password' : code ? 'code' : 'passkey';
    await audit(ctx, {
      action: 'session.prove',
      entity: 'session',
      entityId: input.sessionId ?? '',
      after: { by },
    });
    return { ok: true, provedAt: ctx.now() };
  });
  if (result.ok) await resetTokens(ctx, factorLimits.proof, `user:${user.id}`);
  else ctx.log.info({ account: user.id }, 'a proof was refused');
  return result;
}

async function errorOfFactor(ctx: Ctx, { id }: UserActor, { code, passkey }: ProveIdentityInput) {
  if (code) return (await spendCode(ctx, id, code)) ? null : { code: factorMessages.wrongCode };
  if (!passkey) return { password: factorMessages.wrongPassword };
  const accepted = (await userOfPasskey(ctx, passkey, 'prove', id)) !== null;
  return accepted ? null : { passkey: factorMessages.wrongPasskey };
}
