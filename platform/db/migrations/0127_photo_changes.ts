import { type Kysely, sql } from 'kysely';

/**
 * When photos were changed: another caption or text, another order or main one; and when those of a listing were, one deleted among
 * them. Other systems that hold copies ask for it. A change of photos alone is none of the listing's own facts.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Null: not since it was added.
    alter table property_images add column changed_at timestamptz;
    drop index property_images_added;
    create index property_images_changed on property_images (coalesce(changed_at, created_at), id)
      where property_id is not null;
    -- Null: not since its newest photo was added.
    alter table properties add column photos_changed_at timestamptz;

    create or replace function properties_guard() returns trigger language plpgsql as $$
    begin
      new.status := case lower(replace(new.status, ' ', '_'))
        when 'active' then 'Active' when 'sold' then 'Sold'
        when 'in_escrow' then 'escrow' else lower(replace(new.status, ' ', '_')) end;
      if new.status <> 'Active' then new.featured_slot := null; new.featured_at := null; end if;
      if tg_op = 'INSERT' then
        new.seller_suspended := exists (select from agents where id = new.agent_id and status = 'suspended');
      elsif new.agent_id is distinct from old.agent_id then
        new.seller_suspended := exists (select from agents where id = new.agent_id and status = 'suspended');
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

    create function property_images_touch() returns trigger language plpgsql as $$
    begin
      new.changed_at := now();
      return new;
    end $$;
    create trigger property_images_touch before update on property_images for each row
      when ((old.property_id, old.image_id, old.is_main, old.position, old.caption, old.alt)
        is distinct from (new.property_id, new.image_id, new.is_main, new.position, new.caption, new.alt))
      execute function property_images_touch();

    create function properties_photos_changed() returns trigger language plpgsql as $$
    begin
      update properties set photos_changed_at = now() where photos_changed_at is distinct from now()
        and id in (select unnest(array[o.property_id, n.property_id]) from old_photos o join new_photos n using (id)
          where o.changed_at is distinct from n.changed_at);
      return null;
    end $$;
    create trigger property_images_changed after update on property_images
      referencing old table as old_photos new table as new_photos
      for each statement execute function properties_photos_changed();

    create function properties_photos_deleted() returns trigger language plpgsql as $$
    begin
      update properties set photos_changed_at = now() where photos_changed_at is distinct from now()
        and id in (select property_id from old_photos);
      return null;
    end $$;
    create trigger property_images_deleted after delete on property_images
      referencing old table as old_photos
      for each statement execute function properties_photos_deleted();
  `.execute(db);
}
