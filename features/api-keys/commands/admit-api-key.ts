import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import { Forbidden, Unauthenticated } from '#platform/errors.ts';
import { networkOf } from '#platform/http/network-of.ts';
import { per, takeToken, takeTokens } from '#platform/rate-limits.ts';
import { apiKeyLimits } from '../limits.ts';
import type { Grant, Scope } from '../model.ts';
import { mayUseKeys } from '../rules.ts';
import { hashSecret, isSecret } from '../secret.ts';

/**
 * What the holder of a secret may read. The key counts as long as it is not revoked and its owner still is what they were: an
 * administrator, or a seller who is neither suspended nor archived. Notes when the key was last used, to the minute.
 * @throws Unauthenticated for anything that is no working key; Forbidden for a suspended seller's; TooManyRequests
 */
export async function admitApiKey(ctx: Ctx, { secret }: { secret: string }): Promise<Grant> {
  authorize(ctx, mayUseKeys);
  const key = isSecret(secret) ? await findKey(ctx, hashSecret(secret)) : undefined;
  if (!key?.works) {
    await takeTokens(ctx, apiKeyLimits.unknown, `ip:${networkOf(ctx.ip)}`);
    throw new Unauthenticated('A valid API key is required');
  }
  if (key.suspended) throw new Forbidden('The owner of this API key is suspended');
  await takeToken(ctx, { ...per('api-key', key.per_minute, MINUTE), key: key.id });
  const now = ctx.now();
  if (!key.last_used_at || now.getTime() - key.last_used_at.getTime() >= MINUTE)
    await ctx.db.q().updateTable('api_keys').set({ last_used_at: now }).where('id', '=', key.id).execute();
  return { keyId: key.id, scopes: key.scopes as Scope[], agentId: key.agent_id };
}

const findKey = (ctx: Ctx, hash: string) =>
  ctx.db
    .q()
    .selectFrom('api_keys as k')
    .innerJoin('users as u', 'u.id', 'k.owner_id')
    .innerJoin('profiles as p', 'p.id', 'k.owner_id')
    .leftJoin('agents as a', 'a.id', 'k.agent_id')
    .where('k.secret_hash', '=', hash)
    .where('k.revoked_at', 'is', null)
    .select(['k.id', 'k.scopes', 'k.per_minute', 'k.last_used_at', 'k.agent_id'])
    .select([
      sql<boolean>`u.closed_at is null and case when k.agent_id is null then p.role = 'admin'
        else p.role = 'agent' and a.user_id = k.owner_id and a.archived_at is null end`.as('works'),
      sql<boolean>`coalesce(a.status = 'suspended', false)`.as('suspended'),
    ])
    .executeTakeFirst();
