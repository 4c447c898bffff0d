import type { PayoutFailure, PayoutItem, PayoutState } from './port.ts';

/** What a provider knows of a payout. `amountCents` is all that was asked for. */
interface KnownPayout {
  key: string;
  ref: string | null;
  amountCents: number;
  items: PayoutItem[];
  /** why the provider refused what is missing in the items; null when nothing was refused */
  refusal: PayoutFailure | null;
  feeCents: number | null;
  arrivesAt: Date | null;
}

/** The state of a payout out of its items. Cents. */
export function payoutState(payout: KnownPayout): PayoutState {
  const { key, ref, amountCents, items, refusal, feeCents, arrivesAt } = payout;
  const paidCents = items
    .filter(({ status }) => status === 'paid')
    .reduce((sum, item) => sum + item.amountCents - item.returnedCents, 0);
  const failure = items.find((item) => item.failure !== null)?.failure ?? refusal;
  const status = statusOf(items, paidCents, amountCents);
  return { key, ref, status, items, paidCents, feeCents, failure, arrivesAt };
}

function statusOf(
  items: readonly PayoutItem[],
  paidCents: number,
  amountCents: number,
): PayoutState['status'] {
  if (items.some(({ status }) => status === 'processing')) return 'processing';
  if (paidCents === 0) return 'failed';
  return paidCents >= amountCents ? 'paid' : 'partly_paid';
}
