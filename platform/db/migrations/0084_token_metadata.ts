import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The metadata that tokens name is published like public documents, for as long as a token names it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table content_pins
      -- Tokens with this metadata.
      add column tokens integer not null default 0 check (tokens >= 0),
      drop column is_test;
    alter table content_pins
      add column is_test boolean not null generated always as (documents = 0 and tokens = 0) stored;
    create index completion_nfts_metadata on completion_nfts (metadata_cid) where metadata_cid is not null;

    drop function count_content_pin(text, bigint, integer, integer);
    create function count_content_pin(address text, size bigint, of_documents integer, of_tests integer, of_tokens integer default 0)
    returns void language plpgsql as $$
    begin
      if of_documents + of_tests + of_tokens > 0 then
        insert into content_pins as pin (cid, documents, tests, tokens, byte_size)
          values (address, of_documents, of_tests, of_tokens, size)
          on conflict (cid) do update set
            documents = pin.documents + of_documents,
            tests = pin.tests + of_tests,
            tokens = pin.tokens + of_tokens,
            status = case when pin.status in ('unpinning', 'unpin_failed', 'unpinned') then 'waiting' else pin.status end,
            reason = case when pin.status in ('unpinning', 'unpin_failed', 'unpinned') then null else pin.reason end,
            attempts = case when pin.status in ('unpinning', 'unpin_failed', 'unpinned') then 0 else pin.attempts end,
            due_at = case when pin.status in ('unpinning', 'unpin_failed', 'unpinned') then now() else pin.due_at end,
            updated_at = now();
      else
        update content_pins as pin set
          documents = pin.documents + of_documents,
          tests = pin.tests + of_tests,
          tokens = pin.tokens + of_tokens,
          status = case when pin.documents + pin.tests + pin.tokens + of_documents + of_tests + of_tokens > 0 then pin.status
            when not pin.touched then 'unpinned'
            else 'unpinning' end,
          reason = case when pin.documents + pin.tests + pin.tokens + of_documents + of_tests + of_tokens > 0 then pin.reason end,
          attempts = case when pin.documents + pin.tests + pin.tokens + of_documents + of_tests + of_tokens > 0 then pin.attempts else 0 end,
          due_at = case when pin.documents + pin.tests + pin.tokens + of_documents + of_tests + of_tokens > 0 then pin.due_at else now() end,
          updated_at = now()
          where pin.cid = address;
      end if;
      -- Whoever publishes looks now.
      perform pg_notify('content', '');
    end $$;

    create function keep_token_pins() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and new.metadata_cid is not distinct from old.metadata_cid then
        return null;
      end if;
      if tg_op <> 'INSERT' and old.metadata_cid is not null then
        perform count_content_pin(old.metadata_cid, coalesce(octet_length(old.token_metadata), 0), 0, 0, -1);
      end if;
      if tg_op <> 'DELETE' and new.metadata_cid is not null then
        perform count_content_pin(new.metadata_cid, coalesce(octet_length(new.token_metadata), 0), 0, 0, 1);
      end if;
      return null;
    end $$;
    create trigger keep_token_pins after insert or delete or update of metadata_cid on completion_nfts
      for each row execute function keep_token_pins();

    -- Metadata that was there before.
    insert into content_pins as pin (cid, tokens, byte_size)
      select metadata_cid, count(*), min(octet_length(token_metadata)) from completion_nfts
      where length(metadata_cid) between 1 and 100 and token_metadata is not null group by metadata_cid
      on conflict (cid) do update set tokens = excluded.tokens,
        status = case when pin.status in ('unpinning', 'unpin_failed', 'unpinned') then 'waiting' else pin.status end,
        updated_at = now();
  `.execute(db);
}
