import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayReadAllKeys, mayRevokeKeys } from '../rules.ts';

/**
 * Revokes a key for good: one's own, or any as an administrator. Asks for no proof, since whoever has lost a key is in a hurry.
 * @returns false when there is no such key, or it was revoked before
 * @throws Unauthenticated; Forbidden for buyers
 */
export async function revokeApiKey(ctx: Ctx, { keyId }: { keyId: string }): Promise<{ ok: boolean }> {
  const user = authorizedUser(ctx, mayRevokeKeys);
  if (!isUuid(keyId)) return { ok: false };
  return ctx.db.tx(async () => {
    const revoked = await ctx.db
      .q()
      .updateTable('api_keys')
      .set({ revoked_at: ctx.now() })
      .where('id', '=', keyId)
      .where('revoked_at', 'is', null)
      .$if(!mayReadAllKeys(user), (keys) => keys.where('owner_id', '=', user.id))
      .returning(['id', 'revoked_at'])
      .executeTakeFirst();
    if (!revoked) return { ok: false };
    await audit(ctx, {
      action: 'api_key.revoke',
      entity: 'api_key',
      entityId: revoked.id,
      before: { revoked_at: null },
      after: { revoked_at: revoked.revoked_at },
    });
    return { ok: true };
  });
}
