import { sweepJob } from '#features/photos/jobs.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { setAuditActor } from '#platform/audit-actor.ts';
import { invalidate } from '#platform/cache.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { takeLock } from '#platform/db/locks.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { isUuid } from '#platform/uuid.ts';
import type { SavedHomepage } from '../model.ts';
import { savedHomepage } from '../reads.ts';
import { checkHomepage, type HomepageErrors, homepageMessages, mayEditHomepage } from '../rules.ts';

export interface HomepageInput {
  title: string;
  subtitle: string;
  /** of a picture that this administrator has uploaded, or of the saved one; null for the built-in panorama */
  imageId: string | null;
  /** the state that was edited, from `savedHomepage` */
  version: string | null;
}

type SaveHomepageResult =
  | { ok: true }
  | { ok: false; reason: 'invalid'; errors: HomepageErrors }
  /** somebody else has saved since; nothing was changed */
  | { ok: false; reason: 'newer'; current: SavedHomepage };

const HOMEPAGE_ID = 1;

/**
 * Saves the hero of the home page, which every process shows from then on. A picture that it replaces is deleted.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function saveHomepage(ctx: Ctx, input: HomepageInput): Promise<SaveHomepageResult> {
  const user = authorizedUser(ctx, mayEditHomepage);
  const checked = checkHomepage(input);
  if (!checked.ok) return { ok: false, reason: 'invalid', errors: checked.errors };
  const saved = await ctx.db.tx(async (): Promise<SaveHomepageResult> => {
    await lock(ctx);
    const before = await savedHomepage(ctx);
    const imageBefore = before.content.image?.id ?? null;
    const { imageId } = input;
    if (before.version !== input.version) {
      // The same form once more, whose answer was lost.
      const isSaved =
        before.version !== null &&
        before.content.title === checked.title &&
        before.content.subtitle === checked.subtitle &&
        imageBefore === imageId;
      return isSaved ? { ok: true } : { ok: false, reason: 'newer', current: before };
    }
    if (imageId !== null && imageId !== imageBefore && !(await isOwnUpload(ctx, user, imageId)))
      return { ok: false, reason: 'invalid', errors: { image: homepageMessages.imageGone } };
    const { title, subtitle } = checked;
    await setAuditActor(ctx);
    await write(ctx, user, { title, subtitle, imageId });
    await audit(ctx, {
      action: 'homepage.save',
      entity: 'homepage',
      entityId: String(HOMEPAGE_ID),
      before: { title: before.content.title, subtitle: before.content.subtitle, image: imageBefore },
      after: { title, subtitle, image: imageId },
    });
    if (imageBefore !== null && imageBefore !== imageId) await enqueue(ctx, sweepJob, {}, { key: 'deleted' });
    return { ok: true };
  });
  // This process shows it at once; the others hear of it by the notification of the change.
  if (saved.ok) invalidate(ctx.db, 'homepage_content');
  return saved;
}

/** Serialises those who save, also while there is no row to lock. */
async function lock(ctx: Ctx): Promise<void> {
  await takeLock(ctx, 'homepage');
}

/** Locks the picture against the sweep until the transaction ends. */
async function isOwnUpload(ctx: Ctx, user: UserActor, imageId: string): Promise<boolean> {
  if (!isUuid(imageId)) return false;
  const row = await ctx.db
    .q()
    .selectFrom('stored_images')
    .select('id')
    .where('id', '=', imageId)
    .where('uploaded_by', '=', user.id)
    .where('attached_at', 'is', null)
    .where('let_go_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

async function write(
  ctx: Ctx,
  user: UserActor,
  { title, subtitle, imageId }: Pick<HomepageInput, 'title' | 'subtitle' | 'imageId'>,
): Promise<void> {
  const columns = {
    hero_title: title,
    hero_subtitle: subtitle,
    hero_image_id: imageId,
    updated_by: user.id,
  };
  await ctx.db
    .q()
    .insertInto('homepage_content')
    .values({ id: HOMEPAGE_ID, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}
