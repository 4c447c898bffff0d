import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Pictures of the home page are kept while it shows them; the versions of the terms and the privacy policy; audit rows of settings
 * that explain what the settings are.
 */
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

    -- Every version stays as it was published: people accepted the one of their day.
    create table policy_versions (
      policy text not null check (policy in ('terms', 'privacy')),
      version integer not null check (version > 0),
      body text not null check (char_length(body) between 1 and 40000),
      published_at timestamptz not null default now(),
      published_by uuid references users on delete set null,
      primary key (policy, version)
    );
    create trigger policy_versions_announce after insert on policy_versions
      for each statement execute function announce_change();
    create trigger policy_versions_append_only before update of policy, version, body, published_at or delete
      on policy_versions for each row execute function forbid_change();

    -- The rows of changed settings held the bare value, which says nothing of the field that is compared with the setting.
    insert into audit_log (actor_role, action, entity, entity_id, after, request_id, at)
      select 'system:migration', 'state.baseline', 'platform_setting', s.setting_name,
        jsonb_build_object('value', s.setting_value), '0040_content', now()
      from platform_settings s
      where exists (select from audit_log a where a.entity = 'platform_setting' and a.entity_id = s.setting_name
        and a.action = 'setting.change');
  `.execute(db);
}
