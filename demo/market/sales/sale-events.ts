import type { Insertable } from 'kysely';
import type { Party, SaleEvent } from '#features/sales/model.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from '../calendar.ts';
import {
  cancelledBy,
  documentsDeliveredDaysAgo,
  payoutReturned,
  payoutSettled,
  payoutStarted,
  refundOf,
  type Sale,
} from './sale.ts';

type Row = Insertable<DB['sale_events']>;
interface State {
  payment: string;
  escrow: string;
  payout: string | null;
}
/** Payout events, which are not part of the sale state machine. */
type PayoutEvent = 'start_payout' | 'complete_payout' | 'fail_payout' | 'return_payout';
type Actor = [role: Party, id: string | null];

/** The event log of a sale, each event with the state before and after it. */
export function saleEventsOf(sale: Sale, adminId: string, calendar: Calendar): Row[] {
  const { id, plan } = sale;
  const rows: Row[] = [];
  let state: State | null = null;
  const step = (
    event: SaleEvent | PayoutEvent,
    daysAgo: number,
    [role, actorId]: Actor,
    change: Partial<State> = {},
    note?: string,
  ) => {
    const after: State = { payment: 'pending', escrow: 'pending', payout: null, ...state, ...change };
    rows.push({
      sale_id: id,
      event,
      actor_id: actorId,
      actor_role: role,
      before: JSON.stringify(state),
      after: JSON.stringify(after),
      note: note ?? null,
      created_at: calendar.ago(daysAgo),
    });
    state = after;
  };
  const { begun, paid, payment, escrow, payout, failure, extra, submitted } = plan;
  const ended = plan.ended ?? 0;
  const buyer: Actor = ['buyer', plan.buyer.id];
  const seller: Actor = ['seller', plan.listing.seller.person?.id ?? null];
  const admin: Actor = ['admin', adminId];
  const system: Actor = ['system', null];

  step('begin', begun, buyer);
  if (submitted) step('submit_payment', begun - 0.005, system, { payment: 'processing' });
  if (plan.endEvent)
    step(
      plan.endEvent,
      ended,
      plan.endEvent === 'cancel_checkout' ? buyer : system,
      { payment: 'failed', escrow: 'cancelled' },
      failure,
    );
  if (paid === null) return rows;
  step('confirm_payment', paid, system, { payment: 'completed', escrow: 'in_escrow' });
  if (payment === 'refunded') {
    if (cancelledBy(plan) === 'admin')
      step('cancel_sale', ended + 0.2, admin, { escrow: 'cancelled' }, failure);
    else {
      step('request_cancellation', ended + 0.9, buyer, {}, failure);
      step('agree_cancellation', ended + 0.2, seller, { escrow: 'cancelled' });
    }
    step('settle_refund', ended, system, { payment: 'refunded' });
  }
  const delivered = documentsDeliveredDaysAgo(plan);
  if (delivered !== null) step('deliver_documents', delivered, seller);
  if (extra === 'disputed')
    step('open_dispute', paid / 4, system, {}, 'The card holder does not know the payment.');
  const refund = refundOf(sale);
  if (extra === 'refunded in part' && refund) {
    step('request_refund', refund.requested, admin, {}, refund.reason);
    step('settle_partial_refund', refund.settled, system, {}, refund.reason);
  }
  if (extra === 'cancellation requested')
    step('request_cancellation', paid / 3, buyer, {}, 'The survey puts the well on the neighbor’s side.');
  if (escrow === 'completed')
    step('confirm_closing', ended, buyer, { escrow: 'completed', payout: 'pending' });
  if (payout && payout !== 'pending')
    step('start_payout', payoutStarted(ended), admin, { payout: 'processing' });
  const settled = payoutSettled(ended);
  if (payout === 'completed' || plan.returned)
    step('complete_payout', settled, system, { payout: 'completed' });
  if (plan.returned)
    step('return_payout', payoutReturned(ended), system, { payout: 'failed' }, 'The bank returned it.');
  else if (payout === 'failed')
    step('fail_payout', settled, system, { payout: 'failed' }, 'The receiving account is closed.');
  return rows;
}
