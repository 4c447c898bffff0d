import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * The sandbox keeps books as a provider does: accounts with a balance, every change of it, several disputes of a payment. What
 * it did before is entered into them; the disputes of before cost no fee.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table sandbox_checkouts
      add column account text not null default 'sandbox',
      add column livemode boolean not null default false,
      add column available_after_ms bigint not null default 0;

    alter table sandbox_keys
      add column account text not null default 'sandbox',
      add column livemode boolean not null default false,
      drop constraint sandbox_keys_pkey,
      add primary key (rail, account, livemode, key);

    alter table sandbox_refunds
      -- Null for one made in the provider's dashboard.
      alter column key drop not null,
      -- True until the balance covers it.
      add column waiting boolean not null default false,
      drop constraint sandbox_refunds_status_check,
      add check (status in ('pending', 'requires_action', 'succeeded', 'failed')),
      add check (not waiting or status = 'pending');
    drop index sandbox_refunds_settling;
    create index sandbox_refunds_settling on sandbox_refunds (settle_at) where status = 'pending' and not waiting;
    create index sandbox_refunds_waiting on sandbox_refunds (created_at) where waiting;

    create table sandbox_disputes (
      id bigint generated always as identity unique,
      ref text primary key,
      checkout_ref text not null references sandbox_checkouts,
      kind text not null check (kind in ('inquiry', 'chargeback')),
      status text not null default 'open' check (status in ('open', 'won', 'lost')),
      amount_cents bigint not null check (amount_cents > 0),
      returned_cents bigint not null default 0 check (returned_cents between 0 and amount_cents),
      fee_cents bigint not null default 0,
      reason text not null,
      evidence_due_at timestamptz,
      evidence jsonb,
      answered_at timestamptz,
      created_at timestamptz not null,
      check ((evidence is null) = (answered_at is null))
    );
    create index sandbox_disputes_checkout on sandbox_disputes (checkout_ref, id);
    create index sandbox_disputes_due on sandbox_disputes (evidence_due_at)
      where status = 'open' and kind = 'chargeback' and answered_at is null;

    create table sandbox_transactions (
      id bigint generated always as identity unique,
      ref text primary key,
      rail text not null check (rail in ('card', 'crypto')),
      account text not null,
      livemode boolean not null,
      kind text not null check (kind in ('payment', 'refund', 'refund_return', 'dispute', 'dispute_return', 'fee',
        'bank_payout', 'bank_payout_return', 'transfer', 'transfer_return', 'adjustment')),
      amount_cents bigint not null,
      fee_cents bigint not null default 0,
      checkout_ref text references sandbox_checkouts,
      payment_ref text,
      object_ref text,
      sale_id text,
      created_at timestamptz not null,
      available_at timestamptz not null
    );
    create index sandbox_transactions_account on sandbox_transactions (rail, account, livemode, id);
    create index sandbox_transactions_object on sandbox_transactions (object_ref);
  `.execute(db);

  await sql`
    insert into sandbox_disputes (ref, checkout_ref, kind, status, amount_cents, returned_cents, reason, evidence_due_at, created_at)
    select dispute ->> 'ref', ref, 'chargeback', dispute ->> 'status', (dispute ->> 'amountCents')::bigint,
      case when dispute ->> 'status' = 'won' then (dispute ->> 'amountCents')::bigint else 0 end,
      dispute ->> 'reason', (dispute ->> 'evidenceDueAt')::timestamptz, paid_at
    from sandbox_checkouts where dispute is not null order by paid_at, ref;

    with moved (kind, amount_cents, fee_cents, checkout_ref, object_ref, at) as (
      select 'payment', amount_cents, fee_cents, ref, null, paid_at from sandbox_checkouts where status = 'paid'
      union all
      select 'refund', -r.amount_cents, 0, r.checkout_ref, r.ref, r.created_at
      from sandbox_refunds r join sandbox_checkouts c on c.ref = r.checkout_ref
      where r.status = 'succeeded' or (r.status = 'pending' and c.rail = 'card')
      union all
      select 'dispute', -amount_cents, 0, checkout_ref, ref, created_at from sandbox_disputes
      union all
      select 'dispute_return', returned_cents, 0, checkout_ref, ref, created_at from sandbox_disputes where returned_cents > 0
    )
    insert into sandbox_transactions (ref, rail, account, livemode, kind, amount_cents, fee_cents, checkout_ref, payment_ref,
      object_ref, sale_id, created_at, available_at)
    select 'txn_sandbox_' || md5(m.kind || m.checkout_ref || coalesce(m.object_ref, '')), c.rail, c.account, c.livemode, m.kind,
      m.amount_cents, m.fee_cents, m.checkout_ref, c.payment_ref, m.object_ref, c.sale_id, m.at, m.at
    from moved m join sandbox_checkouts c on c.ref = m.checkout_ref
    order by m.at, m.checkout_ref, m.kind;

    alter table sandbox_checkouts drop column dispute;
  `.execute(db);
}
