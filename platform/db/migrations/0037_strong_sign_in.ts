import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Second factors of accounts, and when the user of a session last proved who they are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Sessions of before have proved nothing; signing in does.
  await sql`
    alter table sessions add column proved_at timestamptz;
    alter table sessions alter column proved_at set default now();

    -- The secret is sealed with the key of the server; last_step is the newest time step whose code was used.
    create table authenticators (
      user_id uuid primary key references users on delete cascade,
      secret text not null,
      last_step bigint not null,
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    );

    create table passkeys (
      id uuid primary key default gen_random_uuid(),
      user_id uuid not null references users on delete cascade,
      credential_id text not null unique,
      public_key bytea not null,
      counter bigint not null,
      transports text not null default '',
      name text not null check (length(name) between 1 and 60),
      created_at timestamptz not null default now(),
      last_used_at timestamptz
    );
    create index passkeys_user on passkeys (user_id, created_at);

    -- Shown once; only the hashes are stored.
    create table recovery_codes (
      user_id uuid not null references users on delete cascade,
      code_hash text not null,
      created_at timestamptz not null default now(),
      used_at timestamptz,
      primary key (user_id, code_hash)
    );

    -- Challenges of passkeys that were answered, until they are too old to be answered again.
    create table spent_challenges (
      challenge_hash text primary key,
      expires_at timestamptz not null
    );
    create index spent_challenges_expiry on spent_challenges (expires_at);
  `.execute(db);
}
