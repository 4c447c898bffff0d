import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { type PageKey, pageKey } from '#platform/db/page-key.ts';
import type { MessageFile, Thread, ThreadMessage } from './model.ts';
import type { OwnConversation } from './parties.ts';

const PAGE = 50;

interface FileColumns {
  file_id: string | null;
  file_name: string | null;
  file_kind: 'photo' | 'pdf' | null;
  byte_size: number | null;
}

/** The file of a message, from the columns of `message_files`; null for most messages. */
export const fileOf = ({
  file_id: id,
  file_name: name,
  file_kind: kind,
  byte_size: bytes,
}: FileColumns): MessageFile | null =>
  id === null || name === null || kind === null || bytes === null ? null : { id, name, kind, bytes };

/**
 * A page of at most `size` of a conversation's messages before `key`, oldest first, and the cursor of the page before it; null where
 * there is none. The inquiry's own text is none of them.
 */
export async function messagePage(ctx: Ctx, inquiryId: string, key: PageKey | null, size: number) {
  const rows = await ctx.db
    .q()
    .selectFrom('inquiry_messages as m')
    .leftJoin('message_files as f', 'f.message_id', 'm.id')
    .select(['m.id', 'm.sender_id', 'm.message', 'm.created_at', 'm.is_read', 'm.client_key'])
    .select(['f.id as file_id', 'f.name as file_name', 'f.kind as file_kind', 'f.byte_size'])
    .select(pageKey(sql`m.created_at`, sql`m.id`).as('key'))
    .where('m.inquiry_id', '=', inquiryId)
    .$if(key !== null, (q) =>
      q.where(sql<boolean>`(m.created_at, m.id) < (${key?.at}::timestamptz, ${key?.id}::uuid)`),
    )
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(size + 1)
    .execute();
  const page = rows.slice(0, size);
  return {
    page: page.toReversed(),
    before: rows.length > size ? (page.at(-1)?.key ?? null) : null,
  };
}

/** A page of a conversation's messages before `key`, oldest first; the last page starts with the inquiry's own text. */
export async function messagesOf(
  ctx: Ctx,
  thread: OwnConversation,
  key: PageKey | null,
): Promise<Pick<Thread, 'messages' | 'before'>> {
  const { id, user, buyer, seller } = thread;
  const { page, before } = await messagePage(ctx, id, key, PAGE);
  const senderOf = (userId: string) =>
    userId === buyer.id ? 'buyer' : userId === seller.userId ? 'seller' : 'support';
  const messages: ThreadMessage[] = page.map((row) => ({
    id: row.id,
    key: row.sender_id === user.id ? row.client_key : null,
    sender: senderOf(row.sender_id),
    mine: row.sender_id === user.id,
    text: row.message,
    at: row.created_at.toISOString(),
    seen: row.sender_id === user.id && row.is_read,
    links: row.sender_id !== buyer.id || buyer.verified,
    file: fileOf(row),
  }));
  if (before !== null) return { messages, before };
  const mine = buyer.id === user.id;
  const first: ThreadMessage = {
    id,
    key: null,
    sender: 'buyer',
    mine,
    text: thread.firstText,
    at: thread.firstAt.toISOString(),
    seen: mine && thread.openedAt !== null,
    links: buyer.verified,
    file: null,
  };
  return { messages: [first, ...messages], before: null };
}
