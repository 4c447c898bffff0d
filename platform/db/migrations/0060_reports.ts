import type { Kysely, QueryExecutorProvider } from 'kysely';
import { sql } from 'kysely';

/**
 * Sums for the reports. What counts is written down by triggers as an event, in the transaction of the fact; a job folds events
 * into the sums, each once. A read adds both, so it is exact at any moment.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await tables(db);
  await moneyTriggers(db);
  await interestTriggers(db);
  await fillReportEvents(db);
  await sql`insert into report_market
    select kind, term, count(*), now() from (
      select 'type' as kind, type_id::text as term from properties where is_public and type_id is not null
      union all select 'price', report_band(price_cents)::text from properties where is_public) listed
    group by kind, term`.execute(db);
}

async function tables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table report_events (
      id bigint primary key generated always as identity,
      metric text not null,
      at timestamptz not null,
      -- Cents, seconds, or a number of events.
      value bigint not null,
      property_id uuid,
      -- Of a view: the price band of the property then, and a hash of the viewer that changes every day.
      band smallint,
      viewer bigint,
      -- Of a search: the words, or the id of the type, or the price band at which what it asked for begins or has ended.
      term text,
      -- Of a search: how many listings it found.
      results integer
    );
    create index report_events_property on report_events (property_id) where property_id is not null;

    -- What each UTC day has of a metric up to the end of each quarter of an hour: clocks everywhere differ from UTC by whole ones.
    create table report_days (
      metric text not null,
      day date not null,
      upto bigint[] not null check (cardinality(upto) = 96),
      total bigint not null generated always as (upto[96]) stored,
      primary key (metric, day) include (total)
    );

    -- The different viewers of a UTC day, as long as views of it may still come.
    create table report_viewers (
      day date not null,
      viewer bigint not null,
      primary key (day, viewer)
    );

    -- What listings got, by UTC day. Without a reference to them, which would have purchases wait for the job that writes here.
    create table listing_days (
      property_id uuid not null,
      day date not null,
      views integer not null,
      watches integer not null,
      inquiries integer not null,
      primary key (property_id, day)
    );

    -- What was searched for, by UTC day and month. Of prices the differences from each band to the next.
    create table report_terms (
      kind text not null check (kind in ('words', 'type', 'price')),
      span text not null check (span in ('day', 'month')),
      start date not null,
      term text not null,
      searches bigint not null,
      empty bigint not null,
      -- Of the latest search.
      results integer,
      at timestamptz not null,
      primary key (kind, span, start, term)
    );
    create index report_terms_by_start on report_terms (span, start);

    -- How many listings of each type and price band are on the market, counted by a job.
    create table report_market (
      kind text not null check (kind in ('type', 'price')),
      term text not null,
      listings integer not null,
      counted_at timestamptz not null,
      primary key (kind, term)
    );

    create index property_sales_owed on property_sales (sale_date) include (payout_status, share_left_cents, seller_fees_cents)
      where payout_status in ('pending', 'processing', 'failed');
  `.execute(db);
}

async function moneyTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What a sale adds to the reports, in cents, as the ledger has it: what is left of the payment, and whose it is.
    create function report_contribution(s property_sales) returns table (metric text, value bigint)
      language sql immutable as $$
      select unnest(array['revenue', 'commissions', 'admin_fees', 'service_fees', 'sales']),
        unnest(array[base, share, base - share, fees + least(share, s.seller_fees_cents), (base > 0)::int])
      from (select base, fees, floor((2::numeric * base * s.agent_commission_cents + s.sale_price_cents)
          / (2::numeric * s.sale_price_cents))::bigint as share
        from (select s.sale_price_cents - s.returned_base_cents as base, s.buyer_fees_cents - s.returned_fees_cents as fees) part
        ) shares
      where s.sale_date is not null
    $$;

    create function report_sale() returns trigger language plpgsql as $$
    declare
      happened timestamptz := new.sale_date;
    begin
      if tg_op = 'INSERT' then
        insert into report_events (metric, at, value, property_id) values ('checkouts', new.created_at, 1, new.property_id);
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
    create trigger property_sales_report_insert after insert on property_sales
      for each row execute function report_sale();
    create trigger property_sales_report_update after update on property_sales for each row
      when (old.sale_date is distinct from new.sale_date or old.returned_base_cents <> new.returned_base_cents
        or old.returned_fees_cents <> new.returned_fees_cents)
      execute function report_sale();
  `.execute(db);
}

async function interestTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function report_viewer(viewer text, at timestamptz) returns bigint language sql stable as $$
      select hashtextextended(viewer, extract(epoch from date_trunc('day', at, 'UTC'))::bigint)
    $$;
    create function report_band(cents bigint) returns smallint language sql immutable as $$
      select least(20, cents / 10000000)::smallint
    $$;

    create function report_views() returns trigger language plpgsql as $$
    begin
      insert into report_events (metric, at, value, property_id, band, viewer)
        select 'views', v.viewed_at, 1, v.property_id, report_band(p.price_cents), report_viewer(v.viewer, v.viewed_at)
        from added v join properties p on p.id = v.property_id;
      return null;
    end $$;
    create trigger property_view_events_report after insert on property_view_events
      referencing new table as added for each statement execute function report_views();

    -- A watch that is taken back was none.
    create function report_watches() returns trigger language plpgsql as $$
    begin
      insert into report_events (metric, at, value, property_id)
        select 'watches', created_at, case tg_op when 'INSERT' then 1 else -1 end, property_id from changed;
      return null;
    end $$;
    create trigger property_watches_report_insert after insert on property_watches
      referencing new table as changed for each statement execute function report_watches();
    create trigger property_watches_report_delete after delete on property_watches
      referencing old table as changed for each statement execute function report_watches();

    create function report_inquiry() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into report_events (metric, at, value, property_id) values ('inquiries', new.created_at, 1, new.property_id);
      elsif old.first_reply_at is not null then
        insert into report_events (metric, at, value) values ('replies', old.first_reply_at, -1),
          ('reply_seconds', old.first_reply_at, -greatest(0, floor(extract(epoch from old.first_reply_at - old.created_at))));
      end if;
      if new.first_reply_at is not null then
        insert into report_events (metric, at, value) values ('replies', new.first_reply_at, 1),
          ('reply_seconds', new.first_reply_at, greatest(0, floor(extract(epoch from new.first_reply_at - new.created_at))));
      end if;
      return null;
    end $$;
    create trigger property_inquiries_report_insert after insert on property_inquiries
      for each row execute function report_inquiry();
    create trigger property_inquiries_report_update after update of first_reply_at on property_inquiries for each row
      when (old.first_reply_at is distinct from new.first_reply_at) execute function report_inquiry();

    create function report_profile() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' and old.role = 'buyer' then
        insert into report_events (metric, at, value) values ('buyers', old.created_at, -1);
      end if;
      if new.role = 'buyer' then
        insert into report_events (metric, at, value) values ('buyers', new.created_at, 1);
      end if;
      return null;
    end $$;
    create trigger profiles_report_insert after insert on profiles for each row execute function report_profile();
    create trigger profiles_report_update after update on profiles for each row
      when (old.role is distinct from new.role or old.created_at <> new.created_at) execute function report_profile();

    -- The events of one search: itself, its words, its type, and where the prices that it asks for begin and end.
    create function report_search(query text, filters jsonb, results integer)
      returns table (metric text, value bigint, term text, found integer) language sql immutable as $$
      select * from (values
        ('searches', 1::bigint, null::text, null::integer),
        ('empty_searches', (report_search.results is not distinct from 0)::int::bigint, null, null),
        ('words', 1, nullif(lower(regexp_replace(btrim(query), '\\s+', ' ', 'g')), ''), report_search.results),
        ('type', 1, filters ->> 'typeId', report_search.results),
        ('price', 1, case when filters ? 'minCents' or filters ? 'maxCents'
          then report_band(coalesce((filters ->> 'minCents')::bigint, 0))::text end, report_search.results),
        ('price', -1, case when filters ? 'maxCents'
          then (1 + report_band(greatest((filters ->> 'maxCents')::bigint - 1,
            coalesce((filters ->> 'minCents')::bigint, 0), 0)))::text end, null)
        ) as events (metric, value, term, found)
      where case when metric = 'empty_searches' then value = 1 else metric = 'searches' or term is not null end
    $$;
    create function report_searches() returns trigger language plpgsql as $$
    begin
      insert into report_events (metric, at, value, term, results)
        select s.metric, e.created_at, s.value, s.term, s.found from added e, report_search(e.query, e.filters, e.results) s;
      return null;
    end $$;
    create trigger search_events_report after insert on search_events
      referencing new table as added for each statement execute function report_searches();
  `.execute(db);
}

/**
 * Writes the events of everything that has happened so far, by time, so that what is folded together is of few days. Money from the ledger: what each of a sale's
 * entries has left of the payment, and what that changes.
 */
