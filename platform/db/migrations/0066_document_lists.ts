import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * The administrators' lists of documents and tokens: what they are searched by in one text each, which triggers keep up to date, and
 * an index for each order and count.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await documents(db);
  await tokens(db);
  await readdressed(db);
}

async function documents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function place_words(listing uuid) returns text language sql stable as $$
      select p.address || ' ' || p.city || ' ' || p.state || ' ' || p.zip from properties p where p.id = listing $$;
    -- The space in front lets the index find beginnings of the first word as it does of the others.
    create function document_words(name text, type text, listing uuid) returns text language sql stable as $$
      select lower(' ' || concat_ws(' ', name, type, place_words(listing))) $$;
    alter table document_registry add column search_text text not null default '';
    update document_registry set search_text = document_words(document_name, document_type, property_id);

    create function document_registry_words() returns trigger language plpgsql as $$
    begin
      new.search_text := document_words(new.document_name, new.document_type, new.property_id);
      return new;
    end $$;
    create trigger document_registry_words before insert or update of document_name, document_type, property_id
      on document_registry for each row execute function document_registry_words();

    create index document_registry_words on document_registry using gin (search_text gin_trgm_ops);
    create index document_registry_by_name on document_registry ((lower(document_name) collate "C"), id);
    create index document_registry_by_status on document_registry (status, created_at desc, id);
    -- How many documents there are, and of how many properties.
    create index document_registry_counted on document_registry (property_id) where not is_test;
  `.execute(db);
}

async function tokens(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A token that has no number yet is found by none.
    create function token_words(metadata jsonb, token numeric, listing uuid) returns text language sql stable as $$
      select lower(' ' || concat_ws(' ', case when jsonb_typeof(metadata -> 'name') = 'string' then metadata ->> 'name' end,
        place_words(listing), nullif(token, 0)::text)) $$;
    alter table completion_nfts add column search_text text not null default '';
    update completion_nfts set search_text = token_words(metadata, token_id, property_id);

    create function completion_nfts_words() returns trigger language plpgsql as $$
    begin
      new.search_text := token_words(new.metadata, new.token_id, new.property_id);
      return new;
    end $$;
    create trigger completion_nfts_words before insert or update of metadata, token_id, property_id
      on completion_nfts for each row execute function completion_nfts_words();

    create index completion_nfts_words on completion_nfts using gin (search_text gin_trgm_ops);
    create index completion_nfts_kind on completion_nfts (kind, created_at desc, id);
    create index completion_nfts_number on completion_nfts (kind, token_id, id);
  `.execute(db);
}

/** A property's documents and tokens are found by its new address. */
async function readdressed(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function properties_readdressed() returns trigger language plpgsql as $$
    begin
      update document_registry set search_text = document_words(document_name, document_type, property_id)
        where property_id = new.id;
      update completion_nfts set search_text = token_words(metadata, token_id, property_id) where property_id = new.id;
      return null;
    end $$;
    create trigger properties_readdressed after update of address, city, state, zip on properties for each row
      when ((old.address, old.city, old.state, old.zip) is distinct from (new.address, new.city, new.state, new.zip))
      execute function properties_readdressed();
  `.execute(db);
}
