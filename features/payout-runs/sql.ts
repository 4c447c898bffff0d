import { type RawBuilder, sql } from 'kysely';
import type { HoldDays } from '#features/payouts/payout-hold.ts';
import { contestedSales, shareLeft } from '#features/sales/sql.ts';
import { DAY } from '#platform/durations.ts';

/** What the SQL below needs to know: the setting and the time. */
export interface PayableAt {
  days: HoldDays;
  now: Date;
}

/** SQL: the sales of which a refund is on its way to the buyer. */
const refundedSales = sql`select r.sale_id from refunds r where r.status = 'pending'`;

/** SQL: when the risk hold of the sale `s` ends, as `payoutHoldUntil` says. */
export const riskHoldUntil = ({
  days,
}: PayableAt): RawBuilder<Date> => sql<Date>`(s.released_at + make_interval(hours => 24 *
  case s.paid_with when 'card' then ${days.card}::integer when 'bank' then ${days.bank}::integer
    when 'chain' then ${days.chain}::integer when 'transfer' then ${days.chain}::integer
    else ${Math.max(days.card, days.bank, days.chain)}::integer end))`;

/** Before when a sale must have been released to be payable, whatever it was paid with: the part of the risk hold that an index finds. */
const releasedBefore = ({ days, now }: PayableAt): Date =>
  new Date(now.getTime() - Math.min(days.card, days.bank, days.chain) * DAY);

/** SQL: whether the payout of the sale `s` is pending and nothing holds it. */
export const isPayable = (at: PayableAt): RawBuilder<boolean> => sql<boolean>`(
  s.payout_status = 'pending' and s.escrow_status = 'completed' and s.frozen_at is null
  and s.released_at <= ${releasedBefore(at)} and ${riskHoldUntil(at)} <= ${at.now}
  and s.id not in (${contestedSales}) and s.id not in (${refundedSales})
  and s.agent_id not in (select id from agents where status = 'suspended' and archived_at is null
    union all select id from agents where payout_hold_until > ${at.now} and archived_at is null))`;

/**
 * SQL: why the payout by hand `o` of the sale `s` to the seller `a`, which was started before, should not be made now. Once its bank reference is known
 * the money has left.
 */
export const withheldBecause = sql<string | null>`(case
  when o.status <> 'processing' or o.bank_reference is not null then null
  when s.frozen_at is not null then 'frozen'
  when s.id in (${contestedSales}) then 'disputed'
  when s.id in (${refundedSales}) then 'refund_running'
  when a.status = 'suspended' and a.archived_at is null then 'suspended'
  -- As sending decides: what is being taken back already is not owed any more.
  when (select sum(p.amount_cents) from ledger_entries e join ledger_postings p on p.entry_id = e.id
    where e.sale_id = s.id and p.account = 'seller_receivable')
    > (select coalesce(sum(r.amount_cents), 0) from payout_reversals r
      where r.sale_id = s.id and r.status = 'pending') then 'owes' end)`;

/** SQL: what holds the payout of the sale `s` of the seller `a`; null when nothing does. */
export const heldBecause = (at: PayableAt): RawBuilder<string | null> => sql<string | null>`(case
  when s.escrow_status <> 'completed' or s.released_at is null then 'not_released'
  when s.frozen_at is not null then 'frozen'
  when s.id in (${contestedSales}) then 'disputed'
  when s.id in (${refundedSales}) then 'refund_running'
  when a.status = 'suspended' and a.archived_at is null then 'suspended'
  when ${riskHoldUntil(at)} > ${at.now} then 'risk_hold'
  when a.payout_hold_until > ${at.now} and a.archived_at is null then 'cooling_down' end)`;

/** SQL: how the seller `a` is paid: by hand once archived, else by the method of their choice, if any. */
export const methodOf = sql<
  string | null
>`(case when a.archived_at is not null then 'manual' else a.preferred_payout_method end)`;

/** SQL: what the seller `a` has to do before being paid; null for nothing. */
export const obstacleOf = sql<string | null>`(case
  when a.archived_at is not null then null
  when a.preferred_payout_method is null then 'no_method'
  when a.preferred_payout_method = 'stripe' and a.stripe_account_id is null then 'no_stripe_account'
  when a.preferred_payout_method = 'stripe' and not a.stripe_transfers_active then 'account_inactive'
  when a.preferred_payout_method = 'paypal' and a.paypal_email is null then 'no_paypal_email'
  when a.preferred_payout_method = 'paypal' and a.paypal_confirmed_at is null then 'paypal_unconfirmed' end)`;

/** SQL: what the ledger owes the seller of the sale `s`, in cents. */
export const owedForSale = sql<number>`(select coalesce(-sum(p.amount_cents), 0)::bigint from ledger_entries e
  join ledger_postings p on p.entry_id = e.id where e.sale_id = s.id and p.account = 'seller_payable')`;

/** SQL: the seller's proceeds of the sale `s` as its row says, by which an index sorts. */
export const proceedsOfRow = sql<number>`greatest(0, ${shareLeft} - s.seller_fees_cents)`;

/** SQL: whether the sale `s` is in a run that waits or works. */
export const isInRun = sql<boolean>`exists (select from payout_run_items i where i.sale_id = s.id and i.status = 'waiting')`;

/** SQL: the order in which the sales `s` are paid. */
export const oldestFirst = sql`s.created_at, s.id`;
