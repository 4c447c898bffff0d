import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Metadata of conversations, and notifications about changes of price or status. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- When the seller first opened the conversation, because the first message has no row of its own with a read mark.
    alter table property_inquiries add column opened_at timestamptz;
    update property_inquiries set opened_at = first_reply_at;
    create index property_inquiries_property on property_inquiries (property_id, last_message_at desc);

    -- Not mailed at once because an earlier one was still unread.
    alter table inquiry_messages add column awaits_digest boolean not null default false;
    create index inquiry_messages_digest on inquiry_messages (created_at) where awaits_digest;
    create unique index inquiry_reports_once on inquiry_reports (inquiry_id, reported_by) where resolved_at is null;

    -- Until it settles, further changes update the same row; then it is mailed.
    alter table property_notifications
      add column settles_at timestamptz not null default now(),
      add column mail_due boolean not null default false;
    create index property_notifications_settling on property_notifications (property_id, settles_at);
    create index property_notifications_mail on property_notifications (settles_at) where mail_due;

    -- The acting user and the time, as set for the current transaction by the platform.
    create function writer_id() returns uuid language sql stable as $$
      select nullif(current_setting('acre.actor', true), '')::uuid $$;
    create function writer_now() returns timestamptz language sql stable as $$
      select coalesce(nullif(current_setting('acre.now', true), '')::timestamptz, now()) $$;

    create function price_words(cents bigint) returns text language sql immutable as $$
      select '$' || to_char(cents / 100.0, case when cents % 100 = 0 then 'FM999,999,999,990' else 'FM999,999,999,990.00' end) $$;
    -- Watchers do not see review states: to them the property is unavailable.
    create function status_words(status text) returns text language sql immutable as $$
      select case status when 'Active' then 'Active' when 'escrow' then 'In Escrow' when 'Sold' then 'Sold'
        when 'withdrawn' then 'Withdrawn' when 'pending' then 'Pending' else 'Unavailable' end $$;
    create function change_words(kind text, address text, previous text, now_is text) returns text language sql immutable as $$
      select case when kind = 'status_change' then address || ' is now ' || now_is
        when translate(now_is, '$,', '')::numeric < translate(previous, '$,', '')::numeric
          then 'The price of ' || address || ' went down'
        else 'The price of ' || address || ' went up' end $$;

    -- One notification per watcher except the acting user; changes within 10 minutes of the first are merged, and dropped
    -- when the value is back to what it was.
    create function tell_watchers(watched properties, kind text, previous text, now_is text) returns void language plpgsql as $$
    declare moment timestamptz := writer_now();
    begin
      with settling as materialized (
        select n.id, n.user_id, n.previous_value from property_notifications n
        where n.property_id = watched.id and n.settles_at > moment and n.notification_type = kind and not n.is_read
          and n.user_id is distinct from writer_id()
        order by n.id for update
      ), gone as (
        delete from property_notifications n using settling s where n.id = s.id and s.previous_value = now_is
        returning n.id, n.user_id
      ), moved as (
        update property_notifications n set new_value = now_is, created_at = moment,
          message = change_words(kind, watched.address, s.previous_value, now_is)
        from settling s where n.id = s.id and s.previous_value <> now_is
        returning n.id, n.user_id, n.message
      ), added as (
        insert into property_notifications
          (user_id, property_id, notification_type, message, previous_value, new_value, created_at, settles_at, mail_due)
        select w.user_id, watched.id, kind, change_words(kind, watched.address, previous, now_is), previous, now_is,
          moment, moment + interval '10 minutes', true
        from property_watches w where w.property_id = watched.id and w.user_id is distinct from writer_id()
          and not exists (select from settling s where s.user_id = w.user_id)
        returning id, user_id, message
      )
      insert into live_events (audience, type, payload, created_at)
      select 'user:' || user_id, 'notification.new',
        jsonb_build_object('id', id, 'property', watched.id, 'type', kind, 'message', message), moment
        from (select * from moved union all select * from added) news
      union all
      select 'user:' || user_id, 'notification.gone', jsonb_build_object('id', id, 'property', watched.id), moment from gone;
      if found then perform pg_notify('live', ''); end if;
    end $$;

    create function properties_tell_watchers() returns trigger language plpgsql as $$
    declare
      was_seen boolean := old.is_public or old.status in ('escrow', 'Sold');
      is_seen boolean := new.is_public or new.status in ('escrow', 'Sold');
    begin
      if new.deleted_at is not null or not exists (select from property_watches where property_id = new.id) then
        return null;
      end if;
      if new.price_cents <> old.price_cents and is_seen then
        perform tell_watchers(new, 'price_change', price_words(old.price_cents), price_words(new.price_cents));
      end if;
      if status_words(new.status) <> status_words(old.status) and (was_seen or is_seen) then
        perform tell_watchers(new, 'status_change', status_words(old.status), status_words(new.status));
      end if;
      return null;
    end $$;
    create trigger properties_tell_watchers after update on properties for each row
      when (old.price_cents is distinct from new.price_cents or old.status is distinct from new.status)
      execute function properties_tell_watchers();
  `.execute(db);
}
