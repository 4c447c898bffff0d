import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Photos of drafts, idempotent uploads, and stored pictures that are no longer used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A picture belongs either to a listing or to the draft of a new one.
    alter table property_images
      alter column property_id drop not null,
      add column draft_id uuid references property_drafts on delete cascade,
      add column upload_key uuid,
      add constraint property_images_owner check ((property_id is null) <> (draft_id is null));
    create index property_images_draft on property_images (draft_id, is_main desc, position, id)
      where draft_id is not null;
    create unique index property_images_one_main_draft on property_images (draft_id) where is_main;
    -- A repeated upload results in the same picture.
    create unique index property_images_upload on property_images (coalesce(property_id, draft_id), upload_key);

    -- The next picture becomes the main one when the main one is deleted.
    create or replace function property_images_promote() returns trigger language plpgsql as $$
    begin
      update property_images set is_main = true where id = (
        select id from property_images where property_id = old.property_id or draft_id = old.draft_id
        order by position, created_at, id limit 1);
      return null;
    end $$;

    -- A stored picture is attached while something uses it; unused pictures are deleted a day later.
    alter table stored_images add column let_go_at timestamptz;
    drop index stored_images_orphans;
    create index stored_images_orphans on stored_images (coalesce(let_go_at, created_at)) where attached_at is null;
    update stored_images set attached_at = now() where attached_at is null
      and (id in (select image_id from property_images) or id in (select hero_image_id from homepage_content));

    create function property_images_attach() returns trigger language plpgsql as $$
    begin
      update stored_images set attached_at = coalesce(attached_at, writer_now()), let_go_at = null where id = new.image_id;
      return null;
    end $$;
    create trigger property_images_attach after insert on property_images
      for each row execute function property_images_attach();

    create function property_images_let_go() returns trigger language plpgsql as $$
    begin
      update stored_images set attached_at = null, let_go_at = writer_now() where id = old.image_id
        and not exists (select from property_images where image_id = old.image_id)
        and not exists (select from homepage_content where hero_image_id = old.image_id);
      return null;
    end $$;
    create trigger property_images_let_go after delete on property_images
      for each row execute function property_images_let_go();
  `.execute(db);
}
