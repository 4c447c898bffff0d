import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Which account of which provider holds a payment; clearing by that account instead of one for all; accounts for everything
 * that can happen to money; what each refund and dispute is about; breaks between the books and the world.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table provider_accounts (
      id uuid primary key default gen_random_uuid(),
      provider text not null,
      livemode boolean not null,
      -- Null until the provider has named the account.
      account_ref text check (length(account_ref) between 1 and 200),
      created_at timestamptz not null default now()
    );
    create unique index provider_accounts_named on provider_accounts (provider, livemode, account_ref);
    create unique index provider_accounts_unnamed on provider_accounts (provider, livemode) where account_ref is null;
    create function provider_account_fixed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' or (old.provider, old.livemode) is distinct from (new.provider, new.livemode)
         or (old.account_ref is not null and old.account_ref is distinct from new.account_ref) then
        raise exception 'provider account % is fixed', old.id using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger provider_accounts_fixed before update or delete on provider_accounts
      for each row execute function provider_account_fixed();

    alter table property_sales
      add column provider_account_id uuid references provider_accounts,
      -- What has gone back to the buyer of the base price and of the fees, by refund or dispute; follows from the ledger.
      add column returned_base_cents bigint not null default 0 check (returned_base_cents between 0 and sale_price_cents),
      add column returned_fees_cents bigint not null default 0 check (returned_fees_cents between 0 and buyer_fees_cents);
    insert into provider_accounts (provider, livemode)
      select distinct s.provider, s.livemode from property_sales s
      where s.provider_session_id is not null or exists (select from ledger_entries e where e.sale_id = s.id);
    alter table property_sales disable trigger user;
    update property_sales s set provider_account_id = a.id from provider_accounts a
      where a.provider = s.provider and a.livemode = s.livemode
        and (s.provider_session_id is not null or exists (select from ledger_entries e where e.sale_id = s.id));
    update property_sales s set
        returned_base_cents = s.sale_price_cents - greatest(0, least(s.sale_price_cents, left_over.base)),
        returned_fees_cents = s.buyer_fees_cents - greatest(0, least(s.buyer_fees_cents, left_over.fees))
      from (select e.sale_id,
          coalesce(-sum(p.amount_cents) filter (where p.account in ('escrow_held', 'seller_payable', 'platform_revenue')), 0) as base,
          coalesce(-sum(p.amount_cents) filter (where p.account in ('fees_held', 'fee_revenue')), 0) as fees
        from ledger_entries e join ledger_postings p on p.entry_id = e.id where e.kind <> 'L3' group by e.sale_id) left_over
      where left_over.sale_id = s.id and s.sale_date is not null;
    alter table property_sales enable trigger user;
    create or replace function sale_terms_fixed() returns trigger language plpgsql as $$
    begin
      if (new.property_id, new.buyer_id, new.agent_id, new.sale_price_cents, new.buyer_fees_cents, new.seller_fees_cents,
          new.admin_percentage, new.agent_commission_cents, new.payment_method, new.provider, new.livemode)
         is distinct from
         (old.property_id, old.buyer_id, old.agent_id, old.sale_price_cents, old.buyer_fees_cents, old.seller_fees_cents,
          old.admin_percentage, old.agent_commission_cents, old.payment_method, old.provider, old.livemode)
         or (old.provider_account_id is not null and new.provider_account_id is distinct from old.provider_account_id) then
        raise exception 'the terms of sale % are fixed', old.id using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;

    insert into ledger_accounts values
      ('clearing', 'Held by a provider account', 'asset'),
      ('suspense', 'Received, not yet assigned', 'liability'),
      ('seller_receivable', 'Owed by sellers', 'asset'),
      ('bank', 'Bank account', 'asset'),
      ('treasury_in_transit', 'Moved between own accounts', 'asset'),
      ('dispute_fees', 'Dispute fees', 'expense'),
      ('chargeback_loss', 'Chargeback losses', 'expense'),
      ('write_offs', 'Written off', 'expense');
    alter table ledger_entries
      alter column sale_id drop not null,
      drop constraint ledger_entries_kind_check,
      add constraint ledger_entries_kind_check
        check (kind in ('L1', 'L2', 'L3', 'L4', 'L5', 'L6', 'L7', 'L8', 'L9'));
    alter table ledger_postings add column provider_account_id uuid references provider_accounts;
    create index ledger_postings_provider_account on ledger_postings (provider_account_id)
      where provider_account_id is not null;

    -- What stood in the one clearing account moves to that of the sale's provider account, by an entry of its own.
    insert into ledger_entries (idempotency_key, kind, sale_id, memo)
      select 'reclassified:' || e.sale_id, 'L9', e.sale_id, 'Clearing by provider account'
      from ledger_entries e join ledger_postings p on p.entry_id = e.id
      where p.account = 'provider_clearing' group by e.sale_id having sum(p.amount_cents) <> 0;
    insert into ledger_postings (entry_id, account, amount_cents, provider_account_id)
      select moved.id, line.account, line.sign * b.cents, case line.account when 'clearing' then s.provider_account_id end
      from ledger_entries moved
      join property_sales s on s.id = moved.sale_id
      join (select e.sale_id, sum(p.amount_cents)::bigint as cents
        from ledger_entries e join ledger_postings p on p.entry_id = e.id
        where p.account = 'provider_clearing' group by e.sale_id) b on b.sale_id = moved.sale_id
      cross join (values ('clearing', 1), ('provider_clearing', -1)) as line (account, sign)
      where moved.idempotency_key = 'reclassified:' || moved.sale_id;
    set constraints all immediate;
    set constraints all deferred;
    alter table ledger_postings
      add constraint ledger_postings_names_provider_account
        check ((account = 'clearing') = (provider_account_id is not null)),
      add constraint ledger_postings_provider_clearing_closed check (account <> 'provider_clearing') not valid;

    create or replace function ledger_held() returns trigger language plpgsql as $$
    declare sale uuid;
    begin
      select sale_id into sale from ledger_entries where id = new.entry_id;
      if coalesce((select sum(p.amount_cents) from ledger_postings p join ledger_entries e on e.id = p.entry_id
                   where e.sale_id is not distinct from sale and p.account = new.account), 0) > 0 then
        raise exception 'more than is held leaves % of sale %', new.account, sale using errcode = 'check_violation';
      end if;
      return null;
    end $$;
    drop trigger ledger_postings_held on ledger_postings;
    create constraint trigger ledger_postings_held after insert on ledger_postings
      deferrable initially deferred for each row
      when (new.account in ('escrow_held', 'fees_held', 'suspense') and new.amount_cents > 0)
      execute function ledger_held();

    alter table refunds
      -- 'provider': carried out there without being asked for here.
      add column origin text not null default 'platform' check (origin in ('platform', 'provider')),
      -- What it returns; the rest is money that was never assigned.
      add column base_cents bigint,
      add column fees_cents bigint,
      add column suspense_cents bigint not null default 0 check (suspense_cents >= 0),
      -- The caller's key, for a refund that an administrator asked for.
      add column request_key text;
    update refunds r set base_cents = least(r.amount_cents, s.sale_price_cents),
        fees_cents = r.amount_cents - least(r.amount_cents, s.sale_price_cents)
      from property_sales s where s.id = r.sale_id;
    alter table refunds
      alter column base_cents set not null,
      alter column fees_cents set not null,
      add check (base_cents >= 0),
      add check (fees_cents >= 0),
      add check (base_cents + fees_cents + suspense_cents = amount_cents);
    create unique index refunds_request on refunds (sale_id, request_key) where request_key is not null;

    alter table disputes
      -- 'problem': reported by a party; the others come from the payer's bank. An inquiry moves no money.
      add column kind text not null default 'problem' check (kind in ('problem', 'inquiry', 'chargeback')),
      add column amount_cents bigint check (amount_cents > 0),
      -- What the provider keeps for it, as posted.
      add column fee_cents bigint not null default 0 check (fee_cents >= 0),
      -- What stands in the account of disputed payments because of it.
      add column withdrawn_cents bigint not null default 0 check (withdrawn_cents >= 0);
    update disputes d set kind = 'chargeback', amount_cents = s.total_cents,
        withdrawn_cents = greatest(0, coalesce((select sum(p.amount_cents)
          from ledger_entries e join ledger_postings p on p.entry_id = e.id
          where e.sale_id = d.sale_id and p.account = 'disputed'
            and e.idempotency_key in ('disputed:' || d.provider_ref || ':' || d.sale_id,
              'dispute-won:' || d.provider_ref || ':' || d.sale_id, 'dispute-lost:' || d.provider_ref || ':' || d.sale_id)), 0))
      from property_sales s where s.id = d.sale_id and d.provider_ref is not null;
    alter table disputes
      add check ((kind = 'problem') = (provider_ref is null)),
      add check ((kind = 'problem') = (amount_cents is null)),
      add check (withdrawn_cents <= coalesce(amount_cents, 0));

    create table breaks (
      id uuid primary key default gen_random_uuid(),
      kind text not null check (kind ~ '^[a-z_]{1,60}$'),
      -- What it is about, such as the provider's reference: the same break is not opened twice.
      subject text not null check (length(subject) between 1 and 300),
      sale_id uuid references property_sales,
      provider_account_id uuid references provider_accounts,
      -- By our books, and in fact.
      expected_cents bigint,
      actual_cents bigint,
      detail text not null default '' check (length(detail) <= 2000),
      evidence jsonb not null default '{}',
      -- Its sale stays frozen until it is resolved.
      freezes boolean not null default false,
      state text not null default 'open' check (state in ('open', 'awaiting_approval', 'resolved')),
      resolution text check (resolution ~ '^[a-z_]{1,60}$'),
      note text check (length(note) <= 2000),
      -- Null when an event or the system resolved it.
      resolved_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      resolved_at timestamptz,
      check ((state = 'resolved') = (resolved_at is not null)),
      check ((state = 'resolved') = (resolution is not null))
    );
    create unique index breaks_one_open on breaks (kind, subject) where state <> 'resolved';
    create index breaks_sale on breaks (sale_id) where sale_id is not null;
    create index breaks_open on breaks (created_at, id) where state <> 'resolved';

    alter table admin_tasks
      drop constraint admin_tasks_kind_check,
      drop constraint admin_tasks_subject_type_check,
      add constraint admin_tasks_kind_check check (kind in ('payment_mismatch', 'payment_too_late', 'problem_reported',
        'dispute_opened', 'dispute_lost', 'refund_failed', 'refund_returned', 'refund_overdue', 'message_dead', 'break_found')),
      add constraint admin_tasks_subject_type_check check (subject_type in ('sale', 'provider_event', 'break'));

    -- Payments that were set aside for an administrator, and disputes whose end was never posted: asked about once more.
    insert into breaks (kind, subject, sale_id, provider_account_id, detail, freezes, created_at)
      select 'payment_mismatch', s.id::text, s.id, s.provider_account_id, coalesce(s.failure_reason, ''), true, s.frozen_at
      from property_sales s
      where s.frozen_at is not null and s.stripe_payment_status in ('pending', 'processing', 'failed');
    alter table property_sales disable trigger user;
    update property_sales s set frozen_at = null where s.frozen_at is not null
      and not exists (select from disputes d where d.sale_id = s.id and d.kind = 'chargeback' and d.status = 'open')
      and not exists (select from breaks b where b.sale_id = s.id);
    update property_sales s set next_ask_at = now() where s.provider_session_id is not null and (
      exists (select from breaks b where b.sale_id = s.id)
      or exists (select from disputes d where d.sale_id = s.id and d.status <> 'open' and d.withdrawn_cents > 0)
      or exists (select from refunds r where r.sale_id = s.id and r.status = 'succeeded'));
    alter table property_sales enable trigger user;
  `.execute(db);
}
