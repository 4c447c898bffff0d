import { costPostings, paidPostings, suspensePostings } from '#features/ledger/rules.ts';
import type { SaleState } from '#features/sales/model.ts';
import type { CheckoutState } from '#gateways/payments/port.ts';
import { type Draft, receivedCents } from './draft.ts';
import type { SaleImage } from './sale-image.ts';

export const hasEnded = ({ payment, escrow }: SaleState) => payment === 'failed' || escrow === 'cancelled';
export const isUnpaid = ({ payment }: SaleState) => payment === 'pending' || payment === 'processing';

/** The payment itself: submitted, received, failed or never made; and what the provider keeps of it. */
export function planPayment(draft: Draft, checkout: CheckoutState): void {
  const { state } = draft.image;
  switch (checkout.status) {
    case 'open':
      return;
    case 'processing':
      if (state.payment === 'pending') draft.trigger('submit_payment', null);
      return;
    case 'paid':
      planReceipt(draft, checkout);
      planProviderFee(draft, checkout);
      return;
    case 'failed':
      planEnd(draft, 'fail_payment', 'The payment failed.');
      return;
    case 'expired':
      planEnd(draft, 'expire_checkout', 'The checkout expired.');
      return;
    case 'canceled':
      planEnd(draft, 'expire_checkout', 'The checkout was closed.');
      return;
  }
}

function planEnd(draft: Draft, event: 'fail_payment' | 'expire_checkout', note: string): void {
  const { state } = draft.image;
  if (isUnpaid(state) && !hasEnded(state)) draft.trigger(event, note);
}

/** In which respects a payment is not the one that was asked for. */
export const mismatches = ({ saleId, amounts, livemode }: SaleImage, checkout: CheckoutState): string[] =>
  [
    checkout.saleId !== saleId && 'the sale',
    checkout.amountCents !== amounts.basePriceCents + amounts.buyerFeesCents && 'the amount',
    !isOurMoney(checkout) && 'the currency',
    checkout.livemode !== livemode && 'the mode',
  ].filter((part) => part !== false);

export const isOurMoney = ({ currency }: CheckoutState) => currency === 'usd';

/**
 * Money has arrived. What was asked for is held in escrow; anything else is set aside for an administrator, as is money for a
 * sale that is frozen. Test money in a live sale and other currencies are not posted, because they are no dollars.
 */
function planReceipt(draft: Draft, checkout: CheckoutState): void {
  const { image } = draft;
  const differing = mismatches(image, checkout);
  const received = receivedCents(image);
  const setAside = image.breaks.some(({ kind }) => kind === 'payment_mismatch');
  if (received === 0 && differing.length === 0 && !setAside && !image.frozen) {
    draft.post('paid', 'L1', 'Payment received', paidPostings(image.amounts));
    confirm(draft);
    return;
  }
  if (isOurMoney(checkout) && checkout.livemode === image.livemode && checkout.amountCents > received) {
    draft.post(
      `suspense:${checkout.amountCents}`,
      'L6',
      'Money received, set aside',
      suspensePostings(checkout.amountCents - received),
    );
    if (!isUndecided(draft.image))
      draft.break({
        kind: 'refused_move',
        subject: `received:${checkout.amountCents}:${image.saleId}`,
        detail: 'More money arrived after the payment had been settled.',
        expectedCents: received,
        actualCents: checkout.amountCents,
      });
  }
  if (!setAside && isUndecided(image)) setPaymentAside(draft, checkout, differing);
}

/** Nobody has decided yet what becomes of the payment. */
export const isUndecided = ({ state, breaks }: SaleImage) =>
  (isUnpaid(state) || state.payment === 'failed') &&
  !breaks.some(({ kind, open }) => kind === 'payment_mismatch' && !open);

export function setPaymentAside(draft: Draft, checkout: CheckoutState, differing: string[]): void {
  const { saleId, amounts } = draft.image;
  const detail =
    differing.length > 0
      ? `The payment differs from what was asked in ${differing.join(', ')}.`
      : 'The payment arrived while the sale was frozen.';
  draft.break({
    kind: 'payment_mismatch',
    subject: saleId,
    detail,
    expectedCents: amounts.basePriceCents + amounts.buyerFeesCents,
    actualCents: checkout.amountCents,
  });
  draft.follow('hold_mismatch', detail, 'payment');
}

export function confirm(draft: Draft): void {
  const { state, available } = draft.image;
  if (hasEnded(state))
    draft.follow('confirm_refused_payment', 'The payment arrived after the purchase had ended.', 'payment');
  else if (available) draft.follow('confirm_payment', null, 'payment');
  else draft.follow('confirm_refused_payment', 'The property was no longer for sale.', 'payment');
}

/** The provider's fee, posted once it is known. */
function planProviderFee(draft: Draft, { feeCents }: CheckoutState): void {
  const { image } = draft;
  if (!feeCents || image.providerFeeCents !== null || receivedCents(image) === 0) return;
  draft.add({ type: 'provider_fee', cents: feeCents });
  draft.post('cost', 'L1', 'Processing cost', costPostings(feeCents));
}
