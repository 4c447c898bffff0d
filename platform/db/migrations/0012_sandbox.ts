import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Tables of the sandbox payment providers. They simulate external systems, so nothing here references our tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sandbox_checkouts (
      ref text primary key,
      rail text not null check (rail in ('card', 'crypto')),
      sale_id text not null,
      request jsonb not null,
      amount_cents bigint not null check (amount_cents > 0),
      status text not null default 'open'
        check (status in ('open', 'processing', 'paid', 'failed', 'expired', 'canceled')),
      paid_by text check (paid_by in ('card', 'bank', 'chain')),
      payment_ref text unique,
      tx_hash text,
      network text,
      fee_cents bigint check (fee_cents >= 0),
      notice text,
      bank_limit_cents bigint,
      settle_after_ms integer not null,
      settle_at timestamptz,
      expires_at timestamptz not null,
      paid_at timestamptz,
      dispute jsonb,
      created_at timestamptz not null,
      check ((status = 'paid') = (paid_at is not null)),
      check ((status = 'paid') = (fee_cents is not null)),
      check ((status = 'processing') = (settle_at is not null))
    );
    create index sandbox_checkouts_open on sandbox_checkouts (expires_at) where status = 'open';
    create index sandbox_checkouts_settling on sandbox_checkouts (settle_at) where status = 'processing';

    create table sandbox_refunds (
      ref text primary key,
      checkout_ref text not null references sandbox_checkouts,
      amount_cents bigint not null check (amount_cents > 0),
      status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
      reason text not null,
      key text not null,
      settle_at timestamptz not null,
      created_at timestamptz not null
    );
    create index sandbox_refunds_checkout on sandbox_refunds (checkout_ref);
    create index sandbox_refunds_settling on sandbox_refunds (settle_at) where status = 'pending';

    create table sandbox_keys (
      rail text not null check (rail in ('card', 'crypto')),
      key text not null,
      fingerprint text not null,
      answer jsonb,
      created_at timestamptz not null,
      primary key (rail, key)
    );

    create table sandbox_deliveries (
      id bigint generated always as identity unique,
      event_id text primary key,
      rail text not null check (rail in ('card', 'crypto')),
      type text not null,
      ref text not null,
      payload text not null,
      created_at timestamptz not null,
      next_attempt_at timestamptz,
      delivered_at timestamptz,
      attempts integer not null default 0,
      last_error text
    );
    create index sandbox_deliveries_due on sandbox_deliveries (next_attempt_at, id) where next_attempt_at is not null;
    create index sandbox_deliveries_ref on sandbox_deliveries (ref, id);
  `.execute(db);
}
