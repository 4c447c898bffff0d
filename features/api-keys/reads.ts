import { sql } from 'kysely';
import { authorize, authorizedSeller } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import type { ApiKeyRow, Scope } from './model.ts';
import { mayReadAllKeys, mayReadOwnKeys } from './rules.ts';

/** Revoked keys stay in the lists as history; older ones than these are not shown. */
const MAX_SHOWN = 200;

/**
 * Every key, newest first, working ones before revoked ones; at most 200.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function allApiKeys(ctx: Ctx): Promise<ApiKeyRow[]> {
  authorize(ctx, mayReadAllKeys);
  return keysOf(ctx, null);
}

/**
 * The seller's own keys, newest first, working ones before revoked ones; at most 200.
 * @throws Unauthenticated, Forbidden for everyone but sellers
 */
export async function ownApiKeys(ctx: Ctx): Promise<ApiKeyRow[]> {
  const { id } = authorizedSeller(ctx, mayReadOwnKeys);
  return keysOf(ctx, id);
}

async function keysOf(ctx: Ctx, ownerId: string | null): Promise<ApiKeyRow[]> {
  const since = new Date(ctx.now().getTime() - 6 * DAY).toISOString().slice(0, 10);
  const rows = await ctx.db
    .q()
    .selectFrom('api_keys as k')
    .innerJoin('users as u', 'u.id', 'k.owner_id')
    .selectAll('k')
    .select([
      'u.name as owner_name',
      sql<number>`coalesce((select sum(d.requests) from api_key_days d
        where d.key_id = k.id and d.day >= ${since}::date), 0)::integer`.as('requests'),
    ])
    .$if(ownerId !== null, (keys) => keys.where('k.owner_id', '=', ownerId ?? ''))
    .orderBy(sql`k.revoked_at is not null`)
    .orderBy('k.created_at', 'desc')
    .orderBy('k.id')
    .limit(MAX_SHOWN)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes as Scope[],
    perMinute: row.per_minute,
    ownerName: row.owner_name,
    ofSeller: row.agent_id !== null,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    requests: row.requests,
  }));
}
