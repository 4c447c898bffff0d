import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The administrators' list of sellers: phone numbers in one form, a seller's status in one column, search and every sort order by an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- No form has set a phone number so far. What is none is let go, everything else gets its country code.
    update agents set phone = case
        when phone ~ '^[+]' then '+' || regexp_replace(phone, '[^0-9]', '', 'g')
        else '+1' || right(regexp_replace(phone, '[^0-9]', '', 'g'), 10) end
      where phone is not null;
    update agents set phone = null where phone !~ '^[+][1-9][0-9]{7,14}$';
    alter table agents add constraint agents_phone check (phone ~ '^[+][1-9][0-9]{7,14}$');

    alter table agents add column display_status text not null generated always as (case
      when status = 'suspended' then 'suspended' when user_id is not null then 'active' else 'pending' end) stored;

    -- An archived seller is in no list but that of the archived ones.
    create index agents_search on agents
      using gin ((lower(name || ' ' || email || ' ' || coalesce(phone, ''))) gin_trgm_ops);
    -- Byte order, which also finds beginnings.
    create index agents_by_name_current on agents ((lower(name) collate "C"), id) where archived_at is null;
    create index agents_by_email on agents ((email collate "C"), id) where archived_at is null;
    create index agents_by_phone on agents (phone, id) where archived_at is null;
    create index agents_by_phone_descending on agents (phone desc nulls last, id desc) where archived_at is null;
    create index agents_by_commission on agents (commission_rate, id) where archived_at is null;
    create index agents_by_status on agents (display_status, created_at desc, id desc) where archived_at is null;
    create index agents_by_age on agents (created_at, id) where archived_at is null;
    create index agents_archived on agents (archived_at) where archived_at is not null;
  `.execute(db);
}
