import { audit } from '#platform/audit.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { nameWriter } from '#platform/writer.ts';
import type { PhotoAnswer, PhotoOwner, PhotoRefusal } from './model.ts';
import { heldPlace, type OwnPlace } from './owner.ts';
import { refusalText } from './rules.ts';

export const refused = (reason: Exclude<PhotoRefusal, 'picture'>): Extract<PhotoAnswer, { ok: false }> => ({
  ok: false,
  reason,
  text: refusalText[reason],
});

/**
 * Changes photographs of the seller's own listing or draft, one change after the other, in one transaction with its audit
 * row. `work` says whether anything changed. A listing that was ever approved is marked as changed since (B-106); one
 * that is sold stays as it is (B-107).
 * @throws NotFound for what is not the seller's
 */
export async function changePhotos(
  ctx: Ctx,
  user: UserActor,
  owner: PhotoOwner,
  action: string,
  work: (
    place: OwnPlace,
  ) => Promise<{ changed: boolean; after?: unknown } | Extract<PhotoAnswer, { ok: false }>>,
): Promise<PhotoAnswer> {
  return ctx.db.tx(async () => {
    const place = await heldPlace(ctx, user, owner);
    if (place.status === 'Sold') return refused('sold');
    await nameWriter(ctx);
    const result = await work(place);
    if ('ok' in result) return result;
    if (result.changed) await noteChange(ctx, place, action, result.after);
    return { ok: true };
  });
}

async function noteChange(ctx: Ctx, place: OwnPlace, action: string, after: unknown): Promise<void> {
  const entity = place.column === 'property_id' ? 'property' : 'property_draft';
  await audit(ctx, { action, entity, entityId: place.id, after });
  if (place.column === 'draft_id') return;
  await ctx.db
    .q()
    .updateTable('properties')
    .set(({ fn, ref, val }) => ({
      changed_since_approval_at: fn.coalesce(ref('changed_since_approval_at'), val(ctx.now())),
    }))
    .where('id', '=', place.id)
    .where('listed_at', 'is not', null)
    .execute();
}
