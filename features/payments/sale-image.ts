import type { Parts } from '#features/ledger/allocation.ts';
import { balancesOf, type Entry, heldCents, type SaleBalances } from '#features/ledger/balances.ts';
import type { SaleAmounts } from '#features/ledger/model.ts';
import { releasedPostings } from '#features/ledger/rules.ts';
import type { BreakKind } from '#features/reconciliation/model.ts';
import { breakKinds } from '#features/reconciliation/rules.ts';
import type { Party, SaleEvent, SaleState } from '#features/sales/model.ts';
import {
  type BookedRefund,
  madeUpCents,
  nextRefund,
  type RefundRequest,
  type SaleBooks,
} from '#features/sales/sale-books.ts';
import type { SaleFacts } from '#features/sales/transition.ts';
import { resolveTransition } from '#features/sales/transitions.ts';

/** A dispute of the payment on record. Cents. */
export interface RecordedDispute {
  ref: string;
  kind: 'inquiry' | 'chargeback';
  status: 'open' | 'won' | 'lost';
  amountCents: number;
  /** what the provider keeps for it, as posted */
  feeCents: number;
  /** what stands in the account of disputed payments because of it */
  withdrawnCents: number;
}

export interface RecordedBreak {
  kind: BreakKind;
  subject: string;
  open: boolean;
}

/** All that we have on record about a sale's money, and what its moves depend on. */
export interface SaleImage extends SaleBooks {
  saleId: string;
  state: SaleState;
  amounts: SaleAmounts;
  livemode: boolean;
  /** the property could still be sold to this buyer */
  available: boolean;
  frozen: boolean;
  /** the provider's fee for the payment, as posted; null while unknown */
  providerFeeCents: number | null;
  disputes: readonly RecordedDispute[];
  breaks: readonly RecordedBreak[];
  /** the facts that no answer of a provider changes */
  facts: Omit<SaleFacts, 'frozen' | 'refundRunning' | 'chargebackOpen' | 'frozenBy' | 'heldCents'>;
}

/** One thing to record because of what a provider said. */
export type Change =
  | { type: 'entry'; entry: Entry; memo: string }
  | { type: 'provider_fee'; cents: number }
  | { type: 'tranche'; ref: string; amountCents: number }
  | { type: 'refund'; refund: BookedRefund; isNew: boolean }
  | { type: 'dispute'; dispute: RecordedDispute; isNew: boolean }
  | ({ type: 'break' } & BreakInput)
  | { type: 'event'; event: SaleEvent; note: string | null; amountCents?: number; again?: Parts };

export interface BreakInput {
  kind: BreakKind;
  subject: string;
  detail: string;
  /** by our books and in fact, in cents: changes of our balance with the provider, negative for money that leaves */
  expectedCents?: number;
  actualCents?: number;
}

export const imageBalances = (image: SaleImage): SaleBalances => balancesOf(image.entries);

/** The facts that guards of transitions ask for, as the image has them. */
export function factsOfImage(image: SaleImage): SaleFacts {
  const chargebacks = image.disputes.filter(({ kind, status }) => kind === 'chargeback' && status === 'open');
  const breaks = image.breaks.filter(({ kind, open }) => open && breakKinds[kind].freezes);
  return {
    ...image.facts,
    frozen: image.frozen,
    refundRunning: image.refunds.some(({ status }) => status === 'pending'),
    chargebackOpen: chargebacks.length > 0,
    frozenBy: chargebacks.length + breaks.length,
    heldCents: heldCents(imageBalances(image)) - madeUpCents(image.entries),
  };
}

/** The image after a change; an event that is not possible now leaves it as it is. Pure. */
export function applyChange(image: SaleImage, change: Change): SaleImage {
  switch (change.type) {
    case 'entry':
      return { ...image, entries: [...image.entries, change.entry] };
    case 'provider_fee':
      return { ...image, providerFeeCents: change.cents };
    case 'tranche':
      return image; // its entry says all that plans depend on
    case 'refund':
      return { ...image, refunds: upsert(image.refunds, change.refund, 'key') };
    case 'dispute':
      return { ...image, disputes: upsert(image.disputes, change.dispute, 'ref') };
    case 'break':
      return {
        ...image,
        breaks: [...image.breaks, { kind: change.kind, subject: change.subject, open: true }],
      };
    case 'event':
      return applyEvent(image, { ...change, by: 'system' });
  }
}

function upsert<T, K extends keyof T>(list: readonly T[], item: T, key: K): readonly T[] {
  return list.some((one) => one[key] === item[key])
    ? list.map((one) => (one[key] === item[key] ? item : one))
    : [...list, item];
}

interface EventInput {
  event: SaleEvent;
  by: Party;
  note: string | null;
  again?: Parts | undefined;
}

/** The image after an event; unchanged when that is not possible now. Pure. */
export function applyEvent(image: SaleImage, { event, by, again, note }: EventInput): SaleImage {
  const facts = factsOfImage(image);
  const resolution = resolveTransition(image.state, event, by, facts);
  if (!resolution.ok) return image;
  const { effects } = resolution.transition;
  let after: SaleImage = { ...image, state: resolution.state };
  if (effects.includes('freeze')) after = { ...after, frozen: true };
  if (effects.includes('unfreeze')) after = { ...after, frozen: facts.frozenBy > 0 };
  if (effects.includes('post_released'))
    after = {
      ...after,
      entries: [
        ...after.entries,
        { key: 'released', kind: 'L2', postings: releasedPostings(after.amounts, imageBalances(after)) },
      ],
    };
  if (effects.includes('ask_refund')) after = withOwedRefund(after, note);
  if (effects.includes('ask_refund_again')) after = withOwedRefund(after, note, again);
  return after;
}

/** What the sale owes its buyer beyond the refunds that run; `again`: what a failed refund was to return. */
function owedRefund(image: SaleImage, again?: Parts): RefundRequest | null {
  const { escrow } = image.state;
  return nextRefund(image.saleId, { escrow, propertyGone: image.facts.propertyGone }, image, again);
}

/** Whether the sale owes its buyer more than the refunds that run return. */
export const isOwedMore = (image: SaleImage): boolean => owedRefund(image) !== null;

function withOwedRefund(image: SaleImage, note: string | null, again?: Parts): SaleImage {
  const request = owedRefund(image, again);
  if (!request) return image;
  const { key, parts, amountCents } = request;
  const refund: BookedRefund = {
    key,
    ref: null,
    status: 'pending',
    amountCents,
    parts,
    origin: 'platform',
    reason: note ?? '',
  };
  return { ...image, refunds: [...image.refunds, refund] };
}

/** What of the payment has gone back to the buyer; zero for one that was never assigned. Cents. */
export function returnedOf(image: SaleImage): { baseCents: number; feesCents: number } {
  if (!image.entries.some(({ key }) => key === 'paid')) return { baseCents: 0, feesCents: 0 };
  const { remainingBaseCents, remainingFeesCents } = imageBalances(image);
  const { basePriceCents, buyerFeesCents } = image.amounts;
  const between = (cents: number, most: number) => Math.min(most, Math.max(0, cents));
  return {
    baseCents: between(basePriceCents - remainingBaseCents, basePriceCents),
    feesCents: between(buyerFeesCents - remainingFeesCents, buyerFeesCents),
  };
}
