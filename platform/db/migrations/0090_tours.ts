import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Tours: the hours that sellers are free, and the tours of their properties that buyers ask for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Minutes after midnight by the clock of the property's place; one span a weekday (0 is Sunday).
    create table tour_hours (
      agent_id uuid not null references agents on delete cascade,
      weekday smallint not null check (weekday between 0 and 6),
      starts smallint not null check (starts between 0 and 1410 and starts % 30 = 0),
      ends smallint not null check (ends between 30 and 1440 and ends % 30 = 0),
      check (starts < ends),
      primary key (agent_id, weekday)
    );

    -- Days that differ from the week: other hours, or none where both are null.
    create table tour_days (
      agent_id uuid not null references agents on delete cascade,
      day date not null,
      starts smallint check (starts between 0 and 1410 and starts % 30 = 0),
      ends smallint check (ends between 30 and 1440 and ends % 30 = 0),
      check ((starts is null) = (ends is null)),
      check (starts < ends),
      primary key (agent_id, day)
    );

    create table tours (
      id uuid primary key default gen_random_uuid(),
      property_id uuid not null references properties on delete cascade,
      -- The seller whose time it is, who may give the property away later.
      agent_id uuid not null references agents on delete cascade,
      buyer_id uuid not null references users on delete cascade,
      -- Every tour takes half an hour and begins at a full or half one, so two of the same start are all that can overlap.
      starts_at timestamptz not null check (extract(epoch from starts_at)::bigint % 1800 = 0),
      -- The zone of the property's place, an IANA name.
      time_zone text not null check (length(time_zone) between 1 and 60),
      status text not null default 'requested'
        check (status in ('requested', 'proposed', 'confirmed', 'declined', 'cancelled', 'lapsed', 'done')),
      ended_by text check (ended_by in ('buyer', 'seller', 'system')),
      note text not null default '' check (length(note) <= 500),
      answer text not null default '' check (length(answer) <= 500),
      -- Grows with every change; calendars take the file with the higher one.
      sequence integer not null default 0,
      -- A calendar file asked to enter it, so that one that cancels follows.
      in_calendars boolean not null default false,
      -- When they were sent, or were not needed any more.
      day_reminder_at timestamptz,
      hours_reminder_at timestamptz,
      key text not null check (length(key) between 1 and 100),
      created_at timestamptz not null default now(),
      changed_at timestamptz not null default now(),
      check ((status in ('declined', 'cancelled')) = (ended_by is not null)),
      unique (buyer_id, key)
    );
    -- Nobody is in two places: not the seller, not the buyer. A request holds its time until it is answered.
    create unique index tours_seller_time on tours (agent_id, starts_at) where status in ('requested', 'proposed', 'confirmed');
    create unique index tours_buyer_time on tours (buyer_id, starts_at) where status in ('requested', 'proposed', 'confirmed');
    create unique index tours_open on tours (property_id, buyer_id) where status in ('requested', 'proposed', 'confirmed');
    create index tours_due on tours (starts_at) where status in ('requested', 'proposed', 'confirmed');
    create index tours_of_seller on tours (agent_id, starts_at desc, id);
    create index tours_of_buyer on tours (buyer_id, starts_at desc, id);

    -- A mail can carry a calendar file (iTIP, RFC 5546).
    alter table mail_outbox
      add column calendar_method text check (calendar_method in ('REQUEST', 'CANCEL')),
      add column calendar_file text,
      add constraint mail_outbox_calendar check ((calendar_method is null) = (calendar_file is null));

    alter table property_notifications drop constraint property_notifications_notification_type_check;
    alter table property_notifications add constraint property_notifications_notification_type_check
      check (notification_type in ('price_change', 'status_change', 'tour'));
  `.execute(db);
}
