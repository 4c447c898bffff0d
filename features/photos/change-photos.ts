import { type AuditAction, audit } from '#platform/audit.ts';
import { setAuditActor } from '#platform/audit-actor.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { markPhotosChanged } from './mark-photos-changed.ts';
import type { PhotoOwner, PhotoRefusal, PhotoResult } from './model.ts';
import { lockPhotoOwner, type PhotoOwnerRecord } from './photo-owner.ts';
import { refusalMessages } from './rules.ts';

export const refused = (reason: Exclude<PhotoRefusal, 'picture'>): Extract<PhotoResult, { ok: false }> => ({
  ok: false,
  reason,
  text: refusalMessages[reason],
});

/**
 * Changes the photographs of a listing or draft of the user's in one transaction with its audit row;
 * concurrent changes are serialised. `work` returns whether anything changed. An approved listing is marked as
 * changed since its approval; a sold one cannot be changed.
 * @throws NotFound for what belongs to somebody else
 */
export async function changePhotos(
  ctx: Ctx,
  user: UserActor,
  owner: PhotoOwner,
  action: AuditAction,
  work: (
    ownerRecord: PhotoOwnerRecord,
  ) => Promise<{ changed: boolean; after?: unknown } | Extract<PhotoResult, { ok: false }>>,
): Promise<PhotoResult> {
  return ctx.db.tx(async () => {
    const ownerRecord = await lockPhotoOwner(ctx, user, owner);
    if (ownerRecord.status === 'Sold') return refused('sold');
    await setAuditActor(ctx);
    const result = await work(ownerRecord);
    if ('ok' in result) return result;
    if (result.changed) await recordChange(ctx, ownerRecord, action, result.after);
    return { ok: true };
  });
}

async function recordChange(
  ctx: Ctx,
  ownerRecord: PhotoOwnerRecord,
  action: AuditAction,
  after: unknown,
): Promise<void> {
  const entity = ownerRecord.column === 'property_id' ? 'property' : 'property_draft';
  await audit(ctx, { action, entity, entityId: ownerRecord.id, after });
  // What an administrator changes needs nobody's approval.
  if (ownerRecord.column === 'draft_id' || (ctx.actor.kind === 'user' && ctx.actor.role === 'admin')) return;
  await markPhotosChanged(ctx, ownerRecord);
}
