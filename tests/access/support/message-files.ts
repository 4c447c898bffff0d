import { randomUUID } from 'node:crypto';
import type { Database } from '#platform/db/database.ts';

/** The smallest file that is read as a PDF. */
export const PDF_FILE = new Uint8Array(Buffer.from('%PDF-1.7\n%%EOF\n'));

/** A PDF file with the newest message of a conversation; returns its id. */
export async function createMessageFile(db: Database, inquiryId: string): Promise<string> {
  const { id: message_id } = await db
    .q()
    .selectFrom('inquiry_messages')
    .select('id')
    .where('inquiry_id', '=', inquiryId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const { id } = await db
    .q()
    .insertInto('message_files')
    .values({
      message_id,
      file_key: `messages/${randomUUID()}.pdf`,
      name: 'Unmistakable plan.pdf',
      kind: 'pdf',
      byte_size: PDF_FILE.length,
      sha256: 'none',
      scan: 'clean',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
