import { expect } from 'vitest';
import { setFeatured } from '#features/listing-review/commands/set-featured.ts';
import { allListings, listingCounts, listingRecord } from '#features/listing-review/reads.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { HEAD, listingOf } from '../support/own-listings.ts';
import { badId } from '../support/table-rows.ts';

const refused = 'Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden';
const missing = ['unknown id', 'no id at all'].map((row) => `${row}  ${refused}  NotFound`).join('\n');

/** Nobody else learns anything of a listing that is not public. */
const nothingLearnt = <Found>(found: Found, _: string, { outcome }: { outcome: string }) => {
  if (outcome === 'Forbidden' || outcome === 'Unauthenticated') expect(found).toBeUndefined();
};

async function prepare(cell: Cell): Promise<string> {
  await cell.scenario.db.q().updateTable('properties').set({ featured_slot: null }).execute();
  return listingOf(cell);
}

export const cells: Cells = {
  'reads#allListings': operation({
    cells: `
      ${HEAD}
      A’s pending  ${refused}  shown
      A’s deleted  ${refused}  hidden
    `,
    prepare: listingOf,
    act: (ctx) => allListings(ctx),
    outcomeOf: ({ rows }, id) => (rows.some((row) => row.id === id) ? 'shown' : 'hidden'),
    mayChange: () => false,
    verify: nothingLearnt,
  }),

  'reads#listingCounts': operation({
    cells: `
      ${HEAD}
      A’s pending  ${refused}  allowed
    `,
    prepare: listingOf,
    act: (ctx) => listingCounts(ctx),
    mayChange: () => false,
    verify: nothingLearnt,
  }),

  'reads#listingRecord': operation({
    cells: `
      ${HEAD}
      A’s pending                ${refused}  allowed
      A’s withdrawn              ${refused}  allowed
      suspended seller’s Active  ${refused}  allowed
      A’s deleted                ${refused}  NotFound
      ${missing}
    `,
    prepare: listingOf,
    act: (ctx, id, cell) => listingRecord(ctx, { id: badId(cell, id) ?? id }),
    mayChange: () => false,
    verify: nothingLearnt,
  }),

  'commands/set-featured#setFeatured': operation({
    cells: `
      ${HEAD}
      A’s Active                 ${refused}  allowed
      A’s pending                ${refused}  not_public
      A’s Sold                   ${refused}  not_public
      suspended seller’s Active  ${refused}  not_public
      A’s deleted                ${refused}  NotFound
      ${missing}
    `,
    prepare,
    act: (ctx, propertyId, cell) =>
      setFeatured(ctx, { propertyId: badId(cell, propertyId) ?? propertyId, featured: true }),
  }),
};
