import type { Ctx } from '#platform/context.ts';

/**
 * What a buyer and the seller of a property wrote to each other at or after `since`, oldest first; of a long conversation the
 * newest 500 messages.
 */
export async function correspondence(
  ctx: Ctx,
  { propertyId, buyerId, since }: { propertyId: string; buyerId: string; since: Date },
): Promise<{ at: Date; byBuyer: boolean; text: string }[]> {
  const inquiry = await ctx.db
    .q()
    .selectFrom('property_inquiries')
    .select(['id', 'message', 'created_at'])
    .where('property_id', '=', propertyId)
    .where('user_id', '=', buyerId)
    .executeTakeFirst();
  if (!inquiry) return [];
  const rows = await ctx.db
    .q()
    .selectFrom('inquiry_messages')
    .select(['sender_id', 'message', 'created_at'])
    .where('inquiry_id', '=', inquiry.id)
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(500)
    .execute();
  const replies = rows.toReversed().map(({ sender_id, message, created_at }) => ({
    at: created_at,
    byBuyer: sender_id === buyerId,
    text: message,
  }));
  const first = { at: inquiry.created_at, byBuyer: true, text: inquiry.message };
  return first.at >= since ? [first, ...replies] : replies;
}
