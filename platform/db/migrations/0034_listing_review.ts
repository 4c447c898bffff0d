import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** What administrators need of listings: the featured ones, the review queue, duplicates, and lists over all of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A listing that visitors cannot see is not featured, so that the count is what they see. After 'properties_guard', which
    -- finds out whether its seller is suspended.
    create function properties_unfeature() returns trigger language plpgsql as $$
    begin
      if new.seller_suspended or new.deleted_at is not null then
        new.featured_slot := null;
        new.featured_at := null;
      end if;
      return new;
    end $$;
    update properties set featured_slot = null, featured_at = null
      where featured_slot is not null and (seller_suspended or deleted_at is not null);
    create trigger properties_unfeature before insert or update on properties
      for each row execute function properties_unfeature();

    -- When it was last submitted for approval; null: when it was created.
    alter table properties add column submitted_at timestamptz;
    update properties p set submitted_at = (select max(c.created_at) from property_changes c
        where c.property_id = p.id and c.field = 'status' and c.new_value = 'pending')
      where p.status = 'pending';
    drop index properties_review;
    create index properties_review on properties
      ((case when status = 'Active' then changed_since_approval_at else coalesce(submitted_at, created_at) end) desc, id desc)
      where deleted_at is null
        and (status = 'pending' or (status = 'Active' and changed_since_approval_at is not null));

    -- The same place written in different ways: without capitals, accents and punctuation, with short words for streets.
    -- Analysing a table computes its indexes under a search path of its own, where 'search_text' would not be found.
    create function address_key(address text, city text, zip text) returns text
      language plpgsql immutable parallel safe set search_path from current as $$
    declare
      word text;
      words text[] := '{}';
    begin
      foreach word in array string_to_array(search_text(coalesce(address, '')), ' ') loop
        words := words || case word
          when 'street' then 'st' when 'str' then 'st' when 'avenue' then 'ave' when 'av' then 'ave' when 'road' then 'rd'
          when 'lane' then 'ln' when 'way' then 'wy' when 'drive' then 'dr' when 'court' then 'ct' when 'place' then 'pl'
          when 'square' then 'sq' when 'terrace' then 'ter' when 'boulevard' then 'blvd' when 'highway' then 'hwy'
          when 'parkway' then 'pkwy' when 'circle' then 'cir' when 'trail' then 'trl' when 'north' then 'n'
          when 'south' then 's' when 'east' then 'e' when 'west' then 'w' when 'apartment' then 'unit' when 'apt' then 'unit'
          when 'suite' then 'unit' when 'ste' then 'unit'
          else word end;
      end loop;
      return array_to_string(words, ' ') || '|'
        || coalesce(nullif(left(btrim(zip), 5), ''), search_text(coalesce(city, '')));
    end $$;
    create index properties_same_address on properties (address_key(address, city, zip)) where deleted_at is null;
    create index stored_images_sha256 on stored_images (sha256);

    -- Lists over all listings: one index for each order, and one for the words that the search looks for.
    create index properties_all_newest on properties (created_at desc, id desc) where deleted_at is null;
    create index properties_all_address on properties (lower(address) collate "C", id) where deleted_at is null;
    create index properties_all_price on properties (price_cents, id) where deleted_at is null;
    create index properties_all_views on properties (views, id) where deleted_at is null;
    create index properties_all_status on properties (status, created_at desc, id desc) where deleted_at is null;
    -- Days listed: a listing on the market is the longer listed the earlier it began; one that is not has its final number.
    create index properties_all_since on properties
      ((extract(epoch from listed_at - timestamptz '2000-01-01 00:00:00+00') + paused_seconds), id)
      where deleted_at is null and listed_at is not null and off_market_at is null and paused_at is null;
    create index properties_all_lasted on properties
      ((extract(epoch from coalesce(off_market_at, paused_at) - listed_at) - paused_seconds), id)
      where deleted_at is null and listed_at is not null and coalesce(off_market_at, paused_at) is not null;
    create index properties_all_unlisted on properties (id) where deleted_at is null and listed_at is null;
    create index properties_all_words on properties
      using gin (lower(address || ' ' || city || ' ' || state || ' ' || zip) gin_trgm_ops) where deleted_at is null;
    create index agents_by_name on agents (lower(name) collate "C", id);
    create index agents_name_words on agents using gin (lower(name) gin_trgm_ops);
    create index property_sales_in_escrow on property_sales (sale_date desc, id desc) where escrow_status = 'in_escrow';
  `.execute(db);
}
