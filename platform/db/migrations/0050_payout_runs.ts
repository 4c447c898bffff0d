import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Payouts asked for together, who approves them, how far they are, and the orders in which payouts that wait are listed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runs(db);
  await lists(db);
  await tasks(db);
}

async function runs(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payout_runs (
      id uuid primary key default gen_random_uuid(),
      -- The same request again is the same run.
      idempotency_key text not null unique check (length(idempotency_key) between 1 and 200),
      origin text not null check (origin in ('administrator', 'schedule')),
      status text not null check (status in ('awaiting_approval', 'running', 'finished', 'declined', 'expired')),
      payout_count integer not null check (payout_count > 0),
      total_cents bigint not null check (total_cents >= 0),
      requested_by uuid references users on delete set null,
      requested_at timestamptz not null,
      -- Above this total the run needed a second administrator; null when it did not.
      approval_limit_cents bigint check (approval_limit_cents >= 0),
      -- The administrator who was asked; null: any of them.
      approver_id uuid references users on delete set null,
      expires_at timestamptz,
      decided_by uuid references users on delete set null,
      decided_at timestamptz,
      decline_reason text check (length(decline_reason) between 1 and 2000),
      finished_at timestamptz,
      check (decided_by is null or decided_by is distinct from requested_by),
      check (status <> 'awaiting_approval' or approval_limit_cents is not null and expires_at is not null),
      check ((status = 'declined') = (decline_reason is not null)),
      check ((finished_at is not null) = (status in ('finished', 'declined', 'expired')))
    );
    create index payout_runs_live on payout_runs (requested_at, id) where status in ('awaiting_approval', 'running');
    create index payout_runs_ended on payout_runs (finished_at desc, id desc) where finished_at is not null;
    create index payout_runs_newest on payout_runs (requested_at desc, id desc);

    create table payout_run_items (
      run_id uuid not null references payout_runs,
      sale_id uuid not null references property_sales,
      position integer not null check (position > 0),
      agent_id uuid not null references agents,
      method text check (method in ('stripe', 'paypal', 'manual')),
      -- What is paid when nothing changes until then.
      amount_cents bigint not null check (amount_cents >= 0),
      status text not null check (status in ('waiting', 'started', 'refused', 'dropped')),
      payout_id uuid references payouts,
      refusal text,
      refused_until timestamptz,
      ended_at timestamptz,
      primary key (run_id, sale_id),
      unique (run_id, position),
      check ((status = 'started') = (payout_id is not null)),
      check ((status = 'refused') = (refusal is not null)),
      check ((status = 'waiting') = (ended_at is null))
    );
    -- A sale waits in one run at a time.
    create unique index payout_run_items_waiting on payout_run_items (sale_id) where status = 'waiting';
    create index payout_run_items_next on payout_run_items (run_id, position) where status = 'waiting';
    create index payout_run_items_sale on payout_run_items (sale_id);
  `.execute(db);
}

async function lists(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index property_sales_payable;
    create index property_sales_payout_date on property_sales (created_at desc, id desc) where payout_status = 'pending';
    create index property_sales_payout_price on property_sales (sale_price_cents, id) where payout_status = 'pending';
    create index property_sales_payout_amount on property_sales ((greatest(0, case
        when returned_base_cents = 0 or escrow_status = 'cancelled' then agent_commission_cents
        else floor((2::numeric * (sale_price_cents - returned_base_cents) * agent_commission_cents + sale_price_cents)
          / (2::numeric * sale_price_cents))::bigint end - seller_fees_cents)), id) where payout_status = 'pending';
    create index property_sales_payout_property on property_sales (property_id) where payout_status = 'pending';
    create index property_sales_payout_failed_date on property_sales (created_at desc, id desc) where payout_status = 'failed';
    create index agents_suspended on agents (id) where status = 'suspended' and archived_at is null;
    create index agents_payout_hold on agents (payout_hold_until) where payout_hold_until is not null;
    create index refunds_under_way on refunds (sale_id) where status = 'pending';
    create index disputes_against_sale on disputes (sale_id) where kind = 'chargeback' and status in ('open', 'lost');
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
      execute format('alter table admin_tasks add constraint admin_tasks_kind_check check (kind in (%s, ''payout_run_waiting''))', known);
      select string_agg(quote_literal(kind[1]), ', ') into known
        from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g') kind
        where conrelid = 'admin_tasks'::regclass and conname = 'admin_tasks_subject_type_check';
      alter table admin_tasks drop constraint admin_tasks_subject_type_check;
      execute format('alter table admin_tasks add constraint admin_tasks_subject_type_check check (subject_type in (%s, ''payout_run''))',
        known);
    end $$;
  `.execute(db);
}
