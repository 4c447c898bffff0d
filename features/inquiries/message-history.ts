import { townLine } from '#features/listings/display.ts';
import type { Ctx } from '#platform/context.ts';
import { readPageKey } from '#platform/db/page-key.ts';
import { fileOf, messagePage } from './messages.ts';
import type { HistorySender, MessageHistory } from './oversight-model.ts';
import { conversation } from './parties.ts';

/** Messages of one page. */
const PAGE = 100;

/**
 * A conversation with a page of its messages, oldest first, the newest page without a cursor.
 * @throws NotFound; BadRequest for an invalid cursor
 */
export async function readHistory(
  ctx: Ctx,
  inquiryId: string,
  before: string | null,
): Promise<MessageHistory> {
  const key = readPageKey(before);
  const { id, property, buyer, seller, firstText, firstAt } = await conversation(ctx, inquiryId);
  const report = await ctx.db
    .q()
    .selectFrom('inquiry_reports')
    .select('id')
    .where('inquiry_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  const { page, before: earlier } = await messagePage(ctx, id, key, PAGE);
  const senderOf = (userId: string): HistorySender =>
    userId === buyer.id ? 'buyer' : userId === seller.userId ? 'seller' : 'unknown';
  return {
    id,
    reported: report !== undefined,
    property: { id: property.id, address: property.address, town: townLine(property) },
    buyer: { name: buyer.name, email: buyer.email },
    seller: seller.name,
    inquiry: { text: firstText, at: firstAt.toISOString() },
    messages: page.map((row) => ({
      id: row.id,
      sender: senderOf(row.sender_id),
      text: row.message,
      at: row.created_at.toISOString(),
      file: fileOf(row),
    })),
    before: earlier,
  };
}
