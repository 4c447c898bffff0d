import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { forgetSearches } from '#features/search/commands/forget-searches.ts';
import { recordSearch } from '#features/search/commands/record-search.ts';
import { refreshSearchStatistics } from '#features/search/commands/refresh-search-statistics.ts';
import {
  listingsOnMap,
  mapMarkers,
  meaningOf,
  readSearchText,
  relaxedListings,
  searchListings,
  suggest,
} from '#features/search/reads.ts';
import { parseCriteria } from '#features/search/rules.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';

// Search shows public listings only, even to their owners and administrators.
const everyKind = `
                              anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
  A’s Active                  found      found   found   found    found    found      found
  A’s pending                 absent     absent  absent  absent   absent   absent     absent
  A’s changes_requested       absent     absent  absent  absent   absent   absent     absent
  A’s rejected                absent     absent  absent  absent   absent   absent     absent
  A’s withdrawn               absent     absent  absent  absent   absent   absent     absent
  A’s escrow                  absent     absent  absent  absent   absent   absent     absent
  A’s Sold                    absent     absent  absent  absent   absent   absent     absent
  A’s deleted                 absent     absent  absent  absent   absent   absent     absent
  suspended seller’s Active   absent     absent  absent  absent   absent   absent     absent
  suspended seller’s Sold     absent     absent  absent  absent   absent   absent     absent
`;

const criteria = (q: string) => parseCriteria(new URLSearchParams({ q }), []);
const letters = () => [...randomBytes(12)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');

/** A listing of the row's kind with a unique word in its address. */
async function listingWithWord({ scenario, row }: Cell) {
  const word = letters();
  const facts = { address: `7 ${word} Lane`, latitude: 45, longitude: -122 };
  // Each listing was public before it got the row's status, so that a stale index would show.
  const id = await scenario.listing(row.replace(/’s .*/, '’s Active'), facts);
  const status = row.replace(/^.*’s /, '');
  const change = status === 'deleted' ? { deleted_at: new Date() } : { status: status as 'Active' };
  await scenario.db.q().updateTable('properties').set(change).where('id', '=', id).execute();
  return { id, word };
}

export const cells: Cells = {
  'reads#searchListings': operation({
    cells: everyKind,
    prepare: listingWithWord,
    act: (ctx, { word }) => searchListings(ctx, criteria(word)),
    outcomeOf: ({ rows }, { id }) => (rows.some((row) => row.id === id) ? 'found' : 'absent'),
    verify: (result, _, { outcome }) => expect(result?.total).toBe(outcome === 'found' ? 1 : 0),
  }),

  // A place counts only where it has public listings: else 'Commercial' is a type.
  'reads#readSearchText': operation({
    cells: everyKind,
    async prepare(cell) {
      const { id, word } = await listingWithWord(cell);
      await cell.scenario.db
        .q()
        .updateTable('properties')
        .set({ city: `Commercial ${word}` })
        .where('id', '=', id)
        .execute();
      return `Commercial ${word}`;
    },
    act: (ctx, place) =>
      readSearchText(ctx, new URLSearchParams({ q: place }), [
        { id: 1, name: 'Commercial', slug: 'commercial', oldSlugs: [] },
      ]),
    outcomeOf: ({ words }, place) => (words === place ? 'found' : 'absent'),
    verify: (reading, _, { outcome }) =>
      expect(reading?.understood).toHaveLength(outcome === 'found' ? 0 : 1),
  }),

  'reads#relaxedListings': operation({
    cells: everyKind,
    prepare: listingWithWord,
    act: (ctx, { word }) => relaxedListings(ctx, new URLSearchParams({ q: `${word} ${letters()}` }), []),
    outcomeOf: (relaxed, { id }) => (relaxed?.found.rows.some((row) => row.id === id) ? 'found' : 'absent'),
    verify: (relaxed, _, { outcome }) =>
      outcome === 'found' ? expect(relaxed?.said).toMatch(/^Without “\w+”$/) : expect(relaxed).toBeNull(),
  }),

  'reads#mapMarkers': operation({
    cells: everyKind,
    prepare: listingWithWord,
    act: (ctx, { word }) => mapMarkers(ctx, criteria(word), 12),
    outcomeOf: (markers, { id }) => (markers.some(({ listing }) => listing?.id === id) ? 'found' : 'absent'),
    verify: (markers, _, { outcome }) => expect(markers).toHaveLength(outcome === 'found' ? 1 : 0),
  }),

  'reads#listingsOnMap': operation({
    cells: everyKind,
    prepare: listingWithWord,
    act: (ctx, { id }) => listingsOnMap(ctx, [id]),
    outcomeOf: (cards, { id }) => (cards.some(({ card }) => card.id === id) ? 'found' : 'absent'),
    verify: (cards, _, { outcome }) => expect(cards).toHaveLength(outcome === 'found' ? 1 : 0),
  }),

  // How a word is interpreted depends on public listings only; hidden listings must not contribute words.
  'reads#meaningOf': operation({
    cells: everyKind,
    prepare: listingWithWord,
    act: (ctx, { word }) => meaningOf(ctx, criteria(word.slice(1))),
    outcomeOf: (meaning) => (meaning?.reading === 'parts' ? 'found' : 'absent'),
    verify: (meaning, { word }) => expect(meaning?.words).toEqual([word.slice(1)]),
  }),

  'reads#suggest': operation({
    cells: everyKind,
    prepare: listingWithWord,
    act: (ctx, { word }) => suggest(ctx, word),
    outcomeOf: (found, { id }) =>
      found.some((one) => one.kind === 'address' && one.propertyId === id) ? 'found' : 'absent',
    verify: (found, _, { outcome }) => expect(found).toHaveLength(outcome === 'found' ? 1 : 0),
  }),

  'commands/record-search#recordSearch': operation({
    unaudited: 'statistics',
    cells: `
                    anonymous  buyerA   buyerB   sellerA  sellerB  suspended  admin
      own search    allowed    allowed  allowed  allowed  allowed  allowed    allowed
    `,
    prepare: async () => letters(),
    act: (ctx, text) => recordSearch(ctx, { criteria: criteria(text), results: 3, userAgent: null }),
    async verify(_, text, { scenario, actor }) {
      const rows = await scenario.db
        .q()
        .selectFrom('search_events')
        .select('user_id')
        .where('query', '=', text)
        .execute();
      const recorded = { user_id: actor === 'anonymous' ? null : scenario.person(actor).id };
      expect(rows).toEqual(actor === 'admin' ? [] : [recorded]);
    },
  }),

  // Maintenance, for jobs and the command line only.
  'commands/forget-searches#forgetSearches': operation({
    cells: `
                 anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
      upkeep     Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden
    `,
    act: (ctx) => forgetSearches(ctx),
  }),
  'commands/refresh-search-statistics#refreshSearchStatistics': operation({
    cells: `
                 anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
      upkeep     Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden
    `,
    act: (ctx) => refreshSearchStatistics(ctx),
  }),
};
