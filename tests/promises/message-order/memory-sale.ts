import { acceptedPostings } from '#features/ledger/rules.ts';
import { Draft } from '#features/payments/draft.ts';
import { planSettlement } from '#features/payments/plan-settlement.ts';
import { planSync } from '#features/payments/plan-sync.ts';
import { applyEvent, imageBalances, type SaleImage } from '#features/payments/sale-image.ts';
import type { BreakKind } from '#features/reconciliation/model.ts';
import { type BookedRefund, refundOf } from '#features/sales/sale-books.ts';
import type { CheckoutState } from '#gateways/payments/port.ts';
import { type Act, WALK_AMOUNTS } from './steps.ts';

export const PART = { baseCents: 123_45, feesCents: 10_00, suspenseCents: 0 };

/** A sale that has begun, in memory. */
export const begunSale = (saleId: string): SaleImage => ({
  saleId,
  state: { payment: 'pending', escrow: 'pending', payout: null },
  amounts: WALK_AMOUNTS,
  livemode: false,
  available: true,
  frozen: false,
  providerFeeCents: null,
  entries: [],
  refunds: [],
  disputes: [],
  breaks: [],
  facts: {
    problemOpen: false,
    problemOpenedBy: null,
    cancellationAskedBy: null,
    documentsDelivered: false,
    documentsDueAt: null,
    blockedSince: null,
    propertyGone: false,
    documentsRemoved: false,
    overdueNoted: false,
    releaseDueAt: null,
    now: new Date(0),
  },
});

/** The provider's record of its open checkout. */
export const openCheckout = (saleId: string): CheckoutState => ({
  ref: 'cs',
  url: null,
  status: 'open',
  saleId,
  amountCents: WALK_AMOUNTS.basePriceCents + WALK_AMOUNTS.buyerFeesCents,
  currency: 'usd',
  livemode: false,
  feeCents: null,
  paymentRef: null,
  paidWith: 'card',
  receiptUrl: null,
  txHash: null,
  network: null,
  expiresAt: new Date(0),
  tranches: [],
  refunds: [],
  disputes: [],
});

/** The sale after the provider's answer, by the plan that is otherwise written to the database. */
export const synced = (image: SaleImage, answer: CheckoutState): SaleImage => planSync(image, answer).image;

const closed = (image: SaleImage, kind: BreakKind): SaleImage => ({
  ...image,
  breaks: image.breaks.map((one) => (one.kind === kind ? { ...one, open: false } : one)),
});

const acts: Record<Act, (image: SaleImage) => SaleImage> = {
  cancel: (image) => applyEvent(image, { event: 'cancel_sale', by: 'admin', note: null }),
  close: (image) => applyEvent(image, { event: 'confirm_closing', by: 'buyer', note: null }),
  'refund a part'(image) {
    const after = applyEvent(image, { event: 'request_refund', by: 'admin', note: null });
    const request = refundOf(image.saleId, image, PART);
    if (!request) return after;
    const refund: BookedRefund = {
      ...request,
      ref: null,
      status: 'pending',
      origin: 'platform',
      reason: 'A part',
    };
    return { ...after, refunds: [...after.refunds, refund] };
  },
  accept(image) {
    const draft = new Draft(image);
    const { suspenseCents } = imageBalances(image);
    draft.post('paid', 'L6', 'Payment accepted', acceptedPostings(image.amounts, suspenseCents));
    return applyEvent(closed(draft.image, 'payment_mismatch'), {
      event: 'accept_mismatch',
      by: 'admin',
      note: null,
    });
  },
  return(image) {
    const event = imageBalances(image).suspenseCents > 0 ? 'return_mismatch' : 'dismiss_mismatch';
    return applyEvent(closed(image, 'payment_mismatch'), { event, by: 'admin', note: null });
  },
  recognize(image) {
    const after = applyEvent(closed(image, 'unexpected_refund'), {
      event: 'recognise_refund',
      by: 'admin',
      note: null,
    });
    const draft = new Draft(after);
    planSettlement(draft);
    return draft.image;
  },
};

/** The sale after a person has decided something. */
export const acted = (image: SaleImage, act: Act): SaleImage => acts[act](image);

/**
 * What must not depend on the order of messages: the state, the balance of each account, refunds, disputes, and what waits for
 * an administrator. A break that tells of a passing loss depends on when the loss was seen; a refund that waits and of which
 * nothing is left is never sent.
 */
export function outcomeOf(image: SaleImage): string {
  const balances = new Map<string, number>();
  for (const { postings } of image.entries)
    for (const { account, cents } of postings) balances.set(account, (balances.get(account) ?? 0) + cents);
  const { remainingBaseCents, remainingFeesCents, suspenseCents } = imageBalances(image);
  const left = remainingBaseCents + remainingFeesCents + suspenseCents;
  const lines = (rows: readonly string[]) => rows.toSorted().join(', ');
  return [
    Object.values(image.state).join('/') + (image.frozen ? ' frozen' : ''),
    lines([...balances].filter(([, cents]) => cents !== 0).map(([account, cents]) => `${account} ${cents}`)),
    lines(
      image.refunds
        .filter((one) => one.ref !== null || one.amountCents <= left)
        .map(({ key, status, amountCents }) => `${key} ${status} ${amountCents}`),
    ),
    lines(
      image.disputes.map((one) =>
        [one.ref, one.kind, one.status, one.amountCents, one.feeCents, one.withdrawnCents].join(' '),
      ),
    ),
    lines(
      image.breaks
        .filter(({ kind }) => kind !== 'paid_back_twice')
        .map(({ kind, open }) => `${kind} ${open ? 'open' : 'resolved'}`),
    ),
  ]
    .join(' | ')
    .replaceAll(image.saleId, 'sale');
}
