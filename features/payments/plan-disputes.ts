import { basePart } from '#features/ledger/allocation.ts';
import { sumOf } from '#features/ledger/balances.ts';
import { disputedPostings, disputeFeePostings, reversedPostings } from '#features/ledger/rules.ts';
import type { CheckoutState, DisputeState } from '#gateways/payments/port.ts';
import { type Draft, receivedCents } from './draft.ts';
import { isStep, lostCents } from './outflows.ts';
import type { RecordedDispute } from './sale-image.ts';

/** The disputes of a payment, each by itself. */
export function planDisputes(draft: Draft, checkout: CheckoutState): void {
  if (receivedCents(draft.image) === 0) return;
  for (const state of checkout.disputes) planDispute(draft, state);
}

const recorded = (draft: Draft, ref: string) => draft.image.disputes.find((one) => one.ref === ref);

function planDispute(draft: Draft, state: DisputeState): void {
  const known = recorded(draft, state.ref);
  if (state.kind === 'inquiry') {
    planInquiry(draft, known, state);
    return;
  }
  // An answer from before it was decided.
  if (known?.kind === 'chargeback' && known.status !== 'open' && state.status === 'open') return;
  const dispute = known?.kind === 'chargeback' ? known : openChargeback(draft, known, state);
  if (state.status !== 'open') decide(draft, dispute, state, state.status);
  planFee(draft, state);
}

/** A question of the bank moves no money and stops nothing; it is on record. */
function planInquiry(
  draft: Draft,
  known: RecordedDispute | undefined,
  { ref, status, amountCents }: DisputeState,
): void {
  if (known && (known.kind === 'chargeback' || known.status !== 'open' || status === 'open')) return;
  const dispute: RecordedDispute = {
    ref,
    kind: 'inquiry',
    status,
    amountCents,
    feeCents: 0,
    withdrawnCents: 0,
  };
  draft.add({ type: 'dispute', dispute, isNew: !known });
}

function openChargeback(
  draft: Draft,
  known: RecordedDispute | undefined,
  { ref, amountCents, reason }: DisputeState,
): RecordedDispute {
  const dispute: RecordedDispute = {
    ref,
    kind: 'chargeback',
    status: 'open',
    amountCents,
    feeCents: 0,
    withdrawnCents: amountCents,
  };
  draft.post(`disputed:${ref}`, 'L5', 'Payment disputed', disputedPostings(amountCents));
  draft.add({ type: 'dispute', dispute, isNew: !known });
  draft.follow('open_dispute', reason, ref, { amountCents });
  return dispute;
}

/** What a chargeback took comes back, or is gone, or both in part. Also for one that was decided before that was posted. */
function decide(draft: Draft, dispute: RecordedDispute, state: DisputeState, status: 'won' | 'lost'): void {
  const { ref, reason, amountCents } = state;
  const { withdrawnCents } = dispute;
  if (dispute.status !== 'open' && withdrawnCents === 0) {
    regain(draft, dispute, state);
    return;
  }
  const back = status === 'won' ? withdrawnCents : Math.min(withdrawnCents, unreturned(draft, state));
  if (back > 0)
    draft.post(
      draft.nextKey(`dispute-returned:${ref}`),
      'L5',
      'Disputed money returned',
      reversedPostings(disputedPostings(back)),
    );
  const cents = withdrawnCents - back;
  if (cents > 0)
    draft.settle(`dispute-lost:${ref}`, 'L5', 'Dispute lost', {
      of: ref,
      outflow: { cents, asked: basePart(cents) },
      to: 'disputed',
    });
  draft.add({ type: 'dispute', dispute: { ...dispute, status, withdrawnCents: 0 }, isNew: false });
  if (dispute.status === 'open')
    draft.follow(status === 'won' ? 'win_dispute' : 'lose_dispute', reason, ref, {
      amountCents: status === 'lost' && cents > 0 ? cents : amountCents,
    });
}

/** What the provider says has come back of a dispute and is not posted yet; a dispute that is won returns everything. */
function unreturned(draft: Draft, { ref, status, returnedCents, amountCents }: DisputeState): number {
  const returns = draft.image.entries.filter((entry) =>
    ['dispute-won', 'dispute-returned', 'dispute-regained'].some((step) => isStep(entry, `${step}:${ref}`)),
  );
  return Math.max(0, (status === 'won' ? amountCents : returnedCents) - sumOf(returns, ['clearing']));
}

/** Money of a lost dispute comes back after all: it makes good what was lost, and the rest is there again. */
function regain(draft: Draft, dispute: RecordedDispute, state: DisputeState): void {
  const { ref, reason } = state;
  const lost = lostCents(draft.image, ref);
  const back = Math.min(lost, unreturned(draft, state));
  if (dispute.status !== 'lost' || back === 0) return;
  const cents = lost - back;
  draft.settle(draft.nextKey(`dispute-regained:${ref}`), 'L5', 'Lost dispute returned', {
    of: ref,
    outflow: { cents, asked: basePart(cents) },
    to: 'clearing',
  });
  const status = cents === 0 ? 'won' : 'lost';
  draft.add({ type: 'dispute', dispute: { ...dispute, status }, isNew: false });
  draft.follow('reverse_dispute', reason, ref, { amountCents: back });
}

/** What the provider keeps for a dispute, or gives back of it, once it says so. */
function planFee(draft: Draft, { ref, feeCents }: DisputeState): void {
  const dispute = recorded(draft, ref);
  if (!dispute || feeCents === null || feeCents === dispute.feeCents) return;
  draft.post(
    draft.nextKey(`dispute-fee:${ref}`),
    'L5',
    'Dispute fee',
    disputeFeePostings(feeCents - dispute.feeCents),
  );
  draft.add({ type: 'dispute', dispute: { ...dispute, feeCents }, isNew: false });
}
