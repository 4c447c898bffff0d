import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Saved searches that a new listing matches by index, closed accounts, and mails with an unsubscribe link. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- No version ever wrote to the original table; a row inserted by hand stops the migration.
    do $$ begin
      if exists (select from saved_searches) then raise exception 'saved_searches holds rows of unknown making'; end if;
    end $$;
    -- Unset criteria are bounds that every listing meets; type 0 is every type. Prices are the buyer's totals. 'key_word' is
    -- the rarest of the words, or '' without words: a new listing looks up the search by it. A search for parts of words is
    -- looked up by '*' and three letters. 'rest' is what remains to be compared.
    drop index saved_searches_user;
    drop table saved_searches;
    create table saved_searches (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      name text not null check (length(name) between 1 and 80),
      cadence text not null default 'instant' check (cadence in ('instant', 'daily')),
      -- as displayed; 'words' has the same words sorted
      text text not null default '' check (length(text) <= 200),
      words text[] not null default '{}' check (cardinality(words) <= 12),
      reading text not null default 'beginnings' check (reading in ('beginnings', 'parts')),
      key_word text not null default '' check ((key_word = '') = (words = '{}')),
      rest text not null default '',
      type_id smallint not null default 0,
      min_total_cents bigint not null default 0,
      max_total_cents bigint not null default 9007199254740991,
      min_beds smallint not null default -1,
      min_baths smallint not null default -1,
      south double precision not null default -999,
      west double precision not null default -999,
      north double precision not null default 999,
      east double precision not null default 999,
      created_at timestamptz not null default now()
    );
    create index saved_searches_user on saved_searches (user_id, created_at desc, id);
    -- Saving the same criteria twice gives one search.
    create unique index saved_searches_once on saved_searches (user_id, words, reading, type_id, min_total_cents,
      max_total_cents, min_beds, min_baths, south, west, north, east);
    create index saved_searches_match on saved_searches (key_word, type_id, min_total_cents, max_total_cents, min_beds,
      min_baths, south, north, west, east) include (id, user_id, rest);

    create table saved_search_matches (
      search_id uuid not null references saved_searches on delete cascade,
      property_id uuid not null references properties on delete cascade,
      matched_at timestamptz not null,
      seen_at timestamptz,
      mail text not null check (mail in ('instant', 'daily', 'sent', 'none')),
      primary key (search_id, property_id)
    );
    create index saved_search_matches_newest on saved_search_matches (search_id, matched_at desc);
    create index saved_search_matches_unseen on saved_search_matches (search_id) where seen_at is null;
    create index saved_search_matches_waiting on saved_search_matches (mail, search_id, matched_at)
      where mail in ('instant', 'daily');

    -- At most one mail per listing and user, however many searches match it and however often it is relisted.
    create table saved_search_mails (
      user_id uuid not null references users on delete cascade,
      property_id uuid not null references properties on delete cascade,
      mailed_at timestamptz not null,
      primary key (user_id, property_id)
    );

    -- Listings that became public and have yet to be matched against the saved searches.
    create table listing_arrivals (
      property_id uuid primary key references properties on delete cascade,
      arrived_at timestamptz not null
    );
    create function listing_arrives() returns trigger language plpgsql as $$
    begin
      if exists (select from saved_searches) then
        insert into listing_arrivals values (new.id, now()) on conflict do nothing;
        perform pg_notify('arrivals', '');
      end if;
      return null;
    end $$;
    create trigger listing_arrives_new after insert on properties
      for each row when (new.is_public) execute function listing_arrives();
    create trigger listing_arrives_again after update on properties
      for each row when (new.is_public and not old.is_public) execute function listing_arrives();

    -- A closed account keeps its anonymised row for the sales and conversations that reference it, but cannot buy any more.
    -- The lock prevents a purchase concurrent with the closing.
    alter table users add column closed_at timestamptz;
    create function closed_accounts_rest() returns trigger language plpgsql as $$
    declare closed timestamptz;
    begin
      select closed_at into closed from users where id = new.buyer_id for key share;
      if closed is not null then
        raise exception 'account % is closed', new.buyer_id using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger property_sales_of_open_accounts before insert on property_sales
      for each row execute function closed_accounts_rest();

    alter table mail_outbox add column unsubscribe_url text;
  `.execute(db);
}
