import { cycle } from '../../illustrator/chance.ts';
import type { Listing } from '../listings/listings.ts';
import type { Person } from '../people.ts';

type Payment = 'pending' | 'processing' | 'completed' | 'failed' | 'refunded';
type Escrow = 'pending' | 'in_escrow' | 'completed' | 'cancelled';
type Payout = 'pending' | 'processing' | 'completed' | 'failed';

/** How far a purchase has come, and what is special about it. Days are days ago. */
export interface Deal {
  listing: Listing;
  buyer: Person;
  payment: Payment;
  escrow: Escrow;
  payout: Payout | null;
  begun: number;
  /** money confirmed */
  paid: number | null;
  /** escrow released, or the deal over */
  ended: number | null;
  extra?: 'disputed' | 'delivered' | 'cancellation requested';
  failure?: string;
  /** how an unpaid attempt ended */
  end?: 'fail_payment' | 'expire_checkout' | 'cancel_checkout';
  /** a bank transfer, or a transaction that was seen before it counted */
  submitted?: true;
}

/** Every sale of the market: one for each listing in escrow or sold, and attempts on Active ones. */
export function dealsOf(listings: readonly Listing[], buyers: readonly Person[]): Deal[] {
  const escrow = listings.filter(({ life }) => life.status === 'escrow');
  const sold = listings
    .filter(({ life }) => life.status === 'Sold')
    .sort((one, other) => (one.life.closed ?? 0) - (other.life.closed ?? 0));
  const wanted = listings.filter(
    ({ life, seller, row }) =>
      life.status === 'Active' && life.created > 45 && seller.row.status === 'active' && !row.featured_slot,
  );
  const chooseHolder = buyerChooser(buyers);
  const chooseOwner = buyerChooser(buyers);
  return [
    ...escrow.map((listing, index) => inEscrow(listing, chooseHolder(listing.life.paid ?? 0), index)),
    ...sold.map((listing, index) => soldDeal(listing, chooseOwner(listing.life.paid ?? 0), index)),
    ...attempts(wanted, buyers),
  ];
}

/** Deals go round among those who had joined by then; the two demo buyers come first. */
function buyerChooser(buyers: readonly Person[]) {
  let turn = 0;
  return (daysAgo: number): Person => {
    const present = buyers.filter((buyer) => buyer.joinedDaysAgo > daysAgo + 3);
    turn += 1;
    return cycle(present, turn - 1);
  };
}

function inEscrow(listing: Listing, buyer: Person, index: number): Deal {
  const paid = listing.life.paid ?? 1;
  const extras = [undefined, 'delivered', 'cancellation requested', 'disputed'] as const;
  const extra = extras[index];
  const deal: Deal = {
    listing,
    buyer,
    payment: 'completed',
    escrow: 'in_escrow',
    payout: null,
    begun: paid + 0.02,
    paid,
    ended: null,
  };
  return extra ? { ...deal, extra } : deal;
}

/** `index` counts from the newest: the newest wait for their payout, older ones were paid. */
function soldDeal(listing: Listing, buyer: Person, index: number): Deal {
  const paid = listing.life.paid ?? 1;
  const destination = listing.seller.row.payout_status === 'complete';
  const states: readonly Payout[] = ['pending', 'pending', 'processing', 'pending', 'failed', 'pending'];
  const payout = destination ? (states[index] ?? 'completed') : 'pending';
  return {
    listing,
    buyer,
    payment: 'completed',
    escrow: 'completed',
    payout,
    begun: paid + 0.02,
    paid,
    ended: listing.life.closed,
  };
}

function attempts(listings: readonly Listing[], buyers: readonly Person[]): Deal[] {
  const [first, second] = buyers;
  if (!first || !second) throw new Error('The demo market needs two buyers');
  const at = (index: number) => cycle(listings, index * 3);
  const over = { payment: 'failed', escrow: 'cancelled', payout: null, paid: null } as const;
  const back = { payment: 'refunded', escrow: 'cancelled', payout: null } as const;
  const other = (index: number) => cycle(buyers, index + 2);
  return [
    {
      listing: at(0),
      buyer: first,
      ...over,
      begun: 19.4,
      ended: 19.38,
      failure: 'The payment was declined.',
      end: 'fail_payment',
      submitted: true,
    },
    {
      listing: at(1),
      buyer: second,
      ...over,
      begun: 12.7,
      ended: 12.67,
      failure: 'The checkout expired.',
      end: 'expire_checkout',
    },
    {
      listing: at(2),
      buyer: other(0),
      ...over,
      begun: 33.2,
      ended: 33.18,
      failure: 'You cancelled the checkout.',
      end: 'cancel_checkout',
    },
    {
      listing: at(3),
      buyer: other(1),
      ...over,
      begun: 27.5,
      ended: 25.1,
      failure: 'The bank returned the transfer.',
      end: 'fail_payment',
      submitted: true,
    },
    {
      listing: at(4),
      buyer: first,
      ...back,
      begun: 31.3,
      paid: 31.2,
      ended: 27.9,
      failure: 'Cancelled by agreement: the survey moved the fence.',
    },
    {
      listing: at(5),
      buyer: other(3),
      ...back,
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
