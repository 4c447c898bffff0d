import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * The administrators' lists answer at once for words that many rows have: buyers are known by their own row, and an inquiry has
 * in one text what it is searched by. And a live event tells when another listing waits for approval, or one less.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await buyers(db);
  await inquiries(db);
  await queue(db);
}

/** The list of buyers would else read past every seller to find them. */
async function buyers(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A column, because of its statistics the planner knows which words are common.
    alter table users add column search_text text not null generated always as (lower(name || ' ' || email)) stored,
      add column is_buyer boolean not null default false;
    update users u set is_buyer = true from profiles p where p.id = u.id and p.role = 'buyer';
    create function profiles_role_known() returns trigger language plpgsql as $$
    begin
      update users set is_buyer = new.role = 'buyer' where id = new.id and is_buyer <> (new.role = 'buyer');
      return null;
    end $$;
    create trigger profiles_role_known after insert or update of role on profiles
      for each row execute function profiles_role_known();

    drop index users_by_name, users_by_email, users_by_age, users_search;
    create index buyers_by_name on users ((lower(name) collate "C"), id) where is_buyer and closed_at is null;
    create index buyers_by_email on users ((email collate "C"), id) where is_buyer and closed_at is null;
    create index buyers_by_age on users (created_at desc, id) where is_buyer and closed_at is null;
    create index buyers_search on users using gin (search_text gin_trgm_ops)
      where is_buyer and closed_at is null;
  `.execute(db);
}

async function inquiries(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function search_text_of(p properties, a agents, b users) returns text language sql stable as $$
      select lower(concat_ws(chr(10), p.address || ' ' || p.city || ' ' || p.state || ' ' || p.zip,
        a.name || ' ' || a.email || ' ' || coalesce(a.phone, ''), b.name || ' ' || b.email)) $$;
    create function inquiry_search_text(listing uuid, buyer uuid) returns text language sql stable as $$
      select search_text_of(p, a, b) from properties p join agents a on a.id = p.agent_id, users b
        where p.id = listing and b.id = buyer $$;
    alter table property_inquiries add column search_text text not null default '';
    update property_inquiries i set search_text = search_text_of(p, a, b)
      from properties p join agents a on a.id = p.agent_id, users b where p.id = i.property_id and b.id = i.user_id;

    create function property_inquiries_search_text() returns trigger language plpgsql as $$
    begin new.search_text := inquiry_search_text(new.property_id, new.user_id); return new; end $$;
    create trigger property_inquiries_search_text before insert or update of property_id, user_id on property_inquiries
      for each row execute function property_inquiries_search_text();

    create function properties_renamed() returns trigger language plpgsql as $$
    begin
      update property_inquiries set search_text = inquiry_search_text(property_id, user_id) where property_id = new.id;
      return null;
    end $$;
    create trigger properties_renamed after update of address, city, state, zip, agent_id on properties for each row
      when ((old.address, old.city, old.state, old.zip, old.agent_id)
        is distinct from (new.address, new.city, new.state, new.zip, new.agent_id)) execute function properties_renamed();

    create function agents_renamed() returns trigger language plpgsql as $$
    begin
      update property_inquiries set search_text = inquiry_search_text(property_id, user_id)
        where property_id in (select id from properties where agent_id = new.id);
      return null;
    end $$;
    create trigger agents_renamed after update of name, email, phone on agents for each row
      when ((old.name, old.email, old.phone) is distinct from (new.name, new.email, new.phone))
      execute function agents_renamed();

    create function users_renamed() returns trigger language plpgsql as $$
    begin
      update property_inquiries set search_text = inquiry_search_text(property_id, user_id) where user_id = new.id;
      return null;
    end $$;
    create trigger users_renamed after update of name, email on users for each row
      when ((old.name, old.email) is distinct from (new.name, new.email)) execute function users_renamed();

    create index property_inquiries_search on property_inquiries using gin (search_text gin_trgm_ops);
  `.execute(db);
}

async function queue(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function listing_waits(listing properties) returns boolean language sql immutable as $$
      select listing.deleted_at is null and (listing.status = 'pending'
        or (listing.status = 'Active' and listing.changed_since_approval_at is not null)) $$;
    -- Once for a transaction, however many listings it submits.
    create function properties_queue_changed() returns trigger language plpgsql as $$
    begin
      if not exists (select from live_events
          where transaction_id = pg_current_xact_id() and type = 'listing.queue_changed') then
        insert into live_events (audience, type, payload) values ('role:admin', 'listing.queue_changed', '{}');
        perform pg_notify('live', '');
      end if;
      return null;
    end $$;
    create trigger properties_queue_joined after insert on properties for each row
      when (new.status = 'pending') execute function properties_queue_changed();
    create trigger properties_queue_changed after update of status, deleted_at, changed_since_approval_at on properties
      for each row when (listing_waits(old) <> listing_waits(new)) execute function properties_queue_changed();
  `.execute(db);
}
