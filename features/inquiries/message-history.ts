import { sql } from 'kysely';
import { townLine } from '#features/listings/display.ts';
import type { Ctx } from '#platform/context.ts';
import { pageKey, readPageKey } from '#platform/db/page-key.ts';
import { fileOf } from './messages.ts';
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
  const rows = await ctx.db
    .q()
    .selectFrom('inquiry_messages as m')
    .leftJoin('message_files as f', 'f.message_id', 'm.id')
    .select(['m.id', 'm.sender_id', 'm.message', 'm.created_at'])
    .select(['f.id as file_id', 'f.name as file_name', 'f.kind as file_kind', 'f.byte_size'])
    .select(pageKey(sql`m.created_at`, sql`m.id`).as('key'))
    .where('m.inquiry_id', '=', id)
    .$if(key !== null, (q) =>
      q.where(sql<boolean>`(m.created_at, m.id) < (${key?.at}::timestamptz, ${key?.id}::uuid)`),
    )
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(PAGE + 1)
    .execute();
  const page = rows.slice(0, PAGE);
  const senderOf = (userId: string): HistorySender =>
    userId === buyer.id ? 'buyer' : userId === seller.userId ? 'seller' : 'unknown';
  return {
    id,
    reported: report !== undefined,
    property: { id: property.id, address: property.address, town: townLine(property) },
    buyer: { name: buyer.name, email: buyer.email },
    seller: seller.name,
    inquiry: { text: firstText, at: firstAt.toISOString() },
    messages: page.toReversed().map((row) => ({
      id: row.id,
      sender: senderOf(row.sender_id),
      text: row.message,
      at: row.created_at.toISOString(),
      file: fileOf(row),
    })),
    before: rows.length > PAGE ? (page.at(-1)?.key ?? null) : null,
  };
}
