import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Inquiries and their messages. The first message is stored in the inquiry row alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table property_inquiries (
      id uuid primary key default gen_random_uuid(),
      property_id uuid not null references properties,
      user_id uuid not null references users,
      message text not null check (length(message) between 1 and 4000),
      status text not null default 'pending' check (status in ('pending', 'resolved')),
      first_reply_at timestamptz,
      last_message_at timestamptz not null default now(),
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (property_id, user_id)
    );
    create index property_inquiries_buyer on property_inquiries (user_id, last_message_at desc);
    create index property_inquiries_newest on property_inquiries (created_at desc, id);

    create table inquiry_messages (
      id uuid primary key default gen_random_uuid(),
      inquiry_id uuid not null references property_inquiries on delete cascade,
      sender_id uuid not null references users,
      message text not null check (length(message) between 1 and 4000),
      is_read boolean not null default false,
      read_at timestamptz,
      client_key text,
      created_at timestamptz not null default now(),
      unique (inquiry_id, sender_id, client_key)
    );
    create index inquiry_messages_thread on inquiry_messages (inquiry_id, created_at, id);
    create index inquiry_messages_unread on inquiry_messages (inquiry_id, sender_id) where not is_read;

    -- The status follows the newest message: resolved when it is the seller's.
    create function inquiry_messages_status() returns trigger language plpgsql as $$
    declare seller uuid;
    begin
      select a.user_id into seller from property_inquiries i
        join properties p on p.id = i.property_id join agents a on a.id = p.agent_id where i.id = new.inquiry_id;
      update property_inquiries set
        status = case when new.sender_id = seller then 'resolved' else 'pending' end,
        first_reply_at = case when new.sender_id = seller then coalesce(first_reply_at, new.created_at) else first_reply_at end,
        last_message_at = new.created_at, updated_at = now()
        where id = new.inquiry_id;
      return null;
    end $$;
    create trigger inquiry_messages_status after insert on inquiry_messages
      for each row execute function inquiry_messages_status();

    create table inquiry_reports (
      id uuid primary key default gen_random_uuid(),
      inquiry_id uuid not null references property_inquiries on delete cascade,
      reported_by uuid not null references users,
      reason text not null check (length(reason) between 1 and 2000),
      resolved_at timestamptz,
      created_at timestamptz not null default now()
    );
    create index inquiry_reports_open on inquiry_reports (created_at) where resolved_at is null;
    create table user_blocks (
      user_id uuid not null references users on delete cascade,
      blocked_id uuid not null references users on delete cascade,
      created_at timestamptz not null default now(),
      primary key (user_id, blocked_id)
    );

    create function get_buyer_unread_messages_count(buyer_uuid uuid) returns integer language sql stable as $$
      select count(*)::integer from property_inquiries i
        join inquiry_messages m on m.inquiry_id = i.id
        where i.user_id = buyer_uuid and not m.is_read and m.sender_id <> buyer_uuid
    $$;
  `.execute(db);
}
