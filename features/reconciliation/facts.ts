import type { TransactionKind } from '#gateways/payments/port.ts';
import type { PayoutMethod } from '#gateways/payouts/port.ts';
import { DAY } from '#platform/durations.ts';

export type BookingKind = TransactionKind;

/** A booking changes our balance by its amount and, separately, by the provider's fee. */
export type Part = 'amount' | 'fee';

/** Something a provider says it booked, with what of it is not settled yet. Integer cents, from our point of view. */
export interface Booking {
  id: string;
  kind: BookingKind;
  /** change of our balance before the fee; negative when money left */
  amountCents: number;
  /** what the provider charged for it; negative when it gave a fee back */
  feeCents: number;
  /** lower case */
  currency: string;
  /** every reference of the provider that it bears: its own, of the payment, the checkout, the refund or dispute */
  refs: readonly string[];
  /** the refund, dispute, payout or transfer that it is about */
  objectRef: string | null;
  /** our sale, when it names one we know */
  saleId: string | null;
  /** parts that no posting confirms yet */
  open: readonly Part[];
  at: Date;
  /** from when on its posting could be expected: when it was booked, or when we first heard of it, if that was later */
  dueFrom: Date;
}

/** A posting on the clearing account of the provider account that no booking confirms yet. */
export interface ClearingPosting {
  id: number;
  /** what the entry records; null for one that is matched by its reference alone */
  kind: BookingKind | null;
  saleId: string | null;
  /** what the provider calls the thing; null when the entry does not say */
  ref: string | null;
  /** debits positive */
  cents: number;
  at: Date;
}

/** A sale that bookings name. */
export interface NamedSale {
  /** the provider account that it is paid through; null when none was recorded */
  accountId: string | null;
  totalCents: number;
  /** the provider's references of its own checkout and payment */
  refs: readonly string[];
  /** whether one payment of it is settled already */
  paymentSettled: boolean;
}

export interface Statement {
  accountId: string;
  bookings: readonly Booking[];
  postings: readonly ClearingPosting[];
  sales: ReadonlyMap<string, NamedSale>;
  /** references of refunds that we asked for */
  ownRefunds: ReadonlySet<string>;
  /** those of them that have left, and of which we wait to hear whether they arrived */
  runningRefunds: ReadonlySet<string>;
  /** references of refunds of money that belongs to no sale, by which an administrator ends a break */
  breakRefunds: ReadonlySet<string>;
  /** references of transfers to sellers that have left, and of which we wait to hear whether they arrived */
  runningTransfers: ReadonlySet<string>;
  /** how sellers are paid out of the account */
  paysBy: PayoutMethod;
  now: Date;
  /** how long a posting may wait for its booking, in milliseconds */
  boundMs: number;
}

/** How long a booking may wait for its posting, in milliseconds: messages are repeated and sales asked about for as long. */
const POSTING_GRACE_MS = DAY;

export const CURRENCY = 'usd';

/** The cents by which a part changes our balance. */
export const partCents = (booking: Pick<Booking, 'amountCents' | 'feeCents'>, part: Part): number =>
  part === 'amount' ? booking.amountCents : -booking.feeCents;

/** The parts a booking has at all: those that change the balance. */
export const partsOf = (booking: Pick<Booking, 'amountCents' | 'feeCents'>): Part[] =>
  (['amount', 'fee'] as const).filter((part) => partCents(booking, part) !== 0);

/** The kind of posting that confirms a part. */
export const postingKind = (booking: Pick<Booking, 'kind'>, part: Part): BookingKind =>
  part === 'fee' ? 'fee' : booking.kind;

/** Whether the posting of a booking can no longer be expected. */
export const isOverdue = ({ dueFrom }: Pick<Booking, 'dueFrom'>, now: Date): boolean =>
  now.getTime() - dueFrom.getTime() > POSTING_GRACE_MS;

/** Whether it is about a payout to a seller, which may leave another account than the payment came into. */
export const isTransfer = ({ kind }: Pick<Booking, 'kind'>): boolean =>
  kind === 'transfer' || kind === 'transfer_return';
