import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Watchers are told the price with fees, buyers nothing of their own purchase; digests go by the reader's clock. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Prices of earlier notifications are base prices and stay so, under that name.
    alter table property_notifications add column price_with_fees boolean not null default false;

    -- What a buyer pays with the fees of now, as pages compute it.
    create function with_buyer_fees(base bigint) returns bigint language sql stable as $$
      select base + coalesce(sum(case when percent is null then fixed_cents else round(base * percent / 100) end), 0)::bigint
        from service_fees where is_active and 'buyer' = any(applies_to) $$;

    -- In whole dollars like on pages, unless the cents are all that has changed.
    create function price_words_beside(cents bigint, other bigint) returns text language sql immutable as $$
      select price_words(case when round(cents / 100.0) = round(other / 100.0) then cents
        else (round(cents / 100.0) * 100)::bigint end) $$;

    -- Whoever buys a property hears of that by other ways than its new status.
    create function has_bought(reader uuid, property uuid) returns boolean language sql stable as $$
      select exists (select from property_sales
        where property_id = property and buyer_id = reader and escrow_status in ('in_escrow', 'completed')) $$;

    create or replace function tell_watchers(watched properties, kind text, previous text, now_is text) returns void language plpgsql as $$
    declare moment timestamptz := writer_now();
    begin
      with settling as materialized (
        select n.id, n.user_id, n.previous_value from property_notifications n
        where n.property_id = watched.id and n.settles_at > moment and n.notification_type = kind and not n.is_read
          and n.price_with_fees = (kind = 'price_change')
          and n.user_id is distinct from writer_id() and not (kind = 'status_change' and has_bought(n.user_id, watched.id))
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
        insert into property_notifications (user_id, property_id, notification_type, message, previous_value, new_value,
          price_with_fees, created_at, settles_at, mail_due)
        select w.user_id, watched.id, kind, change_words(kind, watched.address, previous, now_is), previous, now_is,
          kind = 'price_change', moment, moment + interval '10 minutes', true
        from property_watches w where w.property_id = watched.id and w.user_id is distinct from writer_id()
          and not (kind = 'status_change' and has_bought(w.user_id, watched.id))
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

    create or replace function properties_tell_watchers() returns trigger language plpgsql as $$
    declare
      was_seen boolean := old.is_public or old.status in ('escrow', 'Sold');
      is_seen boolean := new.is_public or new.status in ('escrow', 'Sold');
      seen_cents bigint := coalesce(old.last_public_cents, old.price_cents);
      was_total bigint;
      is_total bigint;
    begin
      if new.deleted_at is not null or not exists (select from property_watches where property_id = new.id) then
        return null;
      end if;
      if new.price_cents <> seen_cents and is_seen then
        was_total := with_buyer_fees(seen_cents);
        is_total := with_buyer_fees(new.price_cents);
        perform tell_watchers(new, 'price_change', price_words_beside(was_total, is_total), price_words_beside(is_total, was_total));
      end if;
      if status_words(new.status) <> status_words(old.status) and (was_seen or is_seen) then
        perform tell_watchers(new, 'status_change', status_words(old.status), status_words(new.status));
      end if;
      return null;
    end $$;

    -- The zone of the browser at the last sign-in, and the one that somebody has chosen with the hour.
    alter table profiles add column time_zone text check (length(time_zone) between 1 and 60);
    alter table notification_preferences add column time_zone text check (length(time_zone) between 1 and 60);
    -- Hours chosen so far were hours in UTC.
    update notification_preferences set time_zone = 'UTC';

    -- Null for a zone that this database does not know, so that one reader cannot hold up the mails of all.
    create function known_zone(zone text) returns text language plpgsql stable as $$
    begin
      if zone is not null then perform now() at time zone zone; end if;
      return zone;
    exception when invalid_parameter_value then return null;
    end $$;
    -- When somebody's digest hour was last reached, by their own clock.
    create function last_digest_of(reader uuid, moment timestamptz) returns timestamptz language sql stable as $$
      select (case when hour <= local then hour else hour - interval '1 day' end) at time zone zone from (
        select zone, local, date_trunc('day', local) + make_interval(hours => digest_hour) as hour from (
          select zone, digest_hour, moment at time zone zone as local from (
            select coalesce(known_zone(n.time_zone), known_zone(p.time_zone), 'America/New_York') as zone,
              coalesce(n.digest_hour, 8)::integer as digest_hour
            from (select reader as id) r left join profiles p on p.id = r.id
              left join notification_preferences n on n.user_id = r.id) chosen) clock) day $$;
  `.execute(db);
}
