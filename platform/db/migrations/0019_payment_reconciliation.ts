import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** When each sale is next checked with its provider, and indexes for what is swept every minute. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- 'next_ask_at': null once its provider can no longer change anything. 'ask_failures': calls in a row without an answer.
    alter table property_sales
      add column next_ask_at timestamptz default now(),
      add column ask_failures integer not null default 0;
    drop index property_sales_ask;
    create index property_sales_next_ask on property_sales (provider, next_ask_at)
      where provider_session_id is not null and next_ask_at is not null;
    create index refunds_pending on refunds (created_at) where status = 'pending';
  `.execute(db);
}
