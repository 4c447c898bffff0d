import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The reports count what was paid with test keys under names of its own, so that it can be left out of the figures. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop index property_sales_owed;
    create index property_sales_owed on property_sales (sale_date)
      include (payout_status, share_left_cents, seller_fees_cents, livemode)
      where payout_status in ('pending', 'processing', 'failed');

    create function report_mode(s property_sales) returns text language sql immutable as $$
      select case when s.livemode then '' else 'test_' end
    $$;
    create or replace function report_contribution(s property_sales) returns table (metric text, value bigint)
      language sql immutable as $$
      select report_mode(s) || unnest(array['revenue', 'commissions', 'admin_fees', 'service_fees', 'sales']),
        unnest(array[base, share, base - share, fees + least(share, s.seller_fees_cents), (base > 0)::int])
      from (select base, fees, floor((2::numeric * base * s.agent_commission_cents + s.sale_price_cents)
          / (2::numeric * s.sale_price_cents))::bigint as share
        from (select s.sale_price_cents - s.returned_base_cents as base, s.buyer_fees_cents - s.returned_fees_cents as fees) part
        ) shares
      where s.sale_date is not null
    $$;
    create or replace function report_sale() returns trigger language plpgsql as $$
    declare
      happened timestamptz := new.sale_date;
    begin
      if tg_op = 'INSERT' then
        insert into report_events (metric, at, value, property_id)
          values (report_mode(new) || 'checkouts', new.created_at, 1, new.property_id);
        insert into report_events (metric, at, value) select c.metric, happened, c.value from report_contribution(new) c
          where c.value <> 0;
        return null;
      end if;
      -- What comes after the payment has an entry in the ledger of the same transaction, which says when it was.
      if old.sale_date is not null then
        select e.created_at into happened from ledger_entries e
          where e.sale_id = new.id and e.kind not in ('L3', 'L7') order by e.id desc limit 1;
        happened := coalesce(happened, new.updated_at);
      end if;
      insert into report_events (metric, at, value)
        select metric, happened, sum(value) from (select * from report_contribution(new)
          union all select metric, -value from report_contribution(old)) changes
        group by metric having sum(value) <> 0;
      return null;
    end $$;

    -- What was counted so far, as the ledger has it, is taken from one name and added to the other.
    insert into report_events (metric, at, value)
    with entries as (
      select e.id, e.sale_id, e.created_at as at,
        coalesce(-sum(p.amount_cents) filter (where p.account not in ('fees_held', 'fee_revenue')), 0) as base,
        coalesce(-sum(p.amount_cents) filter (where p.account in ('fees_held', 'fee_revenue')), 0) as fees
      from property_sales s join ledger_entries e on e.sale_id = s.id join ledger_postings p on p.entry_id = e.id
      where not s.livemode and e.kind not in ('L3', 'L7') and p.account in ('escrow_held', 'seller_payable',
        'seller_receivable', 'platform_revenue', 'fees_held', 'fee_revenue')
      group by e.id),
    balances as (
      select id, sale_id, at, sum(base) over w as base, sum(fees) over w as fees from entries
      window w as (partition by sale_id order by id)),
    steps as (
      select b.*, s.seller_fees_cents, floor((2::numeric * b.base * s.agent_commission_cents + s.sale_price_cents)
        / (2::numeric * s.sale_price_cents)) as share
      from balances b join property_sales s on s.id = b.sale_id),
    amounts as (
      select s.id, s.sale_id, s.at, c.metric, c.value from steps s, lateral (values ('revenue', base), ('commissions', share),
        ('admin_fees', base - share), ('service_fees', fees + least(share, seller_fees_cents)),
        ('sales', (base > 0)::int)) c (metric, value)),
    changes as (
      select at, metric, value - coalesce(lag(value) over (partition by sale_id, metric order by id), 0) as value from amounts
      union all select created_at, 'checkouts', 1 from property_sales where not livemode)
    select name.metric, c.at, name.value from changes c,
      lateral (values (c.metric, -c.value), ('test_' || c.metric, c.value)) name (metric, value)
    where c.value <> 0 order by c.at;
  `.execute(db);
}
