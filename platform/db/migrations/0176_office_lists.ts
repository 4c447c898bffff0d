import { type Kysely, sql } from 'kysely';

/** The lists of the back office find, count and sort what matches with fewer rows read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await indexes(db);
  await words(db);
}

/** What is counted stands in the index: the listings of sellers whose names were searched for, pending payouts, and sales in escrow. */
const indexes = (db: Kysely<unknown>) =>
  sql`
    drop index properties_agent;
    create index properties_agent on properties (agent_id, created_at desc, id) include (status, deleted_at);
    create index property_sales_payout_release on property_sales (released_at)
      include (id, agent_id, paid_with, created_at, escrow_status, frozen_at) where payout_status = 'pending';
    drop index property_sales_payout_property;
    drop index property_sales_in_escrow;
    create index property_sales_in_escrow on property_sales (sale_date desc, id desc) include (stripe_payment_status)
      where escrow_status = 'in_escrow';
  `.execute(db);

/** A space before every word, so that one pattern finds what a word begins with. */
const words = (db: Kysely<unknown>) =>
  sql`
    create or replace function search_text_of(p properties, a agents, b users) returns text language sql stable as $$
      select lower(' ' || concat_ws(' ', p.address, p.city, p.state, p.zip, a.name, a.email, a.phone, b.name, b.email)) $$;
    drop index property_inquiries_search;
    update property_inquiries set search_text = ' ' || replace(search_text, chr(10), ' ');
    create index property_inquiries_search on property_inquiries using gin (search_text gin_trgm_ops);

    create or replace function sale_words(p properties, a agents) returns text language sql immutable as $$
      select lower(' ' || p.address || ' ' || p.city || ' ' || p.state || ' ' || p.zip || ' ' || a.name) $$;
    drop index sale_search_words;
    update sale_search set words = ' ' || words;
    create index sale_search_words on sale_search using gin (words gin_trgm_ops);

    -- With its index.
    alter table users drop column search_text,
      add column search_text text not null generated always as (lower(' ' || name || ' ' || email)) stored;
    create index buyers_search on users using gin (search_text gin_trgm_ops) where is_buyer and closed_at is null;
  `.execute(db);
