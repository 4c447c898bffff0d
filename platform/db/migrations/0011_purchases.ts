import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/**
 * Additions for purchases: receipt numbers, costs, who requested a cancellation, the queue of provider events, and triggers
 * that make financial records immutable.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create sequence receipt_numbers;
    alter table property_sales
      add column receipt_number bigint unique,
      add column provider_fee_cents bigint check (provider_fee_cents >= 0),
      add column provider_receipt_url text,
      add column cancellation_requested_by text check (cancellation_requested_by in ('buyer', 'seller', 'admin')),
      add column asked_at timestamptz,
      add check ((cancellation_requested_at is null) = (cancellation_requested_by is null)) not valid;
    update property_sales set cancellation_requested_by = 'buyer' where cancellation_requested_at is not null;
    update property_sales set receipt_number = nextval('receipt_numbers') where sale_date is not null;
    alter table property_sales add check (sale_date is null or receipt_number is not null) not valid;
    -- For the periodic jobs: expired checkouts, escrow that is due, sales to check with the provider.
    create index property_sales_due on property_sales (release_due_at) where escrow_status = 'in_escrow';
    create index property_sales_ask on property_sales (asked_at nulls first, id)
      where provider_session_id is not null;

    -- A reported problem and a provider's dispute may be open at the same time.
    drop index disputes_one_open;
    create unique index disputes_one_problem on disputes (sale_id) where status = 'open' and provider_ref is null;
    create index disputes_sale on disputes (sale_id);

    alter table provider_events
      add column ref text,
      add column payment_ref text,
      add column next_attempt_at timestamptz not null default now();
    drop index provider_events_open;
    create index provider_events_open on provider_events (next_attempt_at, id) where status = 'received';
    create index provider_events_newest on provider_events (provider, received_at desc);

    -- The price, the shares and the parties of a sale are fixed when it is created.
    create function sale_terms_fixed() returns trigger language plpgsql as $$
    begin
      if (new.property_id, new.buyer_id, new.agent_id, new.sale_price_cents, new.buyer_fees_cents, new.seller_fees_cents,
          new.admin_percentage, new.agent_commission_cents, new.payment_method, new.provider, new.livemode)
         is distinct from
         (old.property_id, old.buyer_id, old.agent_id, old.sale_price_cents, old.buyer_fees_cents, old.seller_fees_cents,
          old.admin_percentage, old.agent_commission_cents, old.payment_method, old.provider, old.livemode) then
        raise exception 'the terms of sale % are fixed', old.id using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger property_sales_terms before update on property_sales
      for each row execute function sale_terms_fixed();
    create trigger property_sales_kept before delete on property_sales
      for each row execute function forbid_change();

    -- The reference to the fee may be cleared when the fee is deleted; the charged amount may not change.
    create function transaction_fees_fixed() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' or (new.id, new.sale_id, new.name, new.fee_type, new.percent, new.applies_to, new.amount_applied_cents)
         is distinct from (old.id, old.sale_id, old.name, old.fee_type, old.percent, old.applies_to, old.amount_applied_cents) then
        raise exception 'transaction_fees rows are never changed' using errcode = 'restrict_violation';
      end if;
      return new;
    end $$;
    create trigger transaction_fees_fixed before update or delete on transaction_fees
      for each row execute function transaction_fees_fixed();

    create function forbid_truncate() returns trigger language plpgsql as $$
    begin raise exception '% is never emptied', tg_table_name using errcode = 'restrict_violation'; end $$;
    create trigger ledger_entries_kept before truncate on ledger_entries execute function forbid_truncate();
    create trigger ledger_postings_kept before truncate on ledger_postings execute function forbid_truncate();
    create trigger sale_events_kept before truncate on sale_events execute function forbid_truncate();
    create trigger property_sales_not_emptied before truncate on property_sales execute function forbid_truncate();
    create trigger transaction_fees_not_emptied before truncate on transaction_fees execute function forbid_truncate();
    create trigger audit_log_kept before truncate on audit_log execute function forbid_truncate();

    -- The balance held for a sale never falls below zero (R4). Credits are negative, so an overdraft is a positive sum.
    create function ledger_held() returns trigger language plpgsql as $$
    declare sale uuid;
    begin
      select sale_id into sale from ledger_entries where id = new.entry_id;
      if coalesce((select sum(p.amount_cents) from ledger_postings p join ledger_entries e on e.id = p.entry_id
                   where e.sale_id = sale and p.account = new.account), 0) > 0 then
        raise exception 'more than is held leaves % of sale %', new.account, sale using errcode = 'check_violation';
      end if;
      return null;
    end $$;
    create constraint trigger ledger_postings_held after insert on ledger_postings
      deferrable initially deferred for each row when (new.account in ('escrow_held', 'fees_held') and new.amount_cents > 0)
      execute function ledger_held();
  `.execute(db);
}
