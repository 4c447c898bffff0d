import type { Invariant } from './model.ts';

/** Each sale with what its payouts did by their own rows, in cents. */
const PAID = `(select s.id, s.agent_id, s.payout_status, s.refund_runs, s.escrow_status, s.share,
    coalesce(b.payable, 0) as payable, coalesce(b.receivable, 0) as receivable,
    coalesce(b.transit, 0) as transit, coalesce(b.sent, 0) as sent,
    coalesce(o.kept, 0) as kept, coalesce(o.fees, 0) as fees, coalesce(o.running, 0) as running,
    coalesce(o.open, 0) as open, coalesce(o.failed, 0) as failed, coalesce(o.given, 0) as given, coalesce(t.taken, 0) as taken
  from property_sales s
  left join sale_balances b on b.sale_id = s.id
  left join (select p.sale_id, sum(p.paid_cents - p.returned_cents - p.reversed_cents) as kept, sum(p.fee_cents) as fees,
      sum(p.amount_cents - coalesce(i.ended, 0)) filter (where p.status = 'processing') as running,
      count(*) filter (where p.status = 'processing') as open, count(*) filter (where p.status = 'failed') as failed, sum(f.given) as given
    from payouts p
    left join (select payout_id, sum(amount_cents) as ended from payout_items where status <> 'processing' group by payout_id) i
      on i.payout_id = p.id
    left join (select f.payout_id, sum(f.amount_cents) as given from payout_offsets f join payouts g on g.id = f.payout_id
      where f.sale_id <> g.sale_id group by f.payout_id) f on f.payout_id = p.id
    group by p.sale_id) o on o.sale_id = s.id
  left join (select f.sale_id, sum(f.amount_cents) as taken from payout_offsets f join payouts g on g.id = f.payout_id
    where f.sale_id <> g.sale_id group by f.sale_id) t on t.sale_id = s.id) paid`;

/** What must hold about payouts at any time (R4); `sale_balances` and `property_sales` are those of the other checks. */
export const payoutInvariants: readonly Invariant[] = [
  {
    check: 'sellers are owed what they have not been paid, and owe what they were paid too much',
    query: `select 'sale ' || id as subject, 'owed ' || payable || ', owes ' || receivable || ', together ' || payable - receivable
        || ' of ' || due as detail
      from (select *, case when escrow_status = 'completed' then share else 0 end - transit - kept - given + taken as due
        from ${PAID}) settled
      where payable - receivable <> due`,
  },
  {
    check: 'no one is owed or owes less than nothing',
    query: `select 'sale ' || sale_id as subject, 'owed ' || payable || ', owes ' || receivable || ', in transit ' || transit as detail
      from sale_balances where payable < 0 or receivable < 0 or transit < 0`,
  },
  {
    check: 'a seller both is owed and owes for a sale only after a payout that failed',
    query: `select 'sale ' || id as subject, 'owed ' || payable || ', owes ' || receivable as detail
      from ${PAID} where payable > 0 and receivable > 0 and failed = 0`,
  },
  {
    check: 'a released sale says how its payout stands',
    query: `select 'sale ' || id as subject, 'no payout status' as detail
      from ${PAID} where escrow_status = 'completed' and payout_status is null`,
  },
  {
    check: 'a seller who has been paid is owed nothing more',
    query: `select 'sale ' || id as subject, 'owed ' || payable as detail
      from ${PAID} where payout_status = 'completed' and payable <> 0 and not refund_runs`,
  },
  {
    check: 'payouts in transit are those that run',
    query: `select 'sale ' || id as subject, 'in transit ' || transit || ' of ' || running || ', ' || open || ' under way' as detail
      from ${PAID} where transit <> running or open <> (payout_status is not distinct from 'processing')::int`,
  },
  {
    check: 'payouts have sent what their entries say',
    query: `select 'sale ' || id as subject, 'sent ' || sent || ' of ' || kept + fees as detail
      from ${PAID} where sent <> kept + fees`,
  },
  {
    check: 'what is set off between sales of a seller adds up to nothing',
    query: `select 'seller ' || s.agent_id as subject, sum(p.amount_cents) || ' cents' as detail
      from ledger_postings p join ledger_entries e on e.id = p.entry_id join property_sales s on s.id = e.sale_id
      where p.account = 'seller_offsets' group by s.agent_id having sum(p.amount_cents) <> 0`,
  },
];
