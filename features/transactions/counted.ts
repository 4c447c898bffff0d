import { type RawBuilder, sql } from 'kysely';
import { sellerDueCents } from '#features/ledger/rules.ts';
import { startOfDay } from '#features/reports/rules.ts';
import { DAY } from '#platform/durations.ts';
import type { CountedAmounts, TransactionFilters } from './model.ts';

/** Days in a time zone as the ends of an interval, from the first one included to the last one not; null where it is open. */
interface Interval {
  from: Date | null;
  to: Date | null;
}

const dayAfter = (day: string): string => new Date(Date.parse(day) + DAY).toISOString().slice(0, 10);

/** The interval of the days that a list is narrowed to. */
export const intervalOf = ({
  from,
  to,
  zone,
}: Pick<TransactionFilters, 'from' | 'to' | 'zone'>): Interval => ({
  from: from ? startOfDay(from, zone || 'UTC') : null,
  to: to ? startOfDay(dayAfter(to), zone || 'UTC') : null,
});

/** The interval whose money a list counts: that of a report; null for any other list, and for all time. */
export function countedInterval(
  filters: Pick<TransactionFilters, 'from' | 'to' | 'zone' | 'paid'>,
): Interval | null {
  const interval = intervalOf(filters);
  return filters.paid && (interval.from || interval.to) ? interval : null;
}

const within = (at: RawBuilder<unknown>, { from, to }: Interval): RawBuilder<unknown> =>
  sql`${from ? sql`${at} >= ${from}` : sql`true`} and ${to ? sql`${at} < ${to}` : sql`true`}`;

const BASE = sql`('escrow_held', 'seller_payable', 'seller_receivable', 'platform_revenue')`;
const FEES = sql`('fees_held', 'fee_revenue')`;

/** What an entry `e` of a sale adds to what is left of its price and of its buyer's fees: `base` and `fees`, in cents. */
const changes = sql`select coalesce(-sum(p.amount_cents) filter (where p.account in ${BASE}), 0) as base,
    coalesce(-sum(p.amount_cents) filter (where p.account in ${FEES}), 0) as fees
  from ledger_postings p where p.entry_id = e.id`;

/**
 * The condition on `property_sales s` that the reports of an interval count money of it: it was paid then, or refunds and
 * chargebacks of it settled then. The latter as a list, so that both are looked up in an index each.
 */
export function countedIn(saleDate: RawBuilder<unknown>, interval: Interval): RawBuilder<unknown> {
  const paid = sql`s.sale_date is not null and ${within(saleDate, interval)}`;
  if (!interval.from) return paid;
  return sql`((${paid}) or s.id = any(array(select e.sale_id from ledger_entries e cross join lateral (${changes}) change
    where e.kind in ('L4', 'L5') and ${within(sql`e.created_at`, interval)} and (change.base <> 0 or change.fees <> 0))))`;
}

/** What the ledger has of a sale's price and its buyer's fees before an interval and at its end, in cents. */
export interface Counted {
  base_before: number;
  base_after: number;
  fees_before: number;
  fees_after: number;
  agreed_commission: number;
  seller_fees: number;
}

/** The columns of `Counted` for `property_sales s`, by a lateral join of this as `counted`. */
export function countedColumns({ from, to }: Interval): RawBuilder<unknown> {
  const before = from ? sql`e.created_at < ${from}` : sql`false`;
  return sql`select coalesce(sum(change.base) filter (where ${before}), 0)::bigint as base_before,
      coalesce(sum(change.base), 0)::bigint as base_after,
      coalesce(sum(change.fees) filter (where ${before}), 0)::bigint as fees_before,
      coalesce(sum(change.fees), 0)::bigint as fees_after
    from ledger_entries e cross join lateral (${changes}) change
    where e.sale_id = s.id and e.kind not in ('L3', 'L7') and ${to ? sql`e.created_at < ${to}` : sql`true`}`;
}

/** What the reports of the interval count of a sale: payments less what went back, split as they do. */
export function countedAmounts(price: number, row: Counted): CountedAmounts {
  const after = amountsLeft(price, row, [row.base_after, row.fees_after]);
  const before = amountsLeft(price, row, [row.base_before, row.fees_before]);
  return {
    priceCents: after.priceCents - before.priceCents,
    commissionCents: after.commissionCents - before.commissionCents,
    feesCents: after.feesCents - before.feesCents,
  };
}

function amountsLeft(
  basePriceCents: number,
  { agreed_commission: agentCommissionCents, seller_fees: sellerFeesCents }: Counted,
  [base, fees]: [number, number],
): CountedAmounts {
  const share = sellerDueCents(
    { basePriceCents, agentCommissionCents, sellerFeesCents: 0, buyerFeesCents: 0 },
    base,
  );
  return { priceCents: base, commissionCents: share, feesCents: fees + Math.min(share, sellerFeesCents) };
}
