import { type Kysely, sql } from 'kysely';

/**
 * A new listing, and one that is given away, waits for whoever is suspending or archiving its seller, and they wait for it: otherwise
 * neither would see the other, and the listing would stay for sale. An archived seller gets none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function properties_guard() returns trigger language plpgsql as $$
    declare
      seller record;
    begin
      new.status := case lower(replace(new.status, ' ', '_'))
        when 'active' then 'Active' when 'sold' then 'Sold'
        when 'in_escrow' then 'escrow' else lower(replace(new.status, ' ', '_')) end;
      if new.status <> 'Active' then new.featured_slot := null; new.featured_at := null; end if;
      if tg_op = 'INSERT' or new.agent_id is distinct from old.agent_id then
        select status, archived_at into seller from agents where id = new.agent_id for share;
        if seller.archived_at is not null then
          raise exception 'The seller % is archived', new.agent_id using errcode = 'check_violation';
        end if;
        new.seller_suspended := coalesce(seller.status = 'suspended', false);
      end if;
      if tg_op = 'INSERT' or new.status is distinct from old.status then
        if new.status = 'Active' then
          new.listed_at := coalesce(new.listed_at, now());
          if new.paused_at is not null then
            new.paused_seconds := new.paused_seconds + extract(epoch from now() - new.paused_at)::bigint;
          end if;
          new.paused_at := null;
          new.off_market_at := null;
        elsif new.status = 'escrow' then
          new.paused_at := coalesce(new.paused_at, now());
        elsif new.status in ('Sold', 'withdrawn') then
          new.off_market_at := coalesce(new.off_market_at, new.paused_at, now());
        end if;
      end if;
      if tg_op = 'UPDATE' and new.views = old.views
        and new.photos_changed_at is not distinct from old.photos_changed_at then new.updated_at := now(); end if;
      return new;
    end $$;
  `.execute(db);
}
