import { mayEditListings } from '#features/listings/rules.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { blankForm } from '../form.ts';

/**
 * Returns the id of the administrator's draft of a new property, creating one under `draftId` if there is none, so that
 * photographs can be attached to it.
 * @throws Unauthenticated, Forbidden for everyone but administrators; NotFound when the id is somebody else's
 */
export async function ensurePropertyDraft(ctx: Ctx, { draftId }: { draftId: string }): Promise<string> {
  const user = authorizedUser(ctx, mayEditListings);
  if (!isUuid(draftId)) throw new NotFound();
  return ctx.db.tx(async () => {
    const q = ctx.db.q();
    await q
      .insertInto('property_drafts')
      .values({ id: draftId, admin_id: user.id, form: JSON.stringify(blankForm), updated_at: ctx.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const draft = await q
      .selectFrom('property_drafts')
      .select('id')
      .where('admin_id', '=', user.id)
      .executeTakeFirst();
    if (!draft) throw new NotFound();
    return draft.id;
  });
}
