import { type Kysely, sql } from 'kysely';

/** A mail that comes back is found by its Message-ID. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index mail_outbox_message_id on mail_outbox (message_id) where status = 'sent'`.execute(
    db,
  );
}
