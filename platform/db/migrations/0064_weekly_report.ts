import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Administrators can have the figures of a week mailed on its following Monday. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notification_preferences
      add column mail_weekly_report boolean not null default false,
      -- The Monday up to which nothing is to be mailed any more: of the last report, or of the week in which it was chosen.
      add column weekly_report_week date check (extract(isodow from weekly_report_week) = 1),
      add constraint notification_preferences_weekly_report_check
        check (not mail_weekly_report or weekly_report_week is not null);
    create index notification_preferences_weekly_report on notification_preferences (user_id) where mail_weekly_report;

    -- The zone by whose clock somebody is mailed.
    create function reader_zone(reader uuid) returns text language sql stable as $$
      select coalesce(known_zone(n.time_zone), known_zone(p.time_zone), 'America/New_York')
      from (select reader as id) r left join profiles p on p.id = r.id
        left join notification_preferences n on n.user_id = r.id $$;
    -- The Monday on which it was last 8 o'clock in the morning for somebody.
    create function weekly_report_week(reader uuid, moment timestamptz) returns date language sql stable as $$
      select date_trunc('week', (moment at time zone reader_zone(reader)) - interval '8 hours')::date $$;
  `.execute(db);
}
