import { describe, expect, it } from 'vitest';
import type { PropertyStatus } from './model.ts';
import {
  type ListingActionRefusal,
  type ListingEvent,
  listingTransitions,
  partyOf,
  resolveListingEvent,
} from './transitions.ts';

it('an event belongs to one party, whichever of its transitions applies', () => {
  for (const { event, by, from } of listingTransitions)
    expect(by, `${event} from ${from.join(', ')}`).toBe(partyOf(event));
});

/** A listing that has been on the market as it is, and that nobody is buying. */
const APPROVED = {
  wasListed: true,
  awaitsApproval: false,
  changedSinceApproval: false,
  beingBought: false,
  saleInEscrow: false,
  saleClosed: false,
  ownershipMissing: false,
  sellerGone: false,
};
type Facts = Partial<typeof APPROVED>;

const outcomeOf = (event: ListingEvent, from: PropertyStatus | null, facts: Facts) => {
  const resolution = resolveListingEvent(from, event, { ...APPROVED, ...facts });
  return resolution.ok ? { becomes: resolution.status } : resolution.reason;
};

type Case = [ListingEvent, PropertyStatus | null, Facts, ListingActionRefusal];

describe('is refused', () => {
  it.each<Case>([
    ['approve', 'Active', {}, 'status'],
    ['request_changes', 'Active', {}, 'status'],
    ['reject', 'Active', {}, 'status'],
    ['delete', 'withdrawn', {}, 'status'],
    ['begin_escrow', 'Active', {}, 'status'],
    ['release_escrow', 'escrow', { saleInEscrow: true }, 'status'],
    ['sell', 'escrow', {}, 'status'],
    ['relist', 'withdrawn', { awaitsApproval: true, sellerGone: true }, 'status'],
  ])('%s from %s, as its history stands: %j', (event, from, facts, reason) => {
    expect(outcomeOf(event, from, facts)).toBe(reason);
  });

  it.each<[ListingEvent, PropertyStatus, Facts?]>([
    ['import_sold', 'Active'],
    ['import_withdraw', 'Active'],
    ['undo_import', 'Active'],
    ['request_changes', 'Active', { changedSinceApproval: true }],
    ['reject', 'Active', { changedSinceApproval: true }],
    ['withdraw', 'Active'],
    ['withdraw', 'pending'],
    ['delete', 'pending', { wasListed: false }],
    ['set_active', 'escrow'],
    ['set_pending', 'Active'],
    ['set_escrow', 'Active'],
    ['set_sold', 'Active'],
  ])('%s from %s while somebody is buying it', (event, from, facts) => {
    expect(outcomeOf(event, from, { ...facts, beingBought: true })).toBe('being_bought');
    expect(outcomeOf(event, from, { ...facts })).toHaveProperty('becomes');
  });

  it.each<[ListingEvent, PropertyStatus | null, Facts?]>([
    ['submit', null],
    ['import', null, { ownershipMissing: true }],
    ['import', null],
    ['approve', 'pending'],
    ['resubmit', 'rejected'],
    ['relist', 'withdrawn'],
    ['add', null],
    ['add_pending', null],
    ['set_active', 'pending'],
    ['set_pending', 'Active'],
  ])('%s from %s when its seller has left: %j', (event, from, facts) => {
    expect(outcomeOf(event, from, { ...facts, sellerGone: true })).toBe('seller_gone');
    expect(outcomeOf(event, from, { ...facts })).toHaveProperty('becomes');
  });

  it.each<[ListingEvent, PropertyStatus | null]>([
    ['approve', 'pending'],
    ['add', null],
    ['set_active', 'pending'],
  ])('%s from %s while its ownership has to be verified', (event, from) => {
    expect(outcomeOf(event, from, { ownershipMissing: true })).toBe('ownership');
  });
});

describe('waits for an administrator instead of going on the market', () => {
  it.each<[ListingEvent, PropertyStatus | null, Facts]>([
    ['import', null, { ownershipMissing: true }],
    ['relist', 'withdrawn', { ownershipMissing: true }],
    ['relist', 'withdrawn', { awaitsApproval: true }],
    ['relist', 'withdrawn', { wasListed: false }],
  ])('%s from %s: %j', (event, from, facts) => {
    expect(outcomeOf(event, from, facts)).toEqual({ becomes: 'pending' });
    expect(outcomeOf(event, from, {})).toEqual({ becomes: 'Active' });
  });
});

it('goes from escrow back to the market, or is withdrawn when its seller has left', () => {
  expect(outcomeOf('release_escrow', 'escrow', {})).toEqual({ becomes: 'Active' });
  expect(outcomeOf('release_escrow', 'escrow', { sellerGone: true })).toEqual({ becomes: 'withdrawn' });
});
