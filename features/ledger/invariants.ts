import { type Invariant, LIVE_SALE } from './model.ts';
import { payoutInvariants } from './payout-invariants.ts';

/** Each sale with its balances: credits are negative cents in the ledger, and positive here. */
export const BALANCES = `sale_balances as (
    select e.sale_id,
      -coalesce(sum(p.amount_cents) filter (where p.account = 'escrow_held'), 0) as escrow,
      -coalesce(sum(p.amount_cents) filter (where p.account = 'fees_held'), 0) as fees,
      -coalesce(sum(p.amount_cents) filter (where p.account = 'suspense'), 0) as suspense,
      -coalesce(sum(p.amount_cents) filter (where p.account = 'seller_payable'), 0) as payable,
      coalesce(sum(p.amount_cents) filter (where p.account = 'seller_receivable'), 0) as receivable,
      -coalesce(sum(p.amount_cents) filter (where p.account = 'payout_in_transit'), 0) as transit,
      -coalesce(sum(p.amount_cents) filter (where e.kind = 'L3' and p.account in ('clearing', 'bank', 'provider_clearing')), 0) as sent,
      coalesce(sum(p.amount_cents) filter (where p.account = 'disputed'), 0) as disputed,
      coalesce(sum(p.amount_cents) filter (where p.account = 'provider_clearing'), 0) as closed,
      -coalesce(sum(p.amount_cents) filter (where e.kind not in ('L3', 'L7')
        and p.account in ('escrow_held', 'seller_payable', 'seller_receivable', 'platform_revenue')), 0) as base_left,
      -coalesce(sum(p.amount_cents) filter (where e.kind not in ('L3', 'L7')
        and p.account in ('fees_held', 'fee_revenue')), 0) as fees_left,
      -coalesce(sum(p.amount_cents) filter (where e.kind = 'L4'
        and p.account in ('clearing', 'bank', 'provider_clearing')), 0) as refunded,
      -coalesce(sum(p.amount_cents) filter (where e.kind not in ('L3', 'L7')
        and p.account in ('seller_payable', 'seller_receivable')), 0) as seller_side,
      count(distinct e.id) filter (where e.idempotency_key = 'released:' || e.sale_id) as releases,
      count(distinct e.id) filter (where e.idempotency_key = 'paid:' || e.sale_id) as payments
    from ledger_entries e join ledger_postings p on p.entry_id = e.id where e.sale_id is not null group by e.sale_id),
  -- Facts beside the row: refunds that run, refunds that were carried out, breaks that nobody has settled.
  property_sales as (
    select s.*,
      -- The seller's share of what is left of the price, rounded half up, less the seller's fees.
      greatest(0, floor((2::numeric * (s.sale_price_cents - s.returned_base_cents) * s.agent_commission_cents
        + s.sale_price_cents) / (2::numeric * s.sale_price_cents))::bigint - s.seller_fees_cents) as share,
      exists (select from refunds r where r.sale_id = s.id and r.status = 'pending') as refund_runs,
      exists (select from breaks b where b.sale_id = s.id and b.state <> 'resolved') as has_break,
      s.stripe_payment_status = 'processing'
        and exists (select from sale_tranches t where t.sale_id = s.id) as awaits_rest
    from public.property_sales s)`;

