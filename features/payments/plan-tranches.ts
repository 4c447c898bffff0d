import { sumOf } from '#features/ledger/balances.ts';
import { acceptedPostings, costPostings, suspensePostings } from '#features/ledger/rules.ts';
import type { CheckoutState } from '#gateways/payments/port.ts';
import { type Draft, receivedCents } from './draft.ts';
import {
  confirm,
  hasEnded,
  isOurMoney,
  isUndecided,
  isUnpaid,
  mismatches,
  setPaymentAside,
} from './plan-payment.ts';
import { imageBalances } from './sale-image.ts';

/**
 * A payment in parts of which something has arrived. Each transfer is a fact: it is posted to suspense at once, whatever state the
 * sale is in. When nothing is missing, the suspense becomes the payment; what is too much goes back. When the checkout is closed
 * before that, or the sale is over, all of it goes back.
 */
export function planTranches(draft: Draft, checkout: CheckoutState): void {
  const { payment } = draft.image.state;
  const newCents = postTranches(draft, checkout);
  postFees(draft, checkout);
  if (payment === 'completed' || payment === 'refunded') {
    if (newCents > 0)
      draft.follow('return_surplus', 'More arrived than was due.', `surplus:${receivedCents(draft.image)}`, {
        amountCents: newCents,
      });
    return;
  }
  const differing = mismatches(draft.image, checkout);
  if (differing.length > 0 && isUndecided(draft.image)) setAside(draft, checkout, differing);
  else if (differing.length > 0) returnIncomplete(draft);
  else if (checkout.status === 'paid') complete(draft, checkout);
  else if (checkout.status === 'processing' && isUnpaid(draft.image.state) && !hasEnded(draft.image.state)) {
    if (newCents > 0) draft.trigger('receive_part', null, { amountCents: newCents });
  } else returnIncomplete(draft);
}

/** @returns what is new, in cents; money that is not ours to count is not posted */
function postTranches(draft: Draft, checkout: CheckoutState): number {
  if (!isOurMoney(checkout) || checkout.livemode !== draft.image.livemode) return 0;
  const before = receivedCents(draft.image);
  for (const { ref, amountCents } of checkout.tranches) {
    if (draft.posted(`tranche:${ref}`)) continue;
    draft.post(`tranche:${ref}`, 'L6', 'Part of a payment received', suspensePostings(amountCents));
    draft.add({ type: 'tranche', ref, amountCents });
  }
  return receivedCents(draft.image) - before;
}

/** What the provider keeps of each, once it is known. */
function postFees(draft: Draft, checkout: CheckoutState): void {
  for (const { ref, feeCents } of checkout.tranches)
    if (feeCents && draft.posted(`tranche:${ref}`))
      draft.post(`cost:${ref}`, 'L1', 'Processing cost', costPostings(feeCents));
  const { entries, providerFeeCents } = draft.image;
  const cents = sumOf(
    entries.filter(({ key }) => key.startsWith('cost:')),
    ['processing_cost'],
  );
  if (cents > 0 && cents !== providerFeeCents) draft.add({ type: 'provider_fee', cents });
}

/** Nothing is missing: as for a payment in one piece, unless something stands in the way. */
function complete(draft: Draft, checkout: CheckoutState): void {
  const { amounts, frozen } = draft.image;
  const total = amounts.basePriceCents + amounts.buyerFeesCents;
  const { suspenseCents } = imageBalances(draft.image);
  if (frozen || suspenseCents < total) {
    if (isUndecided(draft.image)) setAside(draft, checkout, []);
    return;
  }
  draft.post('paid', 'L6', 'Payment complete', acceptedPostings(amounts, suspenseCents));
  confirm(draft);
  const surplus = suspenseCents - total;
  if (surplus > 0 && !hasEnded(draft.image.state))
    draft.follow('return_surplus', 'More arrived than was due.', 'surplus', { amountCents: surplus });
}

function setAside(draft: Draft, checkout: CheckoutState, differing: string[]): void {
  const isKnown = draft.image.breaks.some(({ kind }) => kind === 'payment_mismatch');
  if (!isKnown) setPaymentAside(draft, { ...checkout, amountCents: receivedCents(draft.image) }, differing);
}

/** While the sale is frozen, an administrator decides. */
function returnIncomplete(draft: Draft): void {
  const { state, frozen } = draft.image;
  const { suspenseCents } = imageBalances(draft.image);
  if (frozen || (hasEnded(state) && suspenseCents === 0)) return;
  const note = hasEnded(state)
    ? 'A part of the payment arrived after the purchase had ended.'
    : 'The payment was not complete in time.';
  draft.follow('return_incomplete', note, 'payment', { amountCents: suspenseCents });
}
