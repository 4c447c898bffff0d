import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Fees, sales, provider events, the double-entry ledger, refunds and payouts. Amounts are integer cents. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table service_fees (
      id uuid primary key default gen_random_uuid(),
      name text not null check (length(trim(name)) between 1 and 80),
      fee_type text not null check (fee_type in ('fixed', 'percentage')),
      fixed_cents bigint check (fixed_cents >= 0),
      percent numeric(6, 3) check (percent between 0 and 100),
      applies_to text[] not null default '{buyer}'
        check (applies_to <@ array['buyer', 'seller'] and cardinality(applies_to) > 0),
      is_active boolean not null default true,
      position smallint not null default 0,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check (case fee_type when 'fixed' then fixed_cents is not null and percent is null
                           else percent is not null and fixed_cents is null end)
    );
    create unique index service_fees_name_key on service_fees (lower(trim(name)));
    create trigger service_fees_touch before update on service_fees for each row execute function touch_updated_at();

    create table commission_settings (
      id smallint primary key default 1 check (id = 1),
      admin_percentage numeric(6, 3) not null default 20 check (admin_percentage between 0 and 100),
      updated_by uuid references users on delete set null,
      updated_at timestamptz not null default now()
    );
    create trigger commission_settings_touch before update on commission_settings
      for each row execute function touch_updated_at();

    create table platform_settings (
      setting_name text primary key,
      setting_value jsonb not null,
      updated_by uuid references users on delete set null,
      updated_at timestamptz not null default now()
    );
    create trigger platform_settings_touch before update on platform_settings
      for each row execute function touch_updated_at();

    create table property_sales (
      id uuid primary key default gen_random_uuid(),
      property_id uuid not null references properties,
      buyer_id uuid not null references users,
      agent_id uuid not null references agents,
      sale_price_cents bigint not null check (sale_price_cents > 0),
      buyer_fees_cents bigint not null default 0 check (buyer_fees_cents >= 0),
      seller_fees_cents bigint not null default 0 check (seller_fees_cents >= 0),
      total_cents bigint not null generated always as (sale_price_cents + buyer_fees_cents) stored,
      admin_percentage numeric(6, 3) not null check (admin_percentage between 0 and 100),
      agent_commission_cents bigint not null check (agent_commission_cents >= 0),
      admin_fee_cents bigint not null generated always as (sale_price_cents - agent_commission_cents) stored,
      payment_method text not null check (payment_method in ('card', 'crypto')),
      provider text not null,
      provider_session_id text,
      provider_payment_id text,
      stripe_payment_intent_id text,
      checkout_url text,
      livemode boolean not null default false,
      network text,
      tx_hash text,
      stripe_payment_status text not null default 'pending'
        check (stripe_payment_status in ('pending', 'processing', 'completed', 'failed', 'refunded')),
      escrow_status text not null default 'pending'
        check (escrow_status in ('pending', 'in_escrow', 'completed', 'cancelled')),
      payout_status text check (payout_status in ('pending', 'processing', 'completed', 'failed')),
      payout_date timestamptz,
      payment_receipt_url text,
      sale_date timestamptz,
      locked_until timestamptz,
      release_due_at timestamptz,
      documents_delivered_at timestamptz,
      cancellation_requested_at timestamptz,
      frozen_at timestamptz,
      failure_reason text,
      idempotency_key text not null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      unique (buyer_id, idempotency_key),
      check (agent_commission_cents <= sale_price_cents),
      check (payout_status is null or (escrow_status = 'completed' and stripe_payment_status in ('completed', 'refunded'))),
      check (escrow_status not in ('in_escrow', 'completed') or sale_date is not null)
    );
    -- A property is never sold twice (R1): at most one live sale per property.
    create unique index property_sales_one_live on property_sales (property_id)
      where escrow_status <> 'cancelled' and stripe_payment_status not in ('failed', 'refunded');
    create unique index property_sales_session on property_sales (provider, provider_session_id);
    create unique index property_sales_payment on property_sales (provider, provider_payment_id);
    create index property_sales_buyer on property_sales (buyer_id, created_at desc);
    create index property_sales_agent on property_sales (agent_id, created_at desc);
    create index property_sales_newest on property_sales (created_at desc, id);
    create index property_sales_paid on property_sales (sale_date) where sale_date is not null;
    create index property_sales_payable on property_sales (created_at desc) where payout_status = 'pending';
    create index property_sales_locks on property_sales (locked_until) where stripe_payment_status in ('pending', 'processing');
    create trigger property_sales_touch before update on property_sales for each row execute function touch_updated_at();

    create table transaction_fees (
      id uuid primary key default gen_random_uuid(),
      sale_id uuid not null references property_sales,
      service_fee_id uuid references service_fees on delete set null,
      name text not null,
      fee_type text not null check (fee_type in ('fixed', 'percentage')),
      percent numeric(6, 3),
      applies_to text not null check (applies_to in ('buyer', 'seller')),
      amount_applied_cents bigint not null check (amount_applied_cents >= 0),
      created_at timestamptz not null default now()
    );
    create index transaction_fees_sale on transaction_fees (sale_id);

    create table sale_events (
      id bigint primary key generated always as identity,
      sale_id uuid not null references property_sales,
      event text not null,
      actor_id uuid references users on delete set null,
      actor_role text not null,
      before jsonb not null,
      after jsonb not null,
      note text,
      created_at timestamptz not null default now()
    );
    create index sale_events_sale on sale_events (sale_id, id);
    create trigger sale_events_fixed before update or delete on sale_events
      for each row execute function forbid_change();

    create table provider_events (
      id bigint primary key generated always as identity,
      provider text not null,
      event_id text not null,
      event_type text not null,
      payload jsonb not null,
      status text not null default 'received' check (status in ('received', 'processed', 'ignored', 'dead')),
      attempts integer not null default 0,
      last_error text,
      received_at timestamptz not null default now(),
      processed_at timestamptz,
      unique (provider, event_id)
    );
    create index provider_events_open on provider_events (received_at) where status = 'received';

    create table ledger_accounts (
      code text primary key,
      name text not null,
      kind text not null check (kind in ('asset', 'liability', 'revenue', 'expense'))
    );
    insert into ledger_accounts values
      ('provider_clearing', 'Provider clearing', 'asset'),
      ('processing_cost', 'Processing cost', 'expense'),
      ('escrow_held', 'Escrow held', 'liability'),
      ('fees_held', 'Buyer fees held', 'liability'),
      ('seller_payable', 'Seller payable', 'liability'),
      ('payout_in_transit', 'Payouts in transit', 'liability'),
      ('platform_revenue', 'Platform revenue', 'revenue'),
      ('fee_revenue', 'Service fee revenue', 'revenue'),
      ('disputed', 'Disputed payments', 'asset');
    create table ledger_entries (
      id bigint primary key generated always as identity,
      idempotency_key text not null unique,
      kind text not null check (kind in ('L1', 'L2', 'L3', 'L4', 'L5')),
      sale_id uuid not null references property_sales,
      memo text not null default '',
      created_at timestamptz not null default now()
    );
    create index ledger_entries_sale on ledger_entries (sale_id, id);
    -- Debits are positive cents, credits negative.
    create table ledger_postings (
      id bigint primary key generated always as identity,
      entry_id bigint not null references ledger_entries,
      account text not null references ledger_accounts,
      amount_cents bigint not null check (amount_cents <> 0)
    );
    create index ledger_postings_entry on ledger_postings (entry_id);
    create index ledger_postings_account on ledger_postings (account);
    create trigger ledger_entries_fixed before update or delete on ledger_entries
      for each row execute function forbid_change();
    create trigger ledger_postings_fixed before update or delete on ledger_postings
      for each row execute function forbid_change();
    create function ledger_balance() returns trigger language plpgsql as $$
    declare entry bigint;
    begin
      entry := case tg_table_name when 'ledger_entries' then (to_jsonb(new) ->> 'id') else (to_jsonb(new) ->> 'entry_id') end;
      if coalesce((select sum(amount_cents) from ledger_postings where entry_id = entry), 1) <> 0 then
        raise exception 'ledger entry % does not balance', entry using errcode = 'check_violation';
      end if;
      return null;
    end $$;
    create constraint trigger ledger_entries_balance after insert on ledger_entries
      deferrable initially deferred for each row execute function ledger_balance();
    create constraint trigger ledger_postings_balance after insert on ledger_postings
      deferrable initially deferred for each row execute function ledger_balance();

    create table refunds (
      id uuid primary key default gen_random_uuid(),
      sale_id uuid not null references property_sales,
      amount_cents bigint not null check (amount_cents > 0),
      reason text not null,
      provider_ref text unique,
      status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
      idempotency_key text not null unique,
      requested_by uuid references users on delete set null,
      failure_reason text,
      created_at timestamptz not null default now(),
      settled_at timestamptz
    );
    create index refunds_sale on refunds (sale_id);

    create table payouts (
      id uuid primary key default gen_random_uuid(),
      sale_id uuid not null references property_sales,
      agent_id uuid not null references agents,
      amount_cents bigint not null check (amount_cents > 0),
      method text not null check (method in ('stripe', 'paypal', 'manual')),
      destination text not null,
      provider_ref text unique,
      status text not null default 'processing' check (status in ('processing', 'completed', 'failed')),
      idempotency_key text not null unique,
      failure_reason text,
      started_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      settled_at timestamptz
    );
    create unique index payouts_one_open on payouts (sale_id) where status <> 'failed';
    create index payouts_agent on payouts (agent_id, created_at desc);

    create table disputes (
      id uuid primary key default gen_random_uuid(),
      sale_id uuid not null references property_sales,
      opened_by uuid references users on delete set null,
      provider_ref text unique,
      reason text not null,
      status text not null default 'open' check (status in ('open', 'won', 'lost', 'withdrawn')),
      evidence_due_at timestamptz,
      created_at timestamptz not null default now(),
      closed_at timestamptz
    );
    create unique index disputes_one_open on disputes (sale_id) where status = 'open';
  `.execute(db);
}
