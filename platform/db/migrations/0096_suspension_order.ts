import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** A suspension takes a seller's listings in the order of their ids, as everything does that takes several, such as an import. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function agents_suspension() returns trigger language plpgsql as $$
    begin
      perform from properties where agent_id = new.id order by id for no key update;
      update properties set seller_suspended = (new.status = 'suspended') where agent_id = new.id;
      return null;
    end $$;
  `.execute(db);
}
