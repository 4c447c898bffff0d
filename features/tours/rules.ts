import type { PropertyStatus } from '#features/listings/model.ts';
import { sharedRefusals } from '#features/listings/refusals.ts';
import { anyone, hasRole, nobody, signedIn } from '#platform/access.ts';
import type { Actor } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import {
  type ChangeRefusal,
  NOTE_LIMIT,
  OPEN_LIMIT,
  PROPOSED_AHEAD_MS,
  type RequestRefusal,
  type TourAction,
  type TourSide,
  type TourStatus,
} from './model.ts';

/** Whoever sees a listing sees when it can be visited. */
export const maySeeTimes = anyone;
/** Any signed-in user may try; `requestRefusal` decides about which listings. */
export const mayAsk = signedIn;
/** A tour is its parties' alone. */
export const mayHaveTours = signedIn;
export const mayHaveHours = hasRole('agent');
/** Reminders and endings are for scheduled jobs, and for the closing of an account. */
export const mayUpdateTours = nobody;

interface Visited {
  status: PropertyStatus;
  seller: { id: string; suspended: boolean };
}

/** Why this user cannot ask for a tour of this listing, or null; visitors can, once they have signed in. */
export function requestRefusal(actor: Actor, listing: Visited): RequestRefusal | null {
  if (actor.kind === 'user') {
    if (actor.agentId === listing.seller.id) return 'own';
    if (actor.role !== 'buyer') return 'not_buyer';
    if (actor.suspended) return 'account_suspended';
  }
  if (listing.status !== 'Active') return 'unavailable';
  return listing.seller.suspended ? 'suspended' : null;
}

/** What each side can do in each status. */
const actions: Record<TourSide, Partial<Record<TourStatus, readonly TourAction[]>>> = {
  buyer: { requested: ['cancel'], proposed: ['confirm', 'cancel'], confirmed: ['cancel'] },
  seller: {
    requested: ['confirm', 'propose', 'decline'],
    proposed: ['propose', 'cancel'],
    confirmed: ['propose', 'cancel'],
  },
};

/** What a side can do with a tour in this status. */
export const actionsFor = (side: TourSide, status: TourStatus): TourAction[] => [
  ...(actions[side][status] ?? []),
];

/** The status that an action leads to. */
export const outcomeOf = {
  confirm: 'confirmed',
  propose: 'proposed',
  decline: 'declined',
  cancel: 'cancelled',
} as const satisfies Record<TourAction, TourStatus>;

export const refusalText: Record<RequestRefusal | ChangeRefusal, string> = {
  ...sharedRefusals,
  not_buyer: 'Tours are for buyers. Please sign in with a buyer account.',
  suspended: 'This seller is not offering tours right now.',
  account_suspended: 'Your account is suspended. You cannot ask for tours.',
  unavailable: 'This property can no longer be toured.',
  no_time: 'Please choose a day and a time.',
  past: `Please choose a later time, within the next ${PROPOSED_AHEAD_MS / DAY} days.`,
  not_free: 'This time is no longer free. Please choose another one.',
  busy: 'The buyer or seller already has a tour at this time. Please choose another one.',
  open: 'You already have a tour of this property.',
  too_many: `You have ${OPEN_LIMIT} open tours. Please cancel one, or wait until one is over.`,
  too_long: `Please use at most ${NOTE_LIMIT} characters.`,
  changed: 'This tour has changed in the meantime. Please look at it again.',
  impossible: 'This is no longer possible.',
};
