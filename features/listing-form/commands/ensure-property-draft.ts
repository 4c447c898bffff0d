import { randomInt } from 'node:crypto';
import { mayEditListings } from '#features/listings/rules.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { blankForm } from '../form.ts';

/**
 * A version that no page has yet. A draft that has become a property begins anew when a page that was open before uploads one more photo:
 * counted from one again, it would have the version of that page, and a page that is opened now could not be told from it.
 */
const newVersion = (): number => randomInt(1, 2 ** 30);

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
      .values({
        id: draftId,
        admin_id: user.id,
        form: JSON.stringify(blankForm),
        version: newVersion(),
        updated_at: ctx.now(),
      })
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