export async function fillReportEvents(db: QueryExecutorProvider): Promise<void> {
  await sql`
    insert into report_events (metric, at, value)
    with entries as (
      select e.id, e.sale_id, e.created_at as at,
        coalesce(-sum(p.amount_cents) filter (where p.account not in ('fees_held', 'fee_revenue')), 0) as base,
        coalesce(-sum(p.amount_cents) filter (where p.account in ('fees_held', 'fee_revenue')), 0) as fees
      from ledger_entries e join ledger_postings p on p.entry_id = e.id
      where e.sale_id is not null and e.kind not in ('L3', 'L7') and p.account in ('escrow_held', 'seller_payable',
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
      select at, metric, value - coalesce(lag(value) over (partition by sale_id, metric order by id), 0) as value from amounts)
    select metric, at, value from changes where value <> 0 order by at;

    insert into report_events (metric, at, value, property_id) select 'checkouts', created_at, 1, property_id from property_sales
      order by 2;
    insert into report_events (metric, at, value, property_id, band, viewer)
      select 'views', v.viewed_at, 1, v.property_id, report_band(p.price_cents), report_viewer(v.viewer, v.viewed_at)
      from property_view_events v join properties p on p.id = v.property_id order by 2;
    insert into report_events (metric, at, value, property_id) select 'watches', created_at, 1, property_id from property_watches
      order by 2;
    insert into report_events (metric, at, value, property_id) select 'inquiries', created_at, 1, property_id from property_inquiries
      order by 2;
    insert into report_events (metric, at, value)
      select c.metric, i.first_reply_at, c.value from property_inquiries i, lateral (values ('replies', 1),
        ('reply_seconds', greatest(0, floor(extract(epoch from i.first_reply_at - i.created_at))))) c (metric, value)
      where i.first_reply_at is not null order by 2;
    insert into report_events (metric, at, value) select 'buyers', created_at, 1 from profiles where role = 'buyer' order by 2;
    insert into report_events (metric, at, value, term, results)
      select s.metric, e.created_at, s.value, s.term, s.found from search_events e, report_search(e.query, e.filters, e.results) s
      order by 2;
  `.execute(db);
}
