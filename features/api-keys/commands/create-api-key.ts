import { fieldErrors } from '#features/accounts/model.ts';
import { authorizedUser, sellerOf } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { apiKeyLimits } from '../limits.ts';
import { type ApiKeyErrors, MAX_KEYS } from '../model.ts';
import { mayCreateKeys, mayReadAllKeys } from '../rules.ts';
import { newKeySchema } from '../schema.ts';
import { hashSecret, newSecret } from '../secret.ts';

type CreateApiKeyResult =
  /** `secret` is shown once and never stored */
  | { ok: true; id: string; secret: string }
  | { ok: false; reason: 'invalid'; errors: ApiKeyErrors }
  | { ok: false; reason: 'too_many' };

/**
 * Creates a key of the signed-in administrator, for the market, or seller, for the seller's own listings. A name that a working key of
 * theirs has is refused, so that a form sent twice makes one key.
 * @throws Unauthenticated, ProofRequired, TooManyRequests; Forbidden for buyers and suspended sellers
 */
export async function createApiKey(
  ctx: Ctx,
  input: { name: unknown; scopes: unknown; perMinute: unknown },
): Promise<CreateApiKeyResult> {
  const user = authorizedUser(ctx, mayCreateKeys);
  requireFreshProof(ctx);
  const parsed = newKeySchema.safeParse(input);
  if (!parsed.success) return { ok: false, reason: 'invalid', errors: fieldErrors(parsed.error) };
  await takeTokens(ctx, apiKeyLimits.create, `user:${user.id}`);
  const { secret, prefix } = newSecret();
  const { name, perMinute } = parsed.data;
  const values = {
    owner_id: user.id,
    agent_id: mayReadAllKeys(user) ? null : (sellerOf(user)?.agentId ?? null),
    name,
    prefix,
    scopes: [...new Set(parsed.data.scopes)],
    per_minute: perMinute,
  };
  return ctx.db.tx(async (): Promise<CreateApiKeyResult> => {
    const q = ctx.db.q();
    // One after the other for each owner, so that neither the count nor the name is outrun.
    await q.selectFrom('users').select('id').where('id', '=', user.id).forNoKeyUpdate().execute();
    const working = await q
      .selectFrom('api_keys')
      .select('name')
      .where('owner_id', '=', user.id)
      .where('revoked_at', 'is', null)
      .execute();
    if (working.some((key) => key.name.toLowerCase() === name.toLowerCase()))
      return { ok: false, reason: 'invalid', errors: { name: 'You have an API key of this name.' } };
    if (working.length >= MAX_KEYS) return { ok: false, reason: 'too_many' };
    const { id } = await q
      .insertInto('api_keys')
      .values({ ...values, secret_hash: hashSecret(secret), created_at: ctx.now() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(ctx, { action: 'api_key.create', entity: 'api_key', entityId: id, after: values });
    return { ok: true, id, secret };
  });
}
