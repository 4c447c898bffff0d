import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { ProofChoices } from './model.ts';
import { credentialsOf, passkeyRequest } from './passkeys.ts';
import { mayManageOwnFactors } from './rules.ts';

/**
 * By what the signed-in user can prove who they are, besides the password.
 * @throws Unauthenticated
 */
export async function proofChoices(ctx: Ctx): Promise<ProofChoices> {
  const { id } = authorizedUser(ctx, mayManageOwnFactors);
  const app = await ctx.db
    .q()
    .selectFrom('authenticators')
    .select('user_id')
    .where('user_id', '=', id)
    .executeTakeFirst();
  const passkeys = await credentialsOf(ctx, id);
  return {
    code: app !== undefined,
    passkey: passkeys.length > 0 ? await passkeyRequest(ctx, 'prove', id) : null,
  };
}
