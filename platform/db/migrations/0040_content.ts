import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Pictures of the home page are kept while it shows them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function homepage_content_picture() returns trigger language plpgsql as $$
    begin
      update stored_images set attached_at = coalesce(attached_at, writer_now()), let_go_at = null
        where id = new.hero_image_id;
      if tg_op = 'UPDATE' and old.hero_image_id is distinct from new.hero_image_id then
        update stored_images set attached_at = null, let_go_at = writer_now() where id = old.hero_image_id
          and not exists (select from property_images where image_id = old.hero_image_id);
      end if;
      return null;
    end $$;
    create trigger homepage_content_picture after insert or update on homepage_content
      for each row execute function homepage_content_picture();
  `.execute(db);
}
