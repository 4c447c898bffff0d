import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Sellers' accounts at payout providers, each written before the provider is asked for it, and the statements of months that are
 * over, which never change again. Each ledger entry of a seller stands on one statement.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table seller_accounts (
      id uuid primary key default gen_random_uuid(),
      agent_id uuid not null references agents,
      provider text not null,
      livemode boolean not null,
      -- null until the provider has answered
      ref text,
      -- who it was asked for: the same question again is the same account
      name text not null,
      email text not null,
      created_at timestamptz not null default now(),
      -- when the provider was last asked about it
      checked_at timestamptz,
      ended_at timestamptz,
      unique (provider, ref)
    );
    create unique index seller_accounts_current on seller_accounts (agent_id) where ended_at is null;
    create index seller_accounts_agent on seller_accounts (agent_id, created_at desc);
    create index seller_accounts_due on seller_accounts (checked_at nulls first, id)
      where ended_at is null and ref is not null;
    -- Until now only the demo market has connected accounts.
    insert into seller_accounts (agent_id, provider, livemode, ref, name, email, created_at)
      select id, 'sandbox-connect', false, stripe_account_id, name, email, created_at from agents where stripe_account_id is not null;

    create table seller_statements (
      id uuid primary key default gen_random_uuid(),
      agent_id uuid not null references agents,
      -- the first day of the month, UTC
      month date not null check (month = date_trunc('month', month)),
      opening_cents bigint not null,
      closing_cents bigint not null,
      -- what the document says besides: names and lines
      content jsonb not null,
      closed_at timestamptz not null,
      unique (agent_id, month)
    );
    create table seller_statement_entries (
      entry_id bigint primary key references ledger_entries,
      statement_id uuid not null references seller_statements
    );
    create index seller_statement_entries_statement on seller_statement_entries (statement_id);
    create table closed_months (
      month date primary key check (month = date_trunc('month', month)),
      closed_at timestamptz not null
    );
    create trigger seller_statements_fixed before update or delete on seller_statements
      for each row execute function forbid_change();
    create trigger seller_statement_entries_fixed before update or delete on seller_statement_entries
      for each row execute function forbid_change();
    create trigger seller_statements_kept before truncate on seller_statements execute function forbid_truncate();
    create trigger seller_statement_entries_kept before truncate on seller_statement_entries execute function forbid_truncate();
  `.execute(db);
}
