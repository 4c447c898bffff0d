import { expect } from 'vitest';
import { closingDates, searchFeed, searchFeedPath } from '#features/feeds/reads.ts';
import { signatureOf } from '#features/feeds/signature.ts';
import { savedSearchOfA } from '../support/any-search.ts';
import { type Cells, operation } from '../support/operation.ts';
import { sharedSale } from '../support/sales.ts';
import type { Scenario } from '../support/scenario.ts';
import { HEAD, sameForAll } from '../support/table-rows.ts';

const savedSearch = (scenario: Scenario) => savedSearchOfA(scenario, 'Quiet lanes');

/** A search with matches: one that everybody may see, one that nobody may. */
async function searchWithMatches(scenario: Scenario) {
  const { id } = await savedSearch(scenario);
  const shown = await scenario.listing('A’s Active');
  const hidden = await scenario.listing('A’s pending');
  await scenario.db
    .q()
    .insertInto('saved_search_matches')
    .values(
      [shown, hidden].map((property_id) => ({
        search_id: id,
        property_id,
        matched_at: new Date(),
        mail: 'none',
      })),
    )
    .execute();
  return { id, shown };
}

export const cells: Cells = {
  'reads#searchFeedPath': operation({
    cells: `
      ${HEAD}
      buyer A’s     Unauthenticated  allowed   NotFound  NotFound  NotFound  NotFound  NotFound
      no id at all  Unauthenticated  NotFound  NotFound  NotFound  NotFound  NotFound  NotFound
    `,
    prepare: ({ scenario }) => savedSearch(scenario),
    act: (ctx, { id }, { row }) =>
      searchFeedPath(ctx, { searchId: row === 'no id at all' ? "' or 1=1" : id }),
    mayChange: () => false,
  }),
  'reads#searchFeed': operation({
    cells: sameForAll(['signed', 'allowed'], ['made up', 'NotFound']),
    prepare: ({ scenario }) => searchWithMatches(scenario),
    act: (ctx, { id }, { row }) =>
      searchFeed(ctx, {
        searchId: id,
        signature: row === 'signed' ? signatureOf(ctx.config, id) : '0'.repeat(32),
      }),
    mayChange: () => false,
    verify(feed, { shown }) {
      if (feed) expect(feed.items.map(({ propertyId }) => propertyId)).toEqual([shown]);
    },
  }),
  'reads#closingDates': operation({
    cells: `
      ${HEAD}
      of A’s sale  Unauthenticated  buyer  none  seller  none  none  none
    `,
    prepare: ({ scenario }) => sharedSale(scenario, 'in escrow'),
    act: (ctx) => closingDates(ctx),
    outcomeOf: (dates, { saleId }) => dates.find((date) => date.saleId === saleId)?.party ?? 'none',
    mayChange: () => false,
  }),
};
