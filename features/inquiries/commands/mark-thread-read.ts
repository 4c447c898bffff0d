import type { Ctx } from '#platform/context.ts';
import { publishToUser } from '../notify-parties.ts';
import { ownConversation } from '../parties.ts';

/**
 * Marks the messages of the other side in the user's own conversation as read; their sender sees 'Seen'. What a former seller of the
 * property wrote is the buyer's to read, not the present seller's.
 * @returns how many messages were unread
 * @throws Unauthenticated; NotFound for a conversation of others
 */
export async function markThreadRead(ctx: Ctx, input: { inquiryId: string }): Promise<number> {
  const { id, user, side, buyer, otherId } = await ownConversation(ctx, input.inquiryId);
  return ctx.db.tx(async () => {
    const opened =
      side === 'seller'
        ? await ctx.db
            .q()
            .updateTable('property_inquiries')
            .set({ opened_at: ctx.now() })
            .where('id', '=', id)
            .where('opened_at', 'is', null)
            .executeTakeFirstOrThrow()
        : null;
    const read = await ctx.db
      .q()
      .updateTable('inquiry_messages')
      .set({ is_read: true, read_at: ctx.now(), awaits_digest: false })
      .where('inquiry_id', '=', id)
      .where('sender_id', side === 'buyer' ? '<>' : '=', buyer.id)
      .where('is_read', '=', false)
      .executeTakeFirstOrThrow();
    const changed = Number(read.numUpdatedRows) + Number(opened?.numUpdatedRows ?? 0n);
    if (changed === 0) return 0;
    await publishToUser(ctx, user.id, 'inquiry.read', { inquiry: id, mine: true });
    if (otherId) await publishToUser(ctx, otherId, 'inquiry.read', { inquiry: id, mine: false });
    return changed;
  });
}
