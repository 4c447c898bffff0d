import { sweepJob } from '#features/photos/jobs.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayEditHomepage } from '../rules.ts';

/**
 * Deletes a picture that this administrator has uploaded and not saved. Does nothing for any other, and may be repeated.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function dropHeroImage(ctx: Ctx, { imageId }: { imageId: string }): Promise<void> {
  const user = authorizedUser(ctx, mayEditHomepage);
  if (!isUuid(imageId)) return;
  await ctx.db.tx(async () => {
    const dropped = await ctx.db
      .q()
      .updateTable('stored_images')
      .set({ let_go_at: ctx.now() })
      .where('id', '=', imageId)
      .where('uploaded_by', '=', user.id)
      .where('attached_at', 'is', null)
      .where('let_go_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!dropped) return;
    await audit(ctx, {
      action: 'homepage.drop_image',
      entity: 'homepage',
      entityId: '1',
      before: { image: imageId },
    });
    await enqueue(ctx, sweepJob, {}, { key: 'deleted' });
  });
}
