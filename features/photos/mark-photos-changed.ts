import type { PropertyStatus } from '#features/listings/model.ts';
import type { Ctx } from '#platform/context.ts';

/**
 * Marks a listing that was on the market as changed since its approval, because its seller has changed the photos. No one sees a withdrawn
 * one now, so it waits for an administrator before it comes back.
 */
export async function markPhotosChanged(
  ctx: Ctx,
  { id, status }: { id: string; status: PropertyStatus | null },
): Promise<void> {
  const isWithdrawn = status === 'withdrawn';
  await ctx.db
    .q()
    .updateTable('properties')
    .set(({ fn, ref, val }) => ({
      changed_since_approval_at: fn.coalesce(ref('changed_since_approval_at'), val(ctx.now())),
      ...(isWithdrawn && { needs_approval_since: ctx.now() }),
    }))
    .where('id', '=', id)
    .where('listed_at', 'is not', null)
    .execute();
}
