import { basePart } from '#features/ledger/allocation.ts';
import { disputedPostings, disputeFeePostings, reversedPostings } from '#features/ledger/rules.ts';
import type { CheckoutState, DisputeState } from '#gateways/payments/port.ts';
import { type Draft, receivedCents } from './draft.ts';
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
  if (state.status !== 'open') decide(draft, dispute, state);
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

/** The money that a chargeback took comes back, or is gone. Also for one that was decided before that was posted. */
function decide(draft: Draft, dispute: RecordedDispute, { ref, status, reason }: DisputeState): void {
  const { withdrawnCents, amountCents } = dispute;
  if (status === 'open') return;
  if (dispute.status === 'lost' && status === 'won') {
    planReversal(draft, dispute, reason);
    return;
  }
  if (dispute.status !== 'open' && withdrawnCents === 0) return;
  if (withdrawnCents > 0 && status === 'won')
    draft.post(`dispute-won:${ref}`, 'L5', 'Dispute won', reversedPostings(disputedPostings(withdrawnCents)));
  if (withdrawnCents > 0 && status === 'lost')
    draft.take(`dispute-lost:${ref}`, 'L5', 'Dispute lost', {
      cents: withdrawnCents,
      asked: basePart(withdrawnCents),
      to: 'disputed',
    });
  draft.add({ type: 'dispute', dispute: { ...dispute, status, withdrawnCents: 0 }, isNew: false });
  if (dispute.status === 'open')
    draft.follow(status === 'won' ? 'win_dispute' : 'lose_dispute', reason, ref, { amountCents });
}

/** Lost, and given back after all: the money is with us again, and goes back to the buyer if the sale is cancelled. */
function planReversal(draft: Draft, dispute: RecordedDispute, reason: string): void {
  const { ref, amountCents } = dispute;
  const lost = draft.image.entries.find(({ key }) => key === `dispute-lost:${ref}`);
  if (!lost) return;
  const postings = reversedPostings(lost.postings).map(({ account, cents }) => ({
    account: account === 'disputed' ? ('clearing' as const) : account,
    cents,
  }));
  draft.post(`dispute-reversed:${ref}`, 'L5', 'Lost dispute reversed', postings);
  draft.add({ type: 'dispute', dispute: { ...dispute, status: 'won' }, isNew: false });
  draft.follow('reverse_dispute', reason, ref, { amountCents });
}

/** What the provider keeps for a dispute, or gives back of it, once it says so. */
function planFee(draft: Draft, { ref, feeCents }: DisputeState): void {
  const dispute = recorded(draft, ref);
  if (!dispute || feeCents === null || feeCents === dispute.feeCents) return;
  const number = draft.image.entries.filter(({ key }) => key.startsWith(`dispute-fee:${ref}:`)).length;
  draft.post(
    `dispute-fee:${ref}:${number}`,
    'L5',
    'Dispute fee',
    disputeFeePostings(feeCents - dispute.feeCents),
  );
  draft.add({ type: 'dispute', dispute: { ...dispute, feeCents }, isNew: false });
}
