import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * The sandbox pays sellers: accounts of sellers at the provider of cards, and a provider with an account of its own that pays to
 * e-mail addresses. Messages of both are kept with those about payments.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sandbox_keys
      drop constraint sandbox_keys_rail_check,
      add constraint sandbox_keys_method_check check (method in ('card', 'crypto', 'paypal'));
    alter table sandbox_transactions
      drop constraint sandbox_transactions_rail_check,
      add constraint sandbox_transactions_method_check check (method in ('card', 'crypto', 'paypal'));
    alter table sandbox_deliveries
      drop constraint sandbox_deliveries_rail_check,
      add constraint sandbox_deliveries_method_check check (method in ('card', 'crypto', 'connect', 'paypal')),
      -- How often it is delivered again after it was accepted.
      add column repeats integer not null default 0 check (repeats >= 0);

    create table sandbox_accounts (
      id bigint generated always as identity unique,
      ref text primary key,
      account text not null,
      livemode boolean not null,
      agent_id text not null,
      email text not null,
      name text not null,
      -- Null until the seller has been through the provider's page.
      submitted_at timestamptz,
      transfers_active boolean not null default false,
      requirement text,
      -- What transfers have brought and has not gone to the seller's bank.
      balance_cents bigint not null default 0 check (balance_cents >= 0),
      created_at timestamptz not null,
      check (not transfers_active or submitted_at is not null)
    );
    create table sandbox_onboarding_links (
      token text primary key,
      account_ref text not null references sandbox_accounts,
      return_url text not null,
      refresh_url text not null,
      expires_at timestamptz not null,
      used_at timestamptz
    );
    create index sandbox_onboarding_links_account on sandbox_onboarding_links (account_ref);

    create table sandbox_payouts (
      id bigint generated always as identity primary key,
      ref text not null unique,
      method text not null check (method in ('card', 'paypal')),
      account text not null,
      livemode boolean not null,
      key text not null,
      sale_id text not null,
      amount_cents bigint not null check (amount_cents > 0),
      destination text not null,
      description text not null,
      fingerprint text not null,
      -- Why the provider refused what is missing in the items.
      refusal text check (refusal in ('account_inactive', 'destination_unknown', 'balance_short', 'limit', 'other')),
      arrives_at timestamptz,
      created_at timestamptz not null
    );
    create index sandbox_payouts_key on sandbox_payouts (key, id);
    create index sandbox_payouts_newest on sandbox_payouts (method, account, livemode, id desc);
    create table sandbox_payout_items (
      id bigint generated always as identity unique,
      ref text primary key,
      payout_id bigint not null references sandbox_payouts,
      amount_cents bigint not null check (amount_cents > 0),
      fee_cents bigint not null default 0 check (fee_cents >= 0),
      -- The payment that funds it.
      source_ref text,
      state text not null
        check (state in ('pending', 'onhold', 'unclaimed', 'success', 'returned', 'refunded', 'reversed', 'blocked', 'failed')),
      returned_cents bigint not null default 0 check (returned_cents between 0 and amount_cents),
      failure text check (failure in ('account_inactive', 'destination_unknown', 'limit', 'other')),
      settle_at timestamptz,
      created_at timestamptz not null,
      check ((state = 'pending') = (settle_at is not null)),
      check ((state = 'failed') = (failure is not null)),
      check ((state in ('returned', 'refunded', 'reversed')) = (returned_cents = amount_cents))
    );
    create index sandbox_payout_items_payout on sandbox_payout_items (payout_id, id);
    create index sandbox_payout_items_source on sandbox_payout_items (source_ref) where source_ref is not null;
    create index sandbox_payout_items_due on sandbox_payout_items (settle_at) where state = 'pending';

    -- What was taken back of an item by request, with the key of the request.
    create table sandbox_reversals (
      id bigint generated always as identity unique,
      ref text primary key,
      item_ref text not null references sandbox_payout_items,
      key text not null,
      amount_cents bigint not null check (amount_cents > 0),
      created_at timestamptz not null
    );
    create index sandbox_reversals_key on sandbox_reversals (key, id);
    create index sandbox_reversals_item on sandbox_reversals (item_ref);

    -- What a provider's message is about when it is about payouts.
    alter table provider_events
      add column if not exists payout_key text,
      add column if not exists payout_account text;
  `.execute(db);
}
