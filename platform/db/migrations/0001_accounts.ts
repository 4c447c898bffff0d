import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Accounts and sign-in: users, sessions, credentials, profiles, sellers and their invitations. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function touch_updated_at() returns trigger language plpgsql as $$
    begin new.updated_at := now(); return new; end $$;

    create function forbid_change() returns trigger language plpgsql as $$
    begin raise exception '% rows are never changed', tg_table_name using errcode = 'restrict_violation'; end $$;

    create table users (
      id uuid primary key default gen_random_uuid(),
      name text not null,
      email text not null check (email = lower(email) and length(email) <= 254),
      email_verified boolean not null default false,
      image text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create unique index users_email_key on users (email);

    create table sessions (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      token text not null unique,
      expires_at timestamptz not null,
      ip_address text,
      user_agent text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index sessions_user on sessions (user_id);
    create index sessions_expiry on sessions (expires_at);

    create table credentials (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      account_id text not null,
      provider_id text not null,
      password text,
      access_token text,
      refresh_token text,
      id_token text,
      access_token_expires_at timestamptz,
      refresh_token_expires_at timestamptz,
      scope text,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (provider_id, account_id)
    );
    create index credentials_user on credentials (user_id);

    create table verifications (
      id uuid primary key default gen_random_uuid(),
      identifier text not null,
      value text not null,
      expires_at timestamptz not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    );
    create index verifications_identifier on verifications (identifier);

    -- role is authoritative; user_type mirrors it and cannot disagree.
    create table profiles (
      id uuid primary key references users on delete cascade,
      role text not null default 'buyer' check (role in ('buyer', 'agent', 'admin')),
      user_type text not null generated always as (role) stored,
      must_change_password boolean not null default false,
      created_at timestamptz not null default now()
    );
    create index profiles_role on profiles (role, created_at);

    create table agents (
      id uuid primary key default gen_random_uuid(),
      user_id uuid unique references users on delete set null,
      name text not null check (length(name) between 2 and 120),
      email text not null check (email = lower(email) and length(email) <= 254),
      phone text,
      commission_rate numeric(5, 2) check (commission_rate between 0 and 100),
      status text not null default 'active' check (status in ('active', 'suspended')),
      status_reason text,
      registered_at timestamptz,
      is_registered boolean not null generated always as (registered_at is not null) stored,
      payout_status text not null default 'pending' check (payout_status in ('pending', 'complete')),
      preferred_payout_method text check (preferred_payout_method in ('stripe', 'paypal')),
      stripe_account_id text unique,
      paypal_email text,
      paypal_confirmed_at timestamptz,
      payout_hold_until timestamptz,
      archived_at timestamptz,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (registered_at is null or user_id is not null or archived_at is not null)
    );
    create unique index agents_email_key on agents (email);
    create index agents_newest on agents (created_at desc, id);
    create trigger agents_touch before update on agents for each row execute function touch_updated_at();

    -- The mailed link proves the address; only the hash of its token is stored.
    create table agent_invitations (
      id uuid primary key default gen_random_uuid(),
      agent_id uuid not null references agents on delete cascade,
      token_hash text not null unique,
      status text not null default 'queued' check (status in ('queued', 'sent', 'bounced')),
      expires_at timestamptz not null,
      used_at timestamptz,
      created_at timestamptz not null default now()
    );
    create index agent_invitations_agent on agent_invitations (agent_id, created_at desc);

    create table notification_preferences (
      user_id uuid primary key references users on delete cascade,
      mail_property_updates boolean not null default true,
      mail_messages boolean not null default true,
      mail_saved_searches boolean not null default true,
      digest_hour smallint not null default 8 check (digest_hour between 0 and 23),
      updated_at timestamptz not null default now()
    );
  `.execute(db);
}