/** What must hold in the ledger at any time (R4). */
export const invariants: readonly Invariant[] = [
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
        case when s.sale_date is null or s.escrow_status = 'completed' then 0
          else s.sale_price_cents - s.returned_base_cents end as escrow,
        case when s.sale_date is null or s.escrow_status = 'completed' then 0
          else s.buyer_fees_cents - s.returned_fees_cents end as fees) w
      left join sale_balances b on b.sale_id = s.id
      where coalesce(b.escrow, 0) <> w.escrow or coalesce(b.fees, 0) <> w.fees`,
  },
  {
    check: 'nothing is held below zero',
    query: `select 'sale ' || sale_id as subject, 'escrow ' || escrow || ', fees ' || fees || ', suspense ' || suspense as detail
      from sale_balances where escrow < 0 or fees < 0 or suspense < 0`,
  },
  {
    check: 'money in suspense waits for the rest, or for someone, or is on its way back',
    query: `select 'sale ' || s.id as subject, 'suspense ' || b.suspense as detail
      from property_sales s join sale_balances b on b.sale_id = s.id
      where b.suspense <> 0 and not s.has_break and not s.refund_runs and not s.awaits_rest`,
  },
  {
    check: 'a paid sale was posted once, an unpaid one never',
    query: `select 'sale ' || s.id as subject, coalesce(b.payments, 0) || ' payments' as detail
      from property_sales s left join sale_balances b on b.sale_id = s.id
      where coalesce(b.payments, 0) <> (s.sale_date is not null)::int`,
  },
  {
    check: 'a released sale was posted once, another one never',
    query: `select 'sale ' || s.id as subject, coalesce(b.releases, 0) || ' releases' as detail
      from property_sales s left join sale_balances b on b.sale_id = s.id
      where case when s.escrow_status = 'completed' and s.returned_base_cents + s.returned_fees_cents < s.total_cents
        then coalesce(b.releases, 0) <> 1
        else coalesce(b.releases, 0) > (s.escrow_status = 'completed')::int end`,
  },
  {
    check: 'the share of a seller is that of what is left of the price',
    query: `select 'sale ' || s.id as subject, 'share ' || coalesce(b.seller_side, 0) || ' of ' || s.share as detail
      from property_sales s left join sale_balances b on b.sale_id = s.id
      where coalesce(b.seller_side, 0) <> case when s.escrow_status = 'completed' then s.share else 0 end`,
  },
  ...payoutInvariants,
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
    check: 'what a sale has returned is what its entries say',
    query: `select 'sale ' || s.id as subject, 'base ' || s.returned_base_cents || ' of ' || w.base
        || ', fees ' || s.returned_fees_cents || ' of ' || w.fees as detail
      from property_sales s
      left join sale_balances b on b.sale_id = s.id
      cross join lateral (select
        case when coalesce(b.payments, 0) = 0 then 0 else s.sale_price_cents - b.base_left end as base,
        case when coalesce(b.payments, 0) = 0 then 0 else s.buyer_fees_cents - b.fees_left end as fees) w
      where s.returned_base_cents <> w.base or s.returned_fees_cents <> w.fees`,
  },
  {
    check: 'every refund that was carried out is posted',
    query: `select 'sale ' || s.id as subject, 'posted ' || coalesce(b.refunded, 0) || ' of ' || coalesce(r.back, 0) as detail
      from property_sales s
      left join sale_balances b on b.sale_id = s.id
      left join (select sale_id, sum(amount_cents) as back from refunds where status = 'succeeded' group by sale_id) r
        on r.sale_id = s.id
      where coalesce(b.refunded, 0) <> coalesce(r.back, 0)`,
  },
  {
    check: 'a refunded sale has given back what was paid',
    query: `select 'sale ' || s.id as subject, 'returned ' || s.returned_base_cents + s.returned_fees_cents
        || ' of ' || s.total_cents || ', suspense ' || coalesce(b.suspense, 0) as detail
      from property_sales s left join sale_balances b on b.sale_id = s.id
      where s.stripe_payment_status = 'refunded' and (coalesce(b.suspense, 0) <> 0
        or (s.sale_date is not null and s.returned_base_cents + s.returned_fees_cents <> s.total_cents))`,
  },
  {
    check: 'disputed money is what open chargebacks have taken',
    query: `select 'sale ' || s.id as subject, 'disputed ' || coalesce(b.disputed, 0) || ' of ' || coalesce(d.taken, 0) as detail
      from property_sales s
      left join sale_balances b on b.sale_id = s.id
      left join (select sale_id, sum(withdrawn_cents) as taken,
          bool_or(withdrawn_cents <> case when kind = 'chargeback' and status = 'open' then amount_cents else 0 end) as wrong
        from disputes where kind <> 'problem' group by sale_id) d on d.sale_id = s.id
      where coalesce(b.disputed, 0) <> coalesce(d.taken, 0) or coalesce(d.wrong, false)`,
  },
  {
    check: 'clearing is posted to the provider account of the sale, or of a payout of it',
    query: `select 'entry ' || e.id as subject, p.amount_cents || ' cents' as detail
      from ledger_entries e join ledger_postings p on p.entry_id = e.id join property_sales s on s.id = e.sale_id
      where p.account = 'clearing' and p.provider_account_id is distinct from s.provider_account_id
        and not (e.kind = 'L3' and exists (select from payouts o
          where o.sale_id = s.id and o.provider_account_id = p.provider_account_id))`,
  },
  {
    check: 'the closed clearing account is empty',
    query: `select 'sale ' || sale_id as subject, closed || ' cents' as detail from sale_balances where closed <> 0`,
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
      where (s.escrow_status = 'in_escrow' and p.status <> 'escrow') or (s.escrow_status = 'completed'
        and s.stripe_payment_status <> 'refunded' and s.property_gone_at is null and p.status <> 'Sold')`,
  },
];
