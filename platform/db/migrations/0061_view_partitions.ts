import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Views are kept in a table for each month, so that old ones can be dropped at once; a job makes those of coming months. The
 * sums of the reports stay.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table property_view_events rename to property_view_events_before;
    alter table property_view_events_before alter column id drop identity;
    alter index property_view_events_pkey rename to property_view_events_before_pkey;
    alter index property_view_events_property rename to property_view_events_before_property;
    alter index property_view_events_time rename to property_view_events_before_time;
    drop trigger property_view_events_count on property_view_events_before;
    drop trigger property_view_events_report on property_view_events_before;

    create sequence property_view_events_id;
    create table property_view_events (
      id bigint not null default nextval('property_view_events_id'),
      property_id uuid not null references properties on delete cascade,
      user_id uuid references users on delete set null,
      viewer text not null,
      viewed_at timestamptz not null default now(),
      primary key (id, viewed_at)
    ) partition by range (viewed_at);
    alter sequence property_view_events_id owned by property_view_events.id;
    create index property_view_events_property on property_view_events (property_id, viewed_at);
    create index property_view_events_time on property_view_events (viewed_at);
    create index property_view_events_user on property_view_events (user_id) where user_id is not null;
    -- What no month has been made for; normally empty.
    create table property_view_events_rest partition of property_view_events default;

    -- Makes the table of a month, with what came before it was made. False when there is one.
    create function make_view_month(month date) returns boolean language plpgsql as $$
    declare
      part text := 'property_view_events_' || to_char(month, 'YYYY_MM');
      first timestamptz := date_trunc('month', month)::timestamp at time zone 'UTC';
      after timestamptz := (date_trunc('month', month) + interval '1 month')::timestamp at time zone 'UTC';
    begin
      if to_regclass(part) is not null then return false; end if;
      execute format('create table %I (like property_view_events including defaults)', part);
      execute format('with gone as (delete from property_view_events_rest where viewed_at >= %L and viewed_at < %L returning *)
        insert into %I select * from gone', first, after, part);
      execute format('alter table property_view_events attach partition %I for values from (%L) to (%L)', part, first, after);
      return true;
    end $$;
    select make_view_month(month::date) from generate_series(
      date_trunc('month', (select coalesce(min(viewed_at), now()) from property_view_events_before) at time zone 'UTC'),
      date_trunc('month', now() at time zone 'UTC') + interval '2 months', interval '1 month') month;
    insert into property_view_events select * from property_view_events_before;
    select setval('property_view_events_id', coalesce(max(id), 1), max(id) is not null) from property_view_events_before;
    drop table property_view_events_before;

    -- Once for a statement, so that many views at once are counted fast.
    create or replace function property_view_events_count() returns trigger language plpgsql as $$
    begin
      with new_viewers as (
        insert into property_view_days
        select distinct property_id, (viewed_at at time zone 'UTC')::date, viewer from added order by 1, 2, 3
        on conflict do nothing returning property_id)
      update properties p set views = p.views + counted.views
      from (select property_id, count(*)::integer as views from new_viewers group by property_id) counted
      where p.id = counted.property_id;
      return null;
    end $$;
    create trigger property_view_events_count after insert on property_view_events
      referencing new table as added for each statement execute function property_view_events_count();
    create trigger property_view_events_report after insert on property_view_events
      referencing new table as added for each statement execute function report_views();
  `.execute(db);
}
