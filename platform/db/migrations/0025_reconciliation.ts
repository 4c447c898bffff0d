import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** What providers say they booked, its matching with the books, and how the differences end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table provider_transactions (
      id uuid primary key default gen_random_uuid(),
      provider_account_id uuid not null references provider_accounts,
      ref text not null check (length(ref) between 1 and 300),
      kind text not null check (kind in ('payment', 'refund', 'refund_return', 'dispute', 'dispute_return', 'fee',
        'bank_payout', 'bank_payout_return', 'transfer', 'transfer_return', 'adjustment')),
      -- Change of our balance before the fee, in the smallest unit of the currency.
      amount_cents bigint not null,
      fee_cents bigint not null,
      currency text not null check (currency ~ '^[a-z0-9]{3,10}$'),
      checkout_ref text,
      payment_ref text,
      object_ref text,
      -- The sale as the provider was told, which need not be one of ours.
      stated_sale text,
      booked_at timestamptz not null,
      stored_at timestamptz not null default now(),
      -- What follows is how far it is matched with the books.
      sale_id uuid references property_sales,
      amount_settled_at timestamptz,
      fee_settled_at timestamptz,
      unique (provider_account_id, ref)
    );
    create index provider_transactions_open on provider_transactions (provider_account_id, booked_at)
      where amount_settled_at is null or fee_settled_at is null;
    create index provider_transactions_sale on provider_transactions (sale_id) where sale_id is not null;
    create function provider_transaction_fixed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' or to_jsonb(old) - array['sale_id', 'amount_settled_at', 'fee_settled_at']
         is distinct from to_jsonb(new) - array['sale_id', 'amount_settled_at', 'fee_settled_at'] then
        raise exception 'what provider transaction % says is fixed', old.id using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger provider_transactions_fixed before update or delete on provider_transactions
      for each row execute function provider_transaction_fixed();

    alter table breaks
      add column provider_transaction_id uuid references provider_transactions,
      -- The postings on clearing that the difference is about.
      add column posting_ids bigint[] not null default '{}',
      -- The second administrator, where one was needed.
      add column approved_by uuid references users on delete set null,
      add check (approved_by is null or approved_by is distinct from resolved_by);
    create unique index breaks_one_open_transaction on breaks (provider_transaction_id)
      where state <> 'resolved' and provider_transaction_id is not null;
    create index breaks_listed on breaks (created_at desc, id desc);

    -- Which posting on clearing is confirmed by which transaction; without one, by another posting that takes it back.
    create table clearing_matches (
      id bigint primary key generated always as identity,
      posting_id bigint not null references ledger_postings,
      provider_transaction_id uuid references provider_transactions,
      break_id uuid references breaks,
      matched_at timestamptz not null default now(),
      unique nulls not distinct (posting_id, provider_transaction_id)
    );
    create index clearing_matches_transaction on clearing_matches (provider_transaction_id);
    create trigger clearing_matches_fixed before update or delete on clearing_matches
      for each row execute function forbid_change();

    create table reconciliation_runs (
      id uuid primary key default gen_random_uuid(),
      provider_account_id uuid not null references provider_accounts,
      -- The time asked about; 'cursor' is where the listing goes on.
      from_at timestamptz not null,
      to_at timestamptz not null,
      cursor text,
      state text not null default 'running' check (state in ('running', 'finished', 'failed')),
      -- The process at it; one that reports nothing for a while has died, and another goes on.
      runner uuid not null,
      seen_at timestamptz not null,
      listed integer not null default 0,
      stored integer not null default 0,
      stored_cents bigint not null default 0,
      matched integer not null default 0,
      matched_cents bigint not null default 0,
      breaks_opened integer not null default 0,
      breaks_closed integer not null default 0,
      -- Null while they could not be compared.
      theirs_cents bigint,
      ours_cents bigint,
      pending_cents bigint,
      failure text,
      started_at timestamptz not null,
      finished_at timestamptz,
      check ((state = 'running') = (finished_at is null))
    );
    create unique index reconciliation_runs_one on reconciliation_runs (provider_account_id) where state = 'running';
    create index reconciliation_runs_account on reconciliation_runs (provider_account_id, started_at desc);
    create index reconciliation_runs_listed on reconciliation_runs (started_at desc, id desc);

    -- A decision above the threshold, until a second administrator confirms it.
    create table break_approvals (
      id uuid primary key default gen_random_uuid(),
      break_id uuid not null references breaks,
      amount_cents bigint not null check (amount_cents > 0),
      reason text not null check (length(reason) between 1 and 2000),
      requested_by uuid not null references users,
      requested_at timestamptz not null default now(),
      decision text check (decision in ('approved', 'declined', 'withdrawn')),
      decided_by uuid references users,
      decided_at timestamptz,
      check ((decision is null) = (decided_at is null)),
      check (decision is distinct from 'approved' or decided_by <> requested_by)
    );
    create unique index break_approvals_one_open on break_approvals (break_id) where decision is null;
    create index break_approvals_break on break_approvals (break_id);

    -- Money of no sale on its way back to where it came from.
    create table break_refunds (
      id uuid primary key default gen_random_uuid(),
      break_id uuid not null references breaks,
      provider_account_id uuid not null references provider_accounts,
      checkout_ref text not null,
      amount_cents bigint not null check (amount_cents > 0),
      reason text not null,
      idempotency_key text not null unique,
      status text not null default 'pending' check (status in ('pending', 'sent', 'arrived', 'failed')),
      provider_ref text,
      failure_reason text,
      requested_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      settled_at timestamptz
    );
    create unique index break_refunds_one on break_refunds (break_id) where status <> 'failed';
    create index break_refunds_ref on break_refunds (provider_account_id, provider_ref) where provider_ref is not null;
    create index break_refunds_pending on break_refunds (created_at) where status = 'pending';

    -- Adds to the kinds that are there, whichever those are.
    do $$
    declare kinds text; types text;
    begin
      select pg_get_constraintdef(oid) into kinds from pg_constraint
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_kind_check';
      select pg_get_constraintdef(oid) into types from pg_constraint
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_subject_type_check';
      execute 'alter table admin_tasks drop constraint admin_tasks_kind_check, add constraint admin_tasks_kind_check '
        || replace(kinds, '])', ', ''reconciliation_overdue''::text])');
      execute 'alter table admin_tasks drop constraint admin_tasks_subject_type_check, add constraint admin_tasks_subject_type_check '
        || replace(types, '])', ', ''provider_account''::text])');
    end $$;
  `.execute(db);
}
