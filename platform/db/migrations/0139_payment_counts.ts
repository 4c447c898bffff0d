import type { Kysely, QueryExecutorProvider } from 'kysely';
import { sql } from 'kysely';

/**
 * The reports count payments, and the prices paid by them, beside what is left of both: an average of what is left can be more
 * than any sale, or nothing although there were sales.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function report_contribution(s property_sales) returns table (metric text, value bigint)
      language sql immutable as $$
      select report_mode(s) || unnest(array['revenue', 'commissions', 'admin_fees', 'service_fees', 'sales', 'payments', 'paid']),
        unnest(array[base, share, base - share, fees + least(share, s.seller_fees_cents), (base > 0)::int, 1, s.sale_price_cents])
      from (select base, fees, floor((2::numeric * base * s.agent_commission_cents + s.sale_price_cents)
          / (2::numeric * s.sale_price_cents))::bigint as share
        from (select s.sale_price_cents - s.returned_base_cents as base, s.buyer_fees_cents - s.returned_fees_cents as fees) part
        ) shares
      where s.sale_date is not null
    $$;
  `.execute(db);
  await fillPaymentEvents(db);
}

/** Writes the events of all payments so far. */
export async function fillPaymentEvents(db: QueryExecutorProvider): Promise<void> {
  await sql`
    insert into report_events (metric, at, value)
    select report_mode(s) || c.metric, s.sale_date, c.value
    from property_sales s, lateral (values ('payments', 1), ('paid', s.sale_price_cents)) c (metric, value)
    where s.sale_date is not null order by s.sale_date`.execute(db);
}
