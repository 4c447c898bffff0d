import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Payments that come by bank transfer in several tranches, for sales and in the sandbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table property_sales
      drop constraint property_sales_paid_with_check,
      add constraint property_sales_paid_with_check check (paid_with in ('card', 'bank', 'chain', 'transfer'));

    -- What has arrived of a payment in parts; the ledger has an entry for each.
    create table sale_tranches (
      sale_id uuid not null references property_sales,
      -- The provider's reference of the payment that the transfer became.
      provider_ref text not null,
      amount_cents bigint not null check (amount_cents > 0),
      received_at timestamptz not null,
      primary key (sale_id, provider_ref)
    );
    create index sale_tranches_provider_ref on sale_tranches (provider_ref);

    alter table sandbox_checkouts
      drop constraint sandbox_checkouts_paid_by_check,
      add constraint sandbox_checkouts_paid_by_check check (paid_by in ('card', 'bank', 'chain', 'transfer')),
      add column in_parts boolean not null default false,
      -- The sum of its tranches.
      add column received_cents bigint not null default 0 check (received_cents >= 0 and (in_parts or received_cents = 0));
    create table sandbox_tranches (
      id bigint generated always as identity unique,
      ref text primary key,
      checkout_ref text not null references sandbox_checkouts,
      amount_cents bigint not null check (amount_cents between 1 and 99999999),
      fee_cents bigint not null check (fee_cents >= 0),
      created_at timestamptz not null
    );
    create index sandbox_tranches_checkout on sandbox_tranches (checkout_ref, id);
    alter table sandbox_refunds
      -- One refund that is drawn on several tranches has a row for each.
      add column batch text,
      add column tranche_ref text references sandbox_tranches,
      add check ((batch is null) = (tranche_ref is null));
    create index sandbox_refunds_batch on sandbox_refunds (batch) where batch is not null;
  `.execute(db);
}
