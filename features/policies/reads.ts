import { anyone, authorize } from '#platform/access.ts';
import { cached } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { defaultPolicies } from './default-policies.ts';
import type { Policy, PolicyKind, PolicyVersion } from './model.ts';
import { mayPublishPolicies } from './rules.ts';
import { latestPolicy } from './sql.ts';

/** The policy that holds now; cached in memory until another version is published. */
export async function currentPolicy(ctx: Ctx, kind: PolicyKind): Promise<Policy> {
  authorize(ctx, anyone);
  return cached(ctx.db, 'policy_versions', kind, () => latestPolicy(ctx.db.q(), kind));
}

/**
 * An earlier version of a policy, or the one that holds now. The built-in text is version 0.
 * @throws NotFound for a version that was never published
 */
export async function policyVersion(
  ctx: Ctx,
  { kind, version }: { kind: PolicyKind; version: number },
): Promise<Policy> {
  authorize(ctx, anyone);
  if (version === 0) return { version, body: defaultPolicies[kind], publishedAt: null };
  if (!Number.isInteger(version) || version < 0 || version > 2 ** 31 - 1) throw new NotFound();
  const row = await ctx.db
    .q()
    .selectFrom('policy_versions')
    .select(['version', 'body', 'published_at'])
    .where('policy', '=', kind)
    .where('version', '=', version)
    .executeTakeFirst();
  if (!row) throw new NotFound();
  return { version: row.version, body: row.body, publishedAt: row.published_at.toISOString() };
}

/** How many versions are listed; all others can still be opened by their number. */
const LISTED = 50;

/**
 * A policy as it is stored now, not from memory, with its versions, newest first.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function policyForEditing(
  ctx: Ctx,
  kind: PolicyKind,
): Promise<Policy & { versions: PolicyVersion[] }> {
  authorize(ctx, mayPublishPolicies);
  const q = ctx.db.q();
  const rows = await q
    .selectFrom('policy_versions')
    .leftJoin('users', 'users.id', 'policy_versions.published_by')
    .select(['version', 'published_at', 'users.name'])
    .where('policy', '=', kind)
    .orderBy('version', 'desc')
    .limit(LISTED)
    .execute();
  const versions = rows.map(({ version, published_at, name }) => ({
    version,
    publishedAt: published_at.toISOString(),
    by: name,
  }));
  return { ...(await latestPolicy(q, kind)), versions };
}
