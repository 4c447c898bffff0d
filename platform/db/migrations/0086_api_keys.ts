import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Keys by which other systems read listings. Only a hash of each secret is stored; `prefix` is its beginning, by which people tell keys
 * apart. A key without `agent_id` is an administrator's and sees the market, one with it sees that seller's listings. `api_key_days`
 * counts what each key was given on a day (UTC).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_keys (
      id uuid primary key default gen_random_uuid(),
      owner_id uuid not null references users,
      agent_id uuid references agents,
      name text not null check (char_length(name) between 1 and 80),
      prefix text not null unique check (prefix ~ '^acre_[0-9a-f]{8}$'),
      secret_hash text not null unique check (secret_hash ~ '^[0-9a-f]{64}$'),
      scopes text[] not null check (scopes <@ array['listings', 'media', 'members'] and cardinality(scopes) > 0),
      per_minute integer not null check (per_minute between 1 and 600),
      created_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz
    );
    create unique index api_keys_name on api_keys (owner_id, lower(name)) where revoked_at is null;
    create index api_keys_owner on api_keys (owner_id, created_at desc, id);
    create index api_keys_agent on api_keys (agent_id, created_at desc, id);
    create index api_keys_newest on api_keys (created_at desc, id);

    create table api_key_days (
      key_id uuid not null references api_keys on delete cascade,
      day date not null,
      requests bigint not null default 0,
      rows_sent bigint not null default 0,
      primary key (key_id, day)
    )`.execute(db);
}
