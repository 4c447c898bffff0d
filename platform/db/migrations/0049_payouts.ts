import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Payouts as attempts with their parts, what was set off against them and taken back from them; messages about payouts; what
 * provider accounts can pay.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await attempts(db);
  await beside(db);
  await tasks(db);
}

async function attempts(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table payouts
      -- The nth attempt to pay the seller of the sale; each has a key of its own at the provider.
      add column attempt integer not null default 1 check (attempt > 0),
      -- The run that it was asked for in.
      add column run_id uuid,
      -- Null for a payout by hand, one of nothing, and those from before providers were recorded.
      add column provider text,
      add column provider_account_id uuid references provider_accounts,
      add column livemode boolean not null default false,
      -- What it was sent with: payments that fund it, oldest first.
      add column sources jsonb not null default '[]',
      -- Set off against what the seller owed; the amount is what is left to send.
      add column netted_cents bigint not null default 0 check (netted_cents >= 0),
      -- What arrived, what of that came back by itself, and what of it was taken back for a refund.
      add column paid_cents bigint not null default 0 check (paid_cents >= 0),
      add column returned_cents bigint not null default 0 check (returned_cents >= 0),
      add column reversed_cents bigint not null default 0 check (reversed_cents >= 0),
      -- The provider's fees.
      add column fee_cents bigint not null default 0,
      -- Why nothing, or not everything, arrived; 'failure_reason' says it in words.
      add column failure text check (failure ~ '^[a-z_]{1,60}$'),
      add column arrives_at timestamptz,
      -- When it was first sent: from then on the provider may know its key.
      add column sent_at timestamptz,
      add column asked_at timestamptz,
      add column next_ask_at timestamptz,
      add column ask_failures integer not null default 0,
      -- Of a payout by hand: what the bank calls it, who entered that, and who had a second look.
      add column bank_reference text check (length(bank_reference) between 1 and 200),
      add column recorded_by uuid references users on delete set null,
      add column recorded_at timestamptz,
      add column confirmed_by uuid references users on delete set null,
      drop constraint payouts_amount_cents_check;

    update payouts set paid_cents = amount_cents where status = 'completed';
    -- Whoever numbered several attempts of a sale until now: the oldest is the first.
    update payouts p set attempt = n.attempt
      from (select id, row_number() over (partition by sale_id order by created_at, id) as attempt from payouts) n
      where n.id = p.id and n.attempt <> 1;

    alter table payouts
      add check (amount_cents >= 0),
      add check (paid_cents <= amount_cents),
      add check (returned_cents + reversed_cents <= paid_cents),
      add check (recorded_by is null or confirmed_by is distinct from recorded_by);
    drop index payouts_one_open;
    create unique index payouts_one_open on payouts (sale_id) where status = 'processing';
    create unique index payouts_attempt on payouts (sale_id, attempt);
    create index payouts_ask on payouts (next_ask_at) where next_ask_at is not null;
    create index payouts_run on payouts (run_id) where run_id is not null;
  `.execute(db);
}

async function beside(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A part of a payout as its provider carries it.
    create table payout_items (
      payout_id uuid not null references payouts,
      provider_ref text not null check (length(provider_ref) between 1 and 300),
      amount_cents bigint not null check (amount_cents > 0),
      returned_cents bigint not null default 0 check (returned_cents between 0 and amount_cents),
      status text not null check (status in ('processing', 'paid', 'failed', 'returned')),
      failure text check (failure ~ '^[a-z_]{1,60}$'),
      primary key (payout_id, provider_ref)
    );
    create index payout_items_ref on payout_items (provider_ref);

    -- What a payout settled of the seller's debts, each for the sale whose money went back after it was paid out.
    create table payout_offsets (
      payout_id uuid not null references payouts,
      sale_id uuid not null references property_sales,
      amount_cents bigint not null check (amount_cents > 0),
      primary key (payout_id, sale_id)
    );
    create index payout_offsets_sale on payout_offsets (sale_id);

    -- Money taken back from a payout because the payment went back to the buyer.
    create table payout_reversals (
      id uuid primary key default gen_random_uuid(),
      payout_id uuid not null references payouts,
      sale_id uuid not null references property_sales,
      amount_cents bigint not null check (amount_cents > 0),
      status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
      idempotency_key text not null unique,
      provider_refs text[] not null default '{}',
      failure_reason text,
      created_at timestamptz not null,
      settled_at timestamptz
    );
    create index payout_reversals_sale on payout_reversals (sale_id);
    create index payout_reversals_payout on payout_reversals (payout_id);

    -- What an account could pay when it was last asked.
    create table treasury_positions (
      provider_account_id uuid primary key references provider_accounts,
      available_cents bigint not null,
      pending_cents bigint not null,
      asked_at timestamptz not null
    );

    -- A message about a payout names its key or the seller's account.
    alter table provider_events
      add column payout_key text,
      add column payout_account text;

    insert into ledger_accounts values ('seller_offsets', 'Set off between sales of a seller', 'asset');
    create index ledger_postings_receivable on ledger_postings (entry_id) where account = 'seller_receivable';
  `.execute(db);
}

async function tasks(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Adds to the kinds that there are, whichever these are by now.
    do $$
    declare
      known text;
    begin
      select string_agg(quote_literal(kind[1]), ', ') into known
        from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g') kind
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_kind_check';
      alter table admin_tasks drop constraint admin_tasks_kind_check;
      execute format('alter table admin_tasks add constraint admin_tasks_kind_check check (kind in (%s, ''payout_overdue'',
        ''payout_disagrees'', ''treasury_short''))', known);
    end $$;
  `.execute(db);
}
