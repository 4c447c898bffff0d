import { basePart, type Parts, partsSum, splitParts } from '#features/ledger/allocation.ts';
import type { BookedRefund } from '#features/sales/sale-books.ts';
import type { CheckoutState, RefundState } from '#gateways/payments/port.ts';
import { type Draft, receivedCents } from './draft.ts';
import { refundedCents, refundStep } from './outflows.ts';
import { endShortfall, isSettled, planSettlement } from './plan-settlement.ts';
import { isOwedMore } from './sale-image.ts';

/** The refunds of a payment, those that we asked for and those that we did not. */
export function planRefunds(draft: Draft, checkout: CheckoutState): void {
  for (const state of checkout.refunds) {
    // Of money that was never booked, nothing can go back.
    if (receivedCents(draft.image) === 0) return;
    planRefund(draft, knownRefund(draft, state) ?? foundRefund(draft, state), state);
  }
}

/**
 * By its reference, else by its key. A second refund under a key that the provider had forgotten is one that nobody asked for, and
 * so is one that the provider has carried out after it was paid from our bank account.
 */
const knownRefund = ({ image: { refunds } }: Draft, state: RefundState): BookedRefund | undefined =>
  refunds.find(({ ref }) => ref === state.ref) ??
  refunds.find(({ key, ref, origin }) => ref === null && origin !== 'bank' && key === state.key);

/** A refund that was made at the provider: on record, and for an administrator to look at. */
function foundRefund(draft: Draft, { ref, amountCents, status }: RefundState): BookedRefund {
  const refund: BookedRefund = {
    key: `provider:${ref}`,
    ref,
    status: 'pending',
    amountCents,
    parts: basePart(amountCents),
    origin: 'provider',
    reason: 'Refunded at the provider.',
  };
  draft.add({ type: 'refund', refund, isNew: true });
  if (status === 'failed') return refund;
  const detail = `The provider reports the refund ${ref}, which was not asked for here.`;
  draft.break({
    kind: 'unexpected_refund',
    subject: ref,
    detail,
    expectedCents: 0,
    actualCents: -amountCents,
  });
  draft.trigger('freeze_sale', detail);
  return refund;
}

function planRefund(draft: Draft, refund: BookedRefund, state: RefundState): void {
  const step = refundStep(refund);
  const paid = `refunded:${step}`;
  const cameBack = `refund-returned:${step}`;
  // The provider's word that it failed is its last; our own, when a call was refused, is not.
  if (draft.posted(cameBack) || (refund.status === 'failed' && refund.ref !== null)) return;
  const isShort = state.status === 'succeeded' && state.amountCents < refund.amountCents;
  const [parts, rest] = splitParts(refund.parts, isShort ? state.amountCents : refund.amountCents);
  const seen: BookedRefund = {
    ...refund,
    ref: state.ref,
    status: state.status,
    parts,
    amountCents: partsSum(parts),
  };
  const isNews = refund.status !== state.status || refund.ref !== state.ref || isShort;
  if (state.status === 'pending') {
    if (isNews && refund.status !== 'succeeded') draft.add({ type: 'refund', refund: seen, isNew: false });
    return;
  }
  const outCents = refundedCents(draft.image, refund);
  if (isNews) draft.add({ type: 'refund', refund: seen, isNew: false });
  if (state.status === 'failed') {
    if (draft.posted(paid))
      planReturn(draft, seen, { key: cameBack, back: seen.parts, outCents: 0, to: 'clearing' });
    else planFailure(draft, seen);
  } else if (!draft.posted(paid)) {
    const outflow = { cents: state.amountCents, asked: parts };
    draft.settle(paid, 'L4', 'Payment refunded', { of: refund.key, outflow, to: 'clearing' });
    if (isShort) planFailure(draft, { ...seen, parts: rest, amountCents: partsSum(rest) });
    notifySettled(draft, seen);
  } else if (state.amountCents < outCents) {
    const key = `${cameBack}:${state.amountCents}`;
    planReturn(draft, seen, { key, back: rest, outCents: state.amountCents, to: 'clearing' });
  }
}

/** A refund was paid from our bank account, because its provider does not carry it out. */
export function planBankRefund(draft: Draft, refund: BookedRefund): void {
  const paid: BookedRefund = { ...refund, status: 'succeeded', origin: 'bank' };
  const outflow = { cents: paid.amountCents, asked: paid.parts };
  draft.add({ type: 'refund', refund: paid, isNew: false });
  draft.settle(`refunded:${refundStep(paid)}`, 'L4', 'Refund paid from our bank account', {
    of: paid.key,
    outflow,
    to: 'bank',
  });
  notifySettled(draft, paid);
  planSettlement(draft);
}

/** A refund that was paid from our bank account came back there. */
export function planBankReturn(draft: Draft, refund: BookedRefund): void {
  const returned: BookedRefund = { ...refund, status: 'failed' };
  const key = `refund-returned:${refundStep(returned)}`;
  draft.add({ type: 'refund', refund: returned, isNew: false });
  planReturn(draft, returned, { key, back: returned.parts, outCents: 0, to: 'bank' });
  planSettlement(draft);
}

/** A part has gone back, and the sale goes on. */
function notifySettled(draft: Draft, { origin, reason, amountCents }: BookedRefund): void {
  endShortfall(draft);
  const { escrow } = draft.image.state;
  if (origin !== 'provider' && escrow !== 'cancelled' && !isSettled(draft.image))
    draft.trigger('settle_partial_refund', reason, { amountCents });
}

interface Return {
  /** of the entry */
  key: string;
  /** what has come back */
  back: Parts;
  /** what has not */
  outCents: number;
  /** the account it came back to */
  to: 'clearing' | 'bank';
}

/** A refund that had arrived came back from the buyer's bank: it makes good what was lost, and the rest is there again. */
function planReturn(draft: Draft, refund: BookedRefund, { key, back, outCents, to }: Return): void {
  const outflow = { cents: outCents, asked: refund.parts };
  draft.settle(key, 'L4', 'Refund came back', { of: refund.key, outflow, to });
  draft.follow('return_refund', refund.reason, key, {
    amountCents: partsSum(back),
    ...(refund.origin !== 'provider' && { again: back }),
  });
}

/**
 * A refund was not carried out; the sale may be over for another reason by now. One that we did not ask for is asked for when the sale
 * owes it: a cancellation has left out what was on its way.
 */
function planFailure(draft: Draft, { origin, reason, parts, amountCents }: BookedRefund): void {
  if (origin === 'platform') draft.trigger('fail_refund', reason, { amountCents, again: parts });
  else if (origin === 'provider' && isOwedMore(draft.image))
    draft.trigger('fail_refund', reason, { amountCents });
}
