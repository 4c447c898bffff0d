import type { Ctx } from '#platform/context.ts';
import { ownConversation } from '../parties.ts';
import { publishTo } from '../tell.ts';

/**
 * Marks what others wrote in a conversation as read by the person, who is one of its parties; the writer sees 'Seen'
 * (S0 §4, B-058).
 * @returns how many texts were not read before
 * @throws Unauthenticated; NotFound for a conversation of others
 */
export async function markThreadRead(ctx: Ctx, inquiryId: string): Promise<number> {
  const { id, user, side, otherId } = await ownConversation(ctx, inquiryId);
  return ctx.db.tx(async (q) => {
    const opened =
      side === 'seller'
        ? await q
            .updateTable('property_inquiries')
            .set({ opened_at: ctx.now() })
            .where('id', '=', id)
            .where('opened_at', 'is', null)
            .executeTakeFirstOrThrow()
        : null;
    const read = await q
      .updateTable('inquiry_messages')
      .set({ is_read: true, read_at: ctx.now(), awaits_digest: false })
      .where('inquiry_id', '=', id)
      .where('sender_id', '<>', user.id)
      .where('is_read', '=', false)
      .executeTakeFirstOrThrow();
    const changed = Number(read.numUpdatedRows) + Number(opened?.numUpdatedRows ?? 0n);
    if (changed === 0) return 0;
    await publishTo(ctx, user.id, 'inquiry.read', { inquiry: id, mine: true });
    if (otherId) await publishTo(ctx, otherId, 'inquiry.read', { inquiry: id, mine: false });
    return changed;
  });
}
