import type { Insertable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from '../calendar.ts';
import { payoutSettled, payoutStarted, type Sale } from './sale.ts';

type Event = Insertable<DB['sale_events']>;
interface State {
  payment: string | null;
  escrow: string | null;
  payout: string | null;
}

/** What happened to a sale, step by step, each with the state before and after it. */
export function eventsOf({ id, deal }: Sale, adminId: string, calendar: Calendar): Event[] {
  const events: Event[] = [];
  let state: State = { payment: null, escrow: null, payout: null };
  const step = (
    event: string,
    daysAgo: number,
    actor: [role: string, id: string | null],
    change: Partial<State>,
    note?: string,
  ) => {
    const after = { ...state, ...change };
    events.push({
      sale_id: id,
      event,
      actor_id: actor[1],
      actor_role: actor[0],
      before: JSON.stringify(state),
      after: JSON.stringify(after),
      note: note ?? null,
      created_at: calendar.ago(daysAgo),
    });
    state = after;
  };
  const { buyer, begun, paid, payment, escrow, payout, failure, extra } = deal;
  const ended = deal.ended ?? 0;
  const provider: [string, null] = ['provider', null];
  const admin: [string, string] = ['admin', adminId];
  step('begin_purchase', begun, ['buyer', buyer.id], { payment: 'pending', escrow: 'pending' });
  if (payment === 'processing') step('payment_submitted', begun - 0.005, provider, { payment: 'processing' });
  if (payment === 'failed')
    step('payment_failed', ended, provider, { payment: 'failed', escrow: 'cancelled' }, failure);
  if (paid === null) return events;
  step('payment_completed', paid, provider, { payment: 'completed', escrow: 'in_escrow' });
  if (payment === 'refunded') {
    step('cancel', ended + 0.2, admin, { escrow: 'cancelled' }, failure);
    step('refunded', ended, provider, { payment: 'refunded' });
  }
  if (extra === 'disputed')
    step('dispute_opened', paid / 4, ['buyer', buyer.id], {}, 'The roof was not repaired as agreed.');
  if (escrow === 'completed')
    step('release', ended, ['buyer', buyer.id], { escrow: 'completed', payout: 'pending' });
  if (payout && payout !== 'pending')
    step('payout_started', payoutStarted(ended), admin, { payout: 'processing' });
  const settled = payoutSettled(ended);
  if (payout === 'completed') step('payout_completed', settled, provider, { payout: 'completed' });
  if (payout === 'failed')
    step('payout_failed', settled, provider, { payout: 'failed' }, 'The receiving account is closed.');
  return events;
}
