import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** What administrators see of conversations: their state in one view, and reports with their decisions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await states(db);
  await reports(db);
}

async function states(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The one definition of where a conversation stands, from its messages.
    create view inquiry_states as
      select i.id, i.property_id,
        case when newest.sender_id is null then 'pending'
          when newest.sender_id = i.user_id then 'buyer_reply'
          when newest.sender_id = a.user_id then 'seller_replied'
          when reply.at is not null then 'agent_replied'
          else 'pending' end as state,
        reply.at as first_reply_at
      from property_inquiries i
        join properties p on p.id = i.property_id
        join agents a on a.id = p.agent_id
        left join lateral (select m.sender_id from inquiry_messages m where m.inquiry_id = i.id
          order by m.created_at desc, m.id desc limit 1) newest on true
        left join lateral (select min(m.created_at) as at from inquiry_messages m
          where m.inquiry_id = i.id and m.sender_id = a.user_id) reply on true;

    -- The same, kept in step by triggers, so that a list can be sorted by it.
    alter table property_inquiries add column state text not null default 'pending'
      check (state in ('pending', 'buyer_reply', 'seller_replied', 'agent_replied'));
    update property_inquiries i set state = s.state from inquiry_states s where s.id = i.id and s.state <> 'pending';

    create or replace function inquiry_messages_status() returns trigger language plpgsql as $$
    declare seller uuid;
    begin
      select a.user_id into seller from property_inquiries i
        join properties p on p.id = i.property_id join agents a on a.id = p.agent_id where i.id = new.inquiry_id;
      update property_inquiries set
        status = case when new.sender_id = seller then 'resolved' else 'pending' end,
        state = (select s.state from inquiry_states s where s.id = new.inquiry_id),
        first_reply_at = case when new.sender_id = seller then coalesce(first_reply_at, new.created_at) else first_reply_at end,
        last_message_at = new.created_at, updated_at = now()
        where id = new.inquiry_id;
      return null;
    end $$;

    -- Another seller, or another account of the seller: other messages are now the seller's.
    create function follow_seller(listing uuid) returns void language sql as $$
      update property_inquiries i set state = s.state, first_reply_at = s.first_reply_at,
          status = case when s.state = 'seller_replied' then 'resolved' else 'pending' end
        from inquiry_states s where s.id = i.id and i.property_id = listing
          and (i.state, i.first_reply_at) is distinct from (s.state, s.first_reply_at) $$;
    create function properties_seller_changed() returns trigger language plpgsql as $$
    begin perform follow_seller(new.id); return null; end $$;
    create trigger properties_seller_changed after update of agent_id on properties
      for each row when (old.agent_id is distinct from new.agent_id) execute function properties_seller_changed();
    create function agents_account_changed() returns trigger language plpgsql as $$
    begin perform follow_seller(p.id) from properties p where p.agent_id = new.id; return null; end $$;
    create trigger agents_account_changed after update of user_id on agents
      for each row when (old.user_id is distinct from new.user_id) execute function agents_account_changed();

    create index property_inquiries_state_newest on property_inquiries (state, created_at desc, id desc);
    create index property_inquiries_state_oldest on property_inquiries (state, created_at, id);
    create index property_inquiries_response on property_inquiries ((first_reply_at - created_at), created_at, id);
    create index properties_address_order on properties ((lower(address) collate "C"), id);
    create index properties_deleted on properties (id) where deleted_at is not null;
  `.execute(db);
}

async function reports(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table inquiry_reports
      add column decision text check (decision in ('warned', 'suspended', 'closed')),
      add column decided_by uuid references users,
      add column decision_note text check (length(decision_note) between 1 and 2000);
    update inquiry_reports set decision = 'closed' where resolved_at is not null;
    alter table inquiry_reports add check ((resolved_at is null) = (decision is null));
    create index inquiry_reports_decided on inquiry_reports (resolved_at desc, id) where resolved_at is not null;

    -- What an administrator tells a person, shown until the person has confirmed it.
    create table user_notices (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      message text not null check (length(message) between 1 and 2000),
      created_at timestamptz not null default now(),
      confirmed_at timestamptz
    );
    create index user_notices_open on user_notices (user_id, created_at) where confirmed_at is null;
    create index user_notices_user on user_notices (user_id);
  `.execute(db);
}
