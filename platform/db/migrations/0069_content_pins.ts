import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * What is published by content address. A row for each address, since two public documents may have the same content: it is published
 * while one of them is public, and no longer when the last has become private or was removed.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table content_pins (
      cid text primary key check (length(cid) between 1 and 100),
      -- Public documents with this content, and public test documents. Counted, not looked up, so that two at a time are both seen.
      documents integer not null default 0 check (documents >= 0),
      tests integer not null default 0 check (tests >= 0),
      is_test boolean not null generated always as (documents = 0) stored,
      byte_size bigint not null check (byte_size >= 0),
      status text not null default 'waiting'
        check (status in ('waiting', 'pinned', 'failed', 'unpinning', 'unpin_failed', 'unpinned')),
      reason text check (length(reason) <= 300),
      attempts integer not null default 0,
      -- Of the next attempt while waiting or unpinning.
      due_at timestamptz not null default now(),
      -- Whether the store may have it: a process has tried to add it since it was removed last.
      touched boolean not null default false,
      -- While a process works on it.
      leased_until timestamptz,
      pinned_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index content_pins_due on content_pins (due_at) where status in ('waiting', 'unpinning');
    create index content_pins_failed on content_pins (updated_at desc) where status in ('failed', 'unpin_failed');
    create index content_pins_pinned on content_pins (pinned_at desc) include (byte_size)
      where status = 'pinned' and documents > 0;
    create index document_registry_public on document_registry (cid) where visibility = 'public' and cid is not null;
    create index document_registry_without_cid on document_registry (id) where cid is null;
    create index document_registry_tests on document_registry (created_at desc) where is_test;

    create function count_content_pin(address text, size bigint, of_documents integer, of_tests integer) returns void
    language plpgsql as $$
    begin
      if of_documents + of_tests > 0 then
        insert into content_pins as pin (cid, documents, tests, byte_size)
          values (address, of_documents, of_tests, size)
          on conflict (cid) do update set
            documents = pin.documents + of_documents,
            tests = pin.tests + of_tests,
            status = case when pin.status in ('unpinning', 'unpin_failed', 'unpinned') then 'waiting' else pin.status end,
            reason = case when pin.status in ('unpinning', 'unpin_failed', 'unpinned') then null else pin.reason end,
            attempts = case when pin.status in ('unpinning', 'unpin_failed', 'unpinned') then 0 else pin.attempts end,
            due_at = case when pin.status in ('unpinning', 'unpin_failed', 'unpinned') then now() else pin.due_at end,
            updated_at = now();
      else
        update content_pins as pin set
          documents = pin.documents + of_documents,
          tests = pin.tests + of_tests,
          status = case when pin.documents + pin.tests + of_documents + of_tests > 0 then pin.status
            when not pin.touched then 'unpinned'
            else 'unpinning' end,
          reason = case when pin.documents + pin.tests + of_documents + of_tests > 0 then pin.reason end,
          attempts = case when pin.documents + pin.tests + of_documents + of_tests > 0 then pin.attempts else 0 end,
          due_at = case when pin.documents + pin.tests + of_documents + of_tests > 0 then pin.due_at else now() end,
          updated_at = now()
          where pin.cid = address;
      end if;
      -- Whoever publishes looks now.
      perform pg_notify('content', '');
    end $$;

    -- A document that waits for the virus scanner is not published.
    create function is_published(d document_registry) returns boolean language sql immutable as
      $$ select d.visibility = 'public' and d.scan <> 'held' and d.cid is not null $$;

    create function keep_content_pins() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' and is_published(old) then
        if tg_op = 'UPDATE' and is_published(new) and new.cid = old.cid and new.is_test = old.is_test then
          return null;
        end if;
        perform count_content_pin(old.cid, old.byte_size,
          case when old.is_test then 0 else -1 end, case when old.is_test then -1 else 0 end);
      end if;
      if tg_op <> 'DELETE' and is_published(new) then
        perform count_content_pin(new.cid, new.byte_size,
          case when new.is_test then 0 else 1 end, case when new.is_test then 1 else 0 end);
      end if;
      return null;
    end $$;

    create trigger keep_content_pins_of_new after insert or delete on document_registry
      for each row execute function keep_content_pins();
    create trigger keep_content_pins_of_changed
      after update of visibility, scan, cid, is_test, byte_size on document_registry
      for each row execute function keep_content_pins();

    -- Addresses that were there before.
    insert into content_pins (cid, documents, tests, byte_size)
      select cid, count(*) filter (where not is_test), count(*) filter (where is_test), min(byte_size)
      from document_registry
      where visibility = 'public' and scan <> 'held' and length(cid) between 1 and 100
      group by cid;
  `.execute(db);
}
