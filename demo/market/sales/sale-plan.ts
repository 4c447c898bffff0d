import { cycle } from '#illustrator/random.ts';
import type { Listing } from '../listings/listings.ts';
import type { Person } from '../people.ts';

type Payment = 'pending' | 'processing' | 'completed' | 'failed' | 'refunded';
type Escrow = 'pending' | 'in_escrow' | 'completed' | 'cancelled';
type Payout = 'pending' | 'processing' | 'completed' | 'failed';

/** The planned course of one sale. All times are days ago. */
export interface SalePlan {
  listing: Listing;
  buyer: Person;
  payment: Payment;
  escrow: Escrow;
  payout: Payout | null;
  begun: number;
  /** payment confirmed */
  paid: number | null;
  /** escrow released, or the sale failed or cancelled */
  ended: number | null;
  extra?: 'disputed' | 'delivered' | 'cancellation requested' | 'refunded in part';
  /** the failed payout had arrived before it came back from the bank */
  returned?: true;
  failure?: string;
  /** the event that ended an unpaid checkout */
  endEvent?: 'fail_payment' | 'expire_checkout' | 'cancel_checkout';
  /** a bank transfer, or a transaction that was seen before it was confirmed */
  submitted?: true;
}

/** Plans every sale: one for each listing in escrow or sold, and unfinished or failed checkouts on Active ones. */
export function planSales(listings: readonly Listing[], buyers: readonly Person[]): SalePlan[] {
  const escrow = listings.filter(({ timeline }) => timeline.status === 'escrow');
  const sold = listings
    .filter(({ timeline }) => timeline.status === 'Sold')
    .sort((one, other) => (one.timeline.closed ?? 0) - (other.timeline.closed ?? 0));
  const wanted = listings.filter(
    ({ timeline, seller, row }) =>
      timeline.status === 'Active' &&
      timeline.created > 45 &&
      seller.row.status === 'active' &&
      !row.featured_slot,
  );
  const nextEscrowBuyer = buyerRotation(buyers);
  const nextOwner = buyerRotation(buyers);
  return [
    ...escrow.map((listing, index) =>
      escrowPlan(listing, nextEscrowBuyer(listing.timeline.paid ?? 0), index),
    ),
    ...sold.map((listing, index) => soldPlan(listing, nextOwner(listing.timeline.paid ?? 0), index)),
    ...attempts(wanted, buyers),
  ];
}

/** Sales are distributed evenly among the buyers who had joined by then, starting with the two demo buyers. */
function buyerRotation(buyers: readonly Person[]) {
  let turn = 0;
  return (daysAgo: number): Person => {
    const present = buyers.filter((buyer) => buyer.joinedDaysAgo > daysAgo + 3);
    turn += 1;
    return cycle(present, turn - 1);
  };
}

function escrowPlan(listing: Listing, buyer: Person, index: number): SalePlan {
  const paid = listing.timeline.paid ?? 1;
  const extras = [undefined, 'delivered', 'cancellation requested', 'disputed', 'refunded in part'] as const;
  const extra = extras[index];
  const plan: SalePlan = {
    listing,
    buyer,
    payment: 'completed',
    escrow: 'in_escrow',
    payout: null,
    begun: paid + 0.02,
    paid,
    ended: null,
  };
  return extra ? { ...plan, extra } : plan;
}

/** The payouts of the newest sales. */
const PAYOUTS: readonly Payout[] = [
  'pending',
  'pending',
  'processing',
  'pending',
  'failed',
  'pending',
  'completed',
  'failed',
];
/** The last of them had arrived before. */
const RETURNED = PAYOUTS.length - 1;

/** `index` counts from the newest: the newest await their payout, older ones have been paid out. */
function soldPlan(listing: Listing, buyer: Person, index: number): SalePlan {
  const paid = listing.timeline.paid ?? 1;
  // Whose account Stripe asks something about now has been paid before.
  const { payout_status: setup, stripe_account_id: account } = listing.seller.row;
  const destination = setup === 'complete' || account !== null;
  const payout = destination ? (PAYOUTS[index] ?? 'completed') : 'pending';
  return {
    listing,
    buyer,
    payment: 'completed',
    escrow: 'completed',
    payout,
    begun: paid + 0.02,
    paid,
    ended: listing.timeline.closed,
    ...(payout === 'failed' && index === RETURNED && { returned: true }),
  };
}

function attempts(listings: readonly Listing[], buyers: readonly Person[]): SalePlan[] {
  const [first, second] = buyers;
  if (!first || !second) throw new Error('The demo market needs two buyers');
  const at = (index: number) => cycle(listings, index * 3);
  const failed = { payment: 'failed', escrow: 'cancelled', payout: null, paid: null } as const;
  const refunded = { payment: 'refunded', escrow: 'cancelled', payout: null } as const;
  const other = (index: number) => cycle(buyers, index + 2);
  return [
    {
      listing: at(0),
      buyer: first,
      ...failed,
      begun: 19.4,
      ended: 19.38,
      failure: 'The payment was declined.',
      endEvent: 'fail_payment',
      submitted: true,
    },
    {
      listing: at(1),
      buyer: second,
      ...failed,
      begun: 12.7,
      ended: 12.67,
      failure: 'The checkout expired.',
      endEvent: 'expire_checkout',
    },
    {
      listing: at(2),
      buyer: other(0),
      ...failed,
      begun: 33.2,
      ended: 33.18,
      failure: 'You cancelled the checkout.',
      endEvent: 'cancel_checkout',
    },
    {
      listing: at(3),
      buyer: other(1),
      ...failed,
      begun: 27.5,
      ended: 25.1,
      failure: 'The bank returned the transfer.',
      endEvent: 'fail_payment',
      submitted: true,
    },
    {
      listing: at(4),
      buyer: first,
      ...refunded,
      begun: 31.3,
      paid: 31.2,
      ended: 27.9,
      failure: 'Cancelled by agreement: the survey moved the fence.',
    },
    {
      listing: at(5),
      buyer: other(3),
      ...refunded,
      begun: 41.1,
      paid: 41.0,
      ended: 36.4,
      failure: 'Cancelled by the administrator: the title was not clear.',
    },
    {
      listing: at(6),
      buyer: first,
      payment: 'processing',
      escrow: 'pending',
      payout: null,
      submitted: true,
      begun: 0.6,
      paid: null,
      ended: null,
    },
    {
      listing: at(7),
      buyer: other(2),
      payment: 'processing',
      escrow: 'pending',
      payout: null,
      submitted: true,
      begun: 0.3,
      paid: null,
      ended: null,
    },
    {
      listing: at(8),
      buyer: second,
      payment: 'pending',
      escrow: 'pending',
      payout: null,
      begun: 0.01,
      paid: null,
      ended: null,
    },
  ];
}
