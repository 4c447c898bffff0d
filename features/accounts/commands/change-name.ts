import { holdListingsOfUser } from '#features/listings/hold-listings.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { changeNameSchema, type FieldErrors, fieldErrors } from '../model.ts';
import { mayChangeOwnIdentity } from '../rules.ts';

type ChangeNameResult = { ok: true } | { ok: false; errors: FieldErrors };

/**
 * Changes the signed-in user's name.
 * @throws Unauthenticated, Forbidden for sellers, whose public name administrators manage
 */
export async function changeName(ctx: Ctx, input: { name?: unknown }): Promise<ChangeNameResult> {
  const user = authorizedUser(ctx, mayChangeOwnIdentity);
  const parsed = changeNameSchema.safeParse(input);
  if (!parsed.success) return { ok: false, errors: fieldErrors(parsed.error) };
  const { name } = parsed.data;
  if (name === user.name) return { ok: true };
  await ctx.db.tx(async () => {
    await holdListingsOfUser(ctx, user.id);
    await ctx.db
      .q()
      .updateTable('users')
      .set({ name, updated_at: ctx.now() })
      .where('id', '=', user.id)
      .execute();
    await audit(ctx, { action: 'account.rename', entity: 'user', entityId: user.id });
  });
  return { ok: true };
}
