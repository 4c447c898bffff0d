import type { Query } from '#platform/db/database.ts';
import { defaultPolicies } from './default-policies.ts';
import type { Policy, PolicyKind } from './model.ts';

/** The newest version of a policy, or the built-in text. */
export async function latestPolicy(q: Query, kind: PolicyKind): Promise<Policy> {
  const row = await q
    .selectFrom('policy_versions')
    .select(['version', 'body', 'published_at'])
    .where('policy', '=', kind)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row
    ? { version: row.version, body: row.body, publishedAt: row.published_at.toISOString() }
    : { version: 0, body: defaultPolicies[kind], publishedAt: null };
}
