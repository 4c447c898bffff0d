import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { invalidate } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import type { PolicyKind, PublishPolicyResult } from '../model.ts';
import { checkPolicy, mayPublishPolicies } from '../rules.ts';
import { latestPolicy } from '../sql.ts';

/**
 * Publishes the next version of a policy, which holds from now on; earlier ones stay as they are.
 * @param input `base` is the version that was edited
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function publishPolicy(
  ctx: Ctx,
  { kind, body, base }: { kind: PolicyKind; body: string; base: number },
): Promise<PublishPolicyResult> {
  const user = authorizedUser(ctx, mayPublishPolicies);
  const checked = checkPolicy(body);
  if (!checked.ok) return { ok: false, reason: 'invalid', error: checked.error };
  const result = await ctx.db.tx(async (): Promise<PublishPolicyResult> => {
    const q = ctx.db.q();
    const before = await latestPolicy(q, kind);
    // The same form once more, whose answer was lost.
    if (before.version === base + 1 && before.body === checked.body)
      return { ok: true, version: before.version };
    if (before.version !== base) return { ok: false, reason: 'newer', current: before };
    if (before.body === checked.body) return { ok: false, reason: 'unchanged' };
    const version = base + 1;
    // Of two at the same moment the first one wins by the primary key.
    const published = await q
      .insertInto('policy_versions')
      .values({
        policy: kind,
        version,
        body: checked.body,
        published_by: user.id,
        published_at: ctx.now(),
      })
      .onConflict((conflict) => conflict.columns(['policy', 'version']).doNothing())
      .returning('version')
      .executeTakeFirst();
    if (!published) return { ok: false, reason: 'newer', current: await latestPolicy(q, kind) };
    await audit(ctx, {
      action: 'policy.publish',
      entity: 'policy',
      entityId: kind,
      before: { version: before.version, body: before.body },
      after: { version, body: checked.body },
    });
    return { ok: true, version };
  });
  if (result.ok) invalidate(ctx.db, 'policy_versions');
  return result;
}
