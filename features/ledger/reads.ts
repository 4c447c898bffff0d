import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { type Finding, LIVE_SALE } from './model.ts';
import { mayReadLedger } from './rules.ts';

/** What must hold in the ledger at any time, each as a query for violations (R4). Credits are negative cents. */
const invariants: { check: string; query: string }[] = [
  {
    check: 'every entry balances and has at least two postings',
    query: `select 'entry ' || e.id as subject, coalesce(sum(p.amount_cents), 0) || ' cents in ' || count(p.id) || ' postings' as detail
      from ledger_entries e left join ledger_postings p on p.entry_id = e.id
      group by e.id having coalesce(sum(p.amount_cents), 0) <> 0 or count(p.id) < 2`,
  },
  {
    check: 'what is held for a sale is what its state says',
    query: `select 'sale ' || s.id as subject,
        'escrow ' || coalesce(b.escrow, 0) || ' of ' || w.escrow || ', fees ' || coalesce(b.fees, 0) || ' of ' || w.fees as detail
      from property_sales s
      cross join lateral (select
        case when s.held then -s.sale_price_cents else 0 end as escrow,
        case when s.held then -s.buyer_fees_cents else 0 end as fees) w
      left join sale_balances b on b.sale_id = s.id
      where coalesce(b.escrow, 0) <> w.escrow or coalesce(b.fees, 0) <> w.fees`,
  },
  {
    check: 'nothing is held below zero',
    query: `select 'sale ' || sale_id as subject, 'escrow ' || escrow || ', fees ' || fees as detail
      from sale_balances where escrow > 0 or fees > 0`,
  },
  {
    check: 'a paid sale was posted once, an unpaid one never',
    query: `select 'sale ' || s.id as subject, count(e.id) || ' L1 entries' as detail
      from property_sales s left join ledger_entries e on e.sale_id = s.id and e.idempotency_key = 'paid:' || s.id
      group by s.id, s.sale_date having count(e.id) <> (s.sale_date is not null)::int`,
  },
  {
    check: 'a released sale was posted once, another one never',
    query: `select 'sale ' || s.id as subject, count(e.id) || ' L2 entries' as detail
      from property_sales s left join ledger_entries e on e.sale_id = s.id and e.kind = 'L2'
      group by s.id, s.escrow_status having count(e.id) <> (s.escrow_status = 'completed')::int`,
  },
  {
    check: 'sellers are owed what their unpaid sales say',
    query: `select 'seller ' || s.agent_id as subject, 'owed ' || -coalesce(sum(b.payable), 0) || ' of '
        || coalesce(sum(w.share), 0) as detail
      from property_sales s
      cross join lateral (select case when s.payout_status in ('pending', 'failed')
        then s.agent_commission_cents - s.seller_fees_cents else 0 end as share) w
      left join sale_balances b on b.sale_id = s.id
      group by s.agent_id having -coalesce(sum(b.payable), 0) <> coalesce(sum(w.share), 0)`,
  },
  {
    check: 'payouts in transit are those that run',
    query: `select 'sale ' || s.id as subject, 'in transit ' || -coalesce(b.transit, 0) || ' of ' || coalesce(p.running, 0) as detail
      from property_sales s
      left join sale_balances b on b.sale_id = s.id
      left join (select sale_id, sum(amount_cents) as running from payouts where status = 'processing' group by sale_id) p
        on p.sale_id = s.id
      where -coalesce(b.transit, 0) <> coalesce(p.running, 0)`,
  },
  {
    check: 'the fees of a sale add up to its totals',
    query: `select 'sale ' || s.id as subject, 'buyer ' || coalesce(f.buyer, 0) || ' of ' || s.buyer_fees_cents
        || ', seller ' || coalesce(f.seller, 0) || ' of ' || s.seller_fees_cents as detail
      from property_sales s left join (select sale_id,
          sum(amount_applied_cents) filter (where applies_to = 'buyer') as buyer,
          sum(amount_applied_cents) filter (where applies_to = 'seller') as seller
        from transaction_fees group by sale_id) f on f.sale_id = s.id
      where coalesce(f.buyer, 0) <> s.buyer_fees_cents or coalesce(f.seller, 0) <> s.seller_fees_cents`,
  },
  {
    check: 'a refunded sale has given back what was paid',
    query: `select 'sale ' || s.id as subject, 'refunded ' || coalesce(r.back, 0) || ' of ' || s.total_cents as detail
      from property_sales s
      left join (select sale_id, sum(amount_cents) as back from refunds where status = 'succeeded' group by sale_id) r
        on r.sale_id = s.id
      where s.stripe_payment_status = 'refunded' and coalesce(r.back, 0) <> s.total_cents
        and not exists (select from disputes d where d.sale_id = s.id and d.status = 'lost')`,
  },
  {
    check: 'a property is sold once',
    query: `select 'property ' || property_id as subject, count(*) || ' live sales' as detail from property_sales
      where ${LIVE_SALE}
      group by property_id having count(*) > 1`,
  },
  {
    check: 'a property in escrow or sold by a sale says so',
    query: `select 'property ' || p.id as subject, p.status || ', sale ' || s.escrow_status as detail
      from property_sales s join properties p on p.id = s.property_id
      where (s.escrow_status = 'in_escrow' and p.status <> 'escrow') or (s.escrow_status = 'completed' and p.status not in ('Sold', 'Active'))`,
  },
];

const BALANCES = `sale_balances as (
    select e.sale_id,
      coalesce(sum(p.amount_cents) filter (where p.account = 'escrow_held'), 0) as escrow,
      coalesce(sum(p.amount_cents) filter (where p.account = 'fees_held'), 0) as fees,
      coalesce(sum(p.amount_cents) filter (where p.account = 'seller_payable'), 0) as payable,
      coalesce(sum(p.amount_cents) filter (where p.account = 'payout_in_transit'), 0) as transit
    from ledger_entries e join ledger_postings p on p.entry_id = e.id group by e.sale_id),
  -- Money stays held from its payment until it is released, given back or lost.
  property_sales as (
    select s.*, s.sale_date is not null and s.escrow_status <> 'completed' and s.stripe_payment_status <> 'refunded' as held
    from public.property_sales s)`;

/** Findings reported per check at most. */
const MAX_FINDINGS_PER_CHECK = 100;

/** The names of all checks. */
export const ledgerChecks = (): string[] => invariants.map(({ check }) => check);

/**
 * Runs all checks on one snapshot of the ledger; an empty list means it is consistent (R4). Reads the whole ledger.
 * @throws Unauthenticated, Forbidden for everyone but administrators and the command line
 */
export async function checkLedger(ctx: Ctx): Promise<Finding[]> {
  authorize(ctx, mayReadLedger);
  const checks = invariants.map(
    ({ query }, at) =>
      sql`(select ${at}::int as at, subject, detail from (${sql.raw(query)}) found limit ${MAX_FINDINGS_PER_CHECK})`,
  );
  // A single statement, so that all checks see the same snapshot.
  const { rows } = await sql<{ at: number; subject: string; detail: string }>`
    with ${sql.raw(BALANCES)} ${sql.join(checks, sql` union all `)} order by at, subject`.execute(ctx.db.q());
  return rows.map(({ at, subject, detail }) => ({ check: invariants[at]?.check ?? '', subject, detail }));
}
