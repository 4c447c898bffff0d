import { expect } from 'vitest';
import { listingStatistics, listingTotals, ownStatistics } from '#features/listing-statistics/reads.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { badId, HEAD, sellersOnlyRow } from '../support/table-rows.ts';

const prepare = async ({ scenario, row }: Cell) => {
  const real = await scenario.listing(row.includes(' id') ? 'A’s Active' : row);
  return badId({ row }, real) ?? real;
};

export const cells: Cells = {
  // One's own in every status, also for a suspended seller; nobody learns whether others exist.
  'reads#listingStatistics': operation({
    cells: `
      ${HEAD}
      A’s Active                 Unauthenticated  Forbidden  Forbidden  allowed   NotFound  NotFound  Forbidden
      A’s pending                Unauthenticated  Forbidden  Forbidden  allowed   NotFound  NotFound  Forbidden
      A’s Sold                   Unauthenticated  Forbidden  Forbidden  allowed   NotFound  NotFound  Forbidden
      A’s deleted                Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  NotFound  Forbidden
      suspended seller’s Active  Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  allowed   Forbidden
      unknown id                 Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  NotFound  Forbidden
      no id at all               Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  NotFound  Forbidden
    `,
    prepare,
    act: (ctx, propertyId) => listingStatistics(ctx, { propertyId }),
    mayChange: () => false,
    verify: (found, id) => {
      if (found) expect(found.listing.id).toBe(id);
    },
  }),

  'reads#listingTotals': operation({
    cells: `
      ${HEAD}
      A’s Active                 Unauthenticated  Forbidden  Forbidden  counted  nothing  nothing  Forbidden
      A’s deleted                Unauthenticated  Forbidden  Forbidden  nothing  nothing  nothing  Forbidden
      suspended seller’s Active  Unauthenticated  Forbidden  Forbidden  nothing  nothing  counted  Forbidden
    `,
    prepare,
    act: (ctx, propertyId) => listingTotals(ctx, { propertyIds: [propertyId] }),
    outcomeOf: (found, id) => (id in found ? 'counted' : 'nothing'),
    mayChange: () => false,
  }),

  'reads#ownStatistics': operation({
    cells: sellersOnlyRow('reading', 'allowed', 'allowed'),
    act: (ctx) => ownStatistics(ctx),
    mayChange: () => false,
  }),
};
