import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Keys of Stripe that administrators save, encrypted, one row for each account and mode; which mode takes new payments; and for
 * provider messages whose they are.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table stripe_connection (
      id smallint primary key default 1 check (id = 1),
      livemode boolean not null default false,
      disconnected_at timestamptz,
      version integer not null default 1,
      updated_at timestamptz not null default now()
    );
    insert into stripe_connection default values;
    create trigger stripe_connection_announce after insert or update or delete on stripe_connection
      for each statement execute function announce_change();

    create table stripe_key_sets (
      id uuid primary key default gen_random_uuid(),
      livemode boolean not null,
      account_ref text not null,
      publishable_key text check (publishable_key ~ '^pk_(test|live)_'),
      secret_hint text not null,
      secret_sealed text not null,
      seal_key_id text not null,
      set_at timestamptz not null,
      checked_at timestamptz not null,
      check_failure text,
      retired_at timestamptz,
      endpoint_ref text,
      endpoint_sealed text,
      endpoint_set_at timestamptz,
      endpoint_enabled boolean,
      former_endpoint_ref text,
      former_endpoint_sealed text,
      former_until timestamptz,
      unique (livemode, account_ref),
      constraint stripe_key_sets_endpoint check (num_nulls(endpoint_ref, endpoint_sealed, endpoint_set_at, endpoint_enabled) in (0, 4)),
      constraint stripe_key_sets_former check (num_nulls(former_endpoint_ref, former_endpoint_sealed, former_until) in (0, 3))
    );
    create unique index stripe_key_sets_current on stripe_key_sets (livemode) where retired_at is null;
    create trigger stripe_key_sets_announce after insert or update or delete on stripe_key_sets
      for each statement execute function announce_change();

    alter table provider_events add column livemode boolean, add column account_ref text;
    create index provider_events_of_mode on provider_events (provider, livemode, received_at desc) where livemode is not null;
  `.execute(db);
}
