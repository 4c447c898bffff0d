import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Proofs of ownership that sellers upload for their listings, and what an administrator has decided about them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ownership_proofs (
      id uuid primary key default gen_random_uuid(),
      property_id uuid not null references properties on delete cascade,
      agent_id uuid not null references agents,
      -- Null once malware was found in it.
      document_id uuid references document_registry on delete set null,
      -- As in the deed; null once erased.
      owner_name text check (length(owner_name) between 1 and 120),
      parcel_number text check (length(parcel_number) between 1 and 60),
      note text not null default '' check (length(note) <= 1000),
      -- The listing's when the proof was uploaded, once verified the one that was verified; in one line.
      address text not null,
      status text not null default 'waiting' check (status in ('waiting', 'verified', 'refused', 'withdrawn', 'replaced')),
      -- Why it was refused, for the seller.
      reason text check (length(reason) between 1 and 1000),
      withdrawn_for text check (withdrawn_for in ('address', 'seller', 'deleted', 'malware')),
      uploaded_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      decided_by uuid references users on delete set null,
      decided_at timestamptz,
      -- When it was withdrawn or replaced by another one.
      ended_at timestamptz,
      -- When its file and what was typed were erased.
      erased_at timestamptz,
      check (status not in ('verified', 'refused') or decided_at is not null),
      check ((status = 'refused') = (reason is not null)),
      check ((status = 'withdrawn') = (withdrawn_for is not null)),
      check ((status in ('withdrawn', 'replaced')) = (ended_at is not null))
    );
    -- Of a listing at most one waits or holds.
    create unique index ownership_proofs_current on ownership_proofs (property_id) where status in ('waiting', 'verified');
    create index ownership_proofs_latest on ownership_proofs (property_id, created_at desc);
    create index ownership_proofs_waiting on ownership_proofs (created_at, id) where status = 'waiting';
    create index ownership_proofs_decided on ownership_proofs ((coalesce(ended_at, decided_at)) desc, id)
      where status in ('verified', 'refused', 'withdrawn');
    create index ownership_proofs_ended on ownership_proofs ((coalesce(ended_at, decided_at)))
      where erased_at is null and status in ('refused', 'withdrawn', 'replaced');
    create index ownership_proofs_agent on ownership_proofs (agent_id);
    create index ownership_proofs_document on ownership_proofs (document_id) where document_id is not null;
    create index ownership_proofs_uploader on ownership_proofs (uploaded_by, created_at) where uploaded_by is not null;

    -- When the file was deleted under the rules of retention; name and hash are all that is left of it.
    alter table document_registry add column erased_at timestamptz;

    -- The address of a listing in one line.
    create function address_line(p properties) returns text language sql immutable as $$
      select concat_ws(', ', p.address, nullif(p.city, ''), nullif(concat_ws(' ', nullif(p.state, ''), nullif(p.zip, '')), '')) $$;

    -- Tells a person of a new status of what belongs to a property, on the bell and in every open page.
    create function tell_person(reader uuid, property uuid, message text, previous text, now_is text) returns void language plpgsql as $$
    declare
      moment timestamptz := writer_now();
      made uuid;
    begin
      insert into property_notifications (user_id, property_id, notification_type, message, previous_value, new_value,
          created_at, settles_at)
        values (reader, property, 'status_change', message, previous, now_is, moment, moment) returning id into made;
      insert into live_events (audience, type, payload, created_at) values ('user:' || reader, 'notification.new',
        jsonb_build_object('id', made, 'property', property, 'type', 'status_change', 'message', message), moment);
      perform pg_notify('live', '');
    end $$;

    -- What was verified was this address and this seller. A proof that waits is compared with the new address, but it is another
    -- seller's once the listing has been given away.
    create function properties_withdraw_ownership() returns trigger language plpgsql as $$
    declare
      proof ownership_proofs;
      why text := case when new.agent_id is distinct from old.agent_id then 'seller'
        when new.deleted_at is not null then 'deleted' else 'address' end;
      reader uuid;
    begin
      select * into proof from ownership_proofs where property_id = new.id and status in ('waiting', 'verified') for update;
      if not found or (proof.status = 'waiting' and why = 'address') then return null; end if;
      update ownership_proofs set status = 'withdrawn', withdrawn_for = why, ended_at = writer_now() where id = proof.id;
      insert into audit_log (at, actor_id, actor_role, action, entity, entity_id, before, after, request_id)
        values (writer_now(), writer_id(), coalesce((select role from profiles where id = writer_id()), 'system:database'),
          'ownership.withdraw', 'property', new.id::text,
          jsonb_build_object('proof', proof.id, 'ownership', proof.status),
          jsonb_build_object('proof', proof.id, 'ownership', 'withdrawn', 'because', why), 'trigger');
      select user_id into reader from agents where id = proof.agent_id;
      if proof.status = 'verified' and why <> 'deleted' and reader is not null then
        perform tell_person(reader, new.id, 'The ownership of ' || old.address || ' is no longer verified', 'Verified', 'Withdrawn');
      end if;
      return null;
    end $$;
    create trigger properties_withdraw_ownership after update on properties for each row
      when (old.address is distinct from new.address or old.city is distinct from new.city or old.state is distinct from new.state
        or old.zip is distinct from new.zip or old.agent_id is distinct from new.agent_id
        or (old.deleted_at is null and new.deleted_at is not null))
      execute function properties_withdraw_ownership();

    -- A document leaves its proof when malware was found in it: then nothing is left to decide about.
    create function ownership_proofs_without_document() returns trigger language plpgsql as $$
    begin
      new.status := 'withdrawn';
      new.withdrawn_for := 'malware';
      new.ended_at := writer_now();
      return new;
    end $$;
    create trigger ownership_proofs_without_document before update on ownership_proofs for each row
      when (old.status = 'waiting' and old.document_id is not null and new.document_id is null)
      execute function ownership_proofs_without_document();

    -- Adds to the kinds that there are, whichever these are by now.
    do $$
    declare
      known text;
    begin
      select string_agg(quote_literal(kind[1]), ', ') into known
        from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g') kind
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_kind_check';
      alter table admin_tasks drop constraint admin_tasks_kind_check;
      execute format('alter table admin_tasks add constraint admin_tasks_kind_check check (kind in (%s, ''ownership_waiting''))', known);
      select string_agg(quote_literal(kind[1]), ', ') into known
        from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g') kind
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_subject_type_check';
      alter table admin_tasks drop constraint admin_tasks_subject_type_check;
      execute format('alter table admin_tasks add constraint admin_tasks_subject_type_check check (subject_type in (%s, ''property''))',
        known);
    end $$;
  `.execute(db);
}
