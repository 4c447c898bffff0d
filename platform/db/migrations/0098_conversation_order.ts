import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * The words by which conversations and sales are found have the address, the seller and the buyer. Who writes new ones to several takes
 * them in the order of their ids, and a seller's listings first, which an import holds. The words are made in a statement of its own, after
 * that: one that waits for another's still has the names of before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function properties_renamed() returns trigger language plpgsql as $$
    begin
      perform from property_inquiries where property_id = new.id order by id for no key update;
      update property_inquiries set search_text = inquiry_search_text(property_id, user_id) where property_id = new.id;
      return null;
    end $$;
    create or replace function agents_renamed() returns trigger language plpgsql as $$
    begin
      perform from properties where id in (
          select p.id from properties p join property_inquiries i on i.property_id = p.id where p.agent_id = new.id
          union select property_id from property_sales where agent_id = new.id)
        order by id for key share;
      perform from property_inquiries where property_id in (select id from properties where agent_id = new.id)
        order by id for no key update;
      update property_inquiries set search_text = inquiry_search_text(property_id, user_id)
        where property_id in (select id from properties where agent_id = new.id);
      return null;
    end $$;
    create or replace function users_renamed() returns trigger language plpgsql as $$
    begin
      perform from property_inquiries where user_id = new.id order by id for no key update;
      update property_inquiries set search_text = inquiry_search_text(property_id, user_id) where user_id = new.id;
      return null;
    end $$;
  `.execute(db);
}
