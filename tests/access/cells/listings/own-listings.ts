import { expect } from 'vitest';
import { editableListing, ownListing, ownListings, recentListings } from '#features/listings/reads.ts';
import { type Cell, type Cells, operation } from '../../support/operation.ts';

const prepare = ({ scenario, row }: Cell) => scenario.listing(row);

/** Asserts that every listed property belongs to the requesting seller and is not deleted. */
async function expectOwnListings(
  rows: readonly { id: string }[] | undefined,
  { scenario, actor }: Cell,
): Promise<void> {
  for (const { id } of rows ?? []) {
    const row = await scenario.db
      .q()
      .selectFrom('properties')
      .select(['agent_id', 'deleted_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ agent_id: scenario.person(actor).agentId, deleted_at: null });
  }
}

const kinds = `
                                 anonymous        buyerA     buyerB     sellerA  sellerB  suspended  admin
      A’s Active                 Unauthenticated  Forbidden  Forbidden  shown    hidden   hidden     Forbidden
      A’s pending                Unauthenticated  Forbidden  Forbidden  shown    hidden   hidden     Forbidden
      A’s withdrawn              Unauthenticated  Forbidden  Forbidden  shown    hidden   hidden     Forbidden
      A’s Sold                   Unauthenticated  Forbidden  Forbidden  shown    hidden   hidden     Forbidden
      A’s deleted                Unauthenticated  Forbidden  Forbidden  hidden   hidden   hidden     Forbidden
      suspended seller’s Active  Unauthenticated  Forbidden  Forbidden  hidden   hidden   shown      Forbidden
`;

export const cells: Cells = {
  // Administrators have every listing.
  'reads#editableListing': operation({
    cells: `
                                 anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
      A’s Active                 Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      A’s deleted                Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
      suspended seller’s Active  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    prepare,
    act: (ctx, propertyId) => editableListing(ctx, { propertyId }),
    mayChange: () => false,
  }),
  'reads#ownListing': operation({
    cells: `
                                 anonymous        buyerA     buyerB     sellerA   sellerB   suspended  admin
      A’s Active                 Unauthenticated  Forbidden  Forbidden  allowed   NotFound  NotFound   Forbidden
      A’s withdrawn              Unauthenticated  Forbidden  Forbidden  allowed   NotFound  NotFound   Forbidden
      A’s deleted                Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  NotFound   Forbidden
      suspended seller’s Active  Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  allowed    Forbidden
    `,
    prepare,
    act: (ctx, propertyId) => ownListing(ctx, { propertyId }),
    mayChange: () => false,
    verify: (listing, id) => {
      if (listing) expect(listing.id).toBe(id);
    },
  }),

  // One's own in every status, also for a suspended seller.
  'reads#ownListings': operation({
    cells: kinds,
    prepare,
    act: (ctx) => ownListings(ctx),
    outcomeOf: ({ rows }, id) => (rows.some((row) => row.id === id) ? 'shown' : 'hidden'),
    mayChange: () => false,
    verify: (found, _, cell) => expectOwnListings(found?.rows, cell),
  }),

  'reads#recentListings': operation({
    cells: kinds,
    prepare,
    act: (ctx) => recentListings(ctx),
    outcomeOf: ({ rows }, id) => (rows.some((row) => row.id === id) ? 'shown' : 'hidden'),
    mayChange: () => false,
    verify: (found, _, cell) => expectOwnListings(found?.rows, cell),
  }),
};
