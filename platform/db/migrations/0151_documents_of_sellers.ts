import { type Kysely, sql } from 'kysely';

/**
 * The administrators' list finds a document by its seller's name as well: of whose document it is, else of the property's seller. Locks are
 * taken in the order of 0098, documents after listings and before conversations, as a change of address does.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await words(db);
  await renamed(db);
}

async function words(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function document_words(name text, type text, listing uuid, seller uuid) returns text language sql stable as $$
      select lower(' ' || concat_ws(' ', name, type, place_words(listing), (select a.name from agents a
        where a.id = coalesce(seller, (select p.agent_id from properties p where p.id = listing))))) $$;
    update document_registry set search_text = document_words(document_name, document_type, property_id, agent_id);

    create or replace function document_registry_words() returns trigger language plpgsql as $$
    begin
      new.search_text := document_words(new.document_name, new.document_type, new.property_id, new.agent_id);
      return new;
    end $$;
    drop trigger document_registry_words on document_registry;
    create trigger document_registry_words before insert or update of document_name, document_type, property_id, agent_id
      on document_registry for each row execute function document_registry_words();
  `.execute(db);
}

async function renamed(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function properties_readdressed() returns trigger language plpgsql as $$
    begin
      perform from document_registry where property_id = new.id order by id for no key update;
      update document_registry set search_text = document_words(document_name, document_type, property_id, agent_id)
        where property_id = new.id;
      update completion_nfts set search_text = token_words(metadata, token_id, property_id) where property_id = new.id;
      return null;
    end $$;
    drop trigger properties_readdressed on properties;
    create trigger properties_readdressed after update of address, city, state, zip, agent_id on properties for each row
      when ((old.address, old.city, old.state, old.zip, old.agent_id)
        is distinct from (new.address, new.city, new.state, new.zip, new.agent_id))
      execute function properties_readdressed();
    drop function document_words(text, text, uuid);

    create function documents_of_seller(seller uuid) returns setof uuid language sql stable as $$
      select id from document_registry where agent_id = seller
      union select d.id from properties p join document_registry d on d.property_id = p.id where p.agent_id = seller $$;
    create or replace function agents_renamed() returns trigger language plpgsql as $$
    begin
      perform from properties where id in (
          select p.id from properties p join property_inquiries i on i.property_id = p.id where p.agent_id = new.id
          union select property_id from property_sales where agent_id = new.id
          union select property_id from document_registry
            where old.name <> new.name and id in (select documents_of_seller(new.id)))
        order by id for key share;
      if old.name <> new.name then
        perform from document_registry where id in (select documents_of_seller(new.id)) order by id for no key update;
        update document_registry set search_text = document_words(document_name, document_type, property_id, agent_id)
          where id in (select documents_of_seller(new.id));
      end if;
      perform from property_inquiries where property_id in (select id from properties where agent_id = new.id)
        order by id for no key update;
      update property_inquiries set search_text = inquiry_search_text(property_id, user_id)
        where property_id in (select id from properties where agent_id = new.id);
      return null;
    end $$;
  `.execute(db);
}
