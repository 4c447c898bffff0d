import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { changeSavedSearch } from '#features/saved-searches/commands/change-saved-search.ts';
import { deleteSavedSearch } from '#features/saved-searches/commands/delete-saved-search.ts';
import { mailMatches } from '#features/saved-searches/commands/mail-matches.ts';
import { markAllMatchesSeen } from '#features/saved-searches/commands/mark-all-matches-seen.ts';
import { markMatchesSeen } from '#features/saved-searches/commands/mark-matches-seen.ts';
import { matchListing } from '#features/saved-searches/commands/match-listing.ts';
import { notifyOfNewListings } from '#features/saved-searches/commands/notify-of-new-listings.ts';
import { saveSearch } from '#features/saved-searches/commands/save-search.ts';
import { newMatchCount, savedSearches } from '#features/saved-searches/reads.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { systemContext, withoutRateLimits } from '../support/sales.ts';
import type { Scenario } from '../support/scenario.ts';
import { badId, systemOnlyRows } from '../support/table-rows.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const letters = () => [...randomBytes(12)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');

/** Saves one search each for buyer A and seller B, for a unique word that a new listing of seller A contains. */
async function saveTwoSearches(scenario: Scenario) {
  await scenario.db.q().deleteFrom('saved_searches').execute();
  const word = letters();
  const save = async (who: 'buyerA' | 'sellerB') => {
    const saved = await saveSearch(withoutRateLimits(scenario.ctx(who)), {
      name: who,
      cadence: 'instant',
      query: `q=${word}`,
    });
    if (!saved.ok) throw new Error(saved.reason);
    return saved.id;
  };
  const ids = { buyerA: await save('buyerA'), sellerB: await save('sellerB') };
  return { ...ids, listing: await scenario.listing('A’s Active', { description: word }) };
}

async function matchTwoSearches(scenario: Scenario) {
  const things = await saveTwoSearches(scenario);
  await matchListing(systemContext(scenario), { propertyId: things.listing });
  return things;
}

/** The id of the search a row names. */
async function searchForRow({ scenario, row }: Cell) {
  const { buyerA, sellerB } = await matchTwoSearches(scenario);
  return badId({ row }, buyerA) ?? (row === 'seller B’s' ? sellerB : buyerA);
}
const ownOnly = `
  ${HEAD}
  buyer A’s         Unauthenticated  allowed   gone  gone  gone  gone  gone
  seller B’s        Unauthenticated  gone  gone  gone  allowed   gone  gone
  unknown id        Unauthenticated  gone  gone  gone  gone  gone  gone
  no id at all      Unauthenticated  gone  gone  gone  gone  gone  gone
  id in upper case  Unauthenticated  gone  gone  gone  gone  gone  gone
`;
const searchesOf = ({ db }: Scenario) =>
  db.q().selectFrom('saved_searches').select(['id', 'user_id', 'name', 'cadence']).orderBy('id').execute();
const unseen = async ({ db }: Scenario) =>
  (
    await db.q().selectFrom('saved_search_matches').select('search_id').where('seen_at', 'is', null).execute()
  ).map((row) => row.search_id);

export const cells: Cells = {
  // Everyone signed in may save searches, and sees only their own.
  'reads#savedSearches': operation({
    cells: `
      ${HEAD}
      one of A, one of seller B  Unauthenticated  own  none  none  own  none  none
    `,
    prepare: ({ scenario }) => matchTwoSearches(scenario),
    act: (ctx) => savedSearches(ctx),
    outcomeOf: (searches) => (searches.length > 0 ? 'own' : 'none'),
    mayChange: () => false,
    verify(searches, { listing }, { actor }) {
      for (const search of searches ?? []) {
        expect(search.name).toBe(actor);
        expect(search.matches).toMatchObject([{ propertyId: listing }]);
      }
    },
  }),
  'reads#newMatchCount': operation({
    cells: `
      ${HEAD}
      one of A, one of seller B  Unauthenticated  1  0  0  1  0  0
    `,
    prepare: ({ scenario }) => matchTwoSearches(scenario),
    act: (ctx) => newMatchCount(ctx),
    outcomeOf: String,
    mayChange: () => false,
  }),

  'commands/save-search#saveSearch': operation({
    unaudited: 'a saved search is its owner’s',
    cells: `
      ${HEAD}
      a new one          Unauthenticated  allowed  allowed  allowed  allowed  allowed  allowed
      without a name     Unauthenticated  invalid  invalid  invalid  invalid  invalid  invalid
      of no words        Unauthenticated  finds_nothing  finds_nothing  finds_nothing  finds_nothing  finds_nothing  finds_nothing
    `,
    prepare: ({ scenario }) => scenario.db.q().deleteFrom('saved_searches').execute(),
    act: (ctx, _, { row }) =>
      saveSearch(withoutRateLimits(ctx), {
        name: row === 'without a name' ? ' ' : 'Lakes',
        cadence: 'daily',
        query: row === 'of no words' ? 'q=%25%25' : 'q=lake',
      }),
    async verify(_, __, { scenario, actor, outcome }) {
      const kept = await searchesOf(scenario);
      expect(kept.map((row) => row.user_id)).toEqual(
        outcome === 'allowed' ? [scenario.person(actor).id] : [],
      );
    },
  }),
  'commands/change-saved-search#changeSavedSearch': operation({
    unaudited: 'a saved search is its owner’s',
    cells: ownOnly,
    prepare: searchForRow,
    act: (ctx, id) => changeSavedSearch(ctx, { id, name: 'Changed', cadence: 'daily' }),
    async verify(_, id, { scenario, outcome }) {
      const changed = (await searchesOf(scenario)).filter(
        ({ name, cadence }) => name === 'Changed' || cadence === 'daily',
      );
      expect(changed.map((row) => row.id)).toEqual(outcome === 'allowed' ? [id] : []);
    },
  }),
  'commands/delete-saved-search#deleteSavedSearch': operation({
    unaudited: 'a saved search is its owner’s',
    cells: ownOnly,
    prepare: searchForRow,
    act: (ctx, id) => deleteSavedSearch(ctx, { id }),
    async verify(_, id, { scenario, outcome }) {
      const left = (await searchesOf(scenario)).map((row) => row.id);
      expect(left).toHaveLength(outcome === 'allowed' ? 1 : 2);
      if (outcome === 'allowed') expect(left).not.toContain(id);
    },
  }),
  'commands/mark-all-matches-seen#markAllMatchesSeen': operation({
    unaudited: 'what somebody has seen is theirs',
    cells: `
      ${HEAD}
      one of A, one of seller B  Unauthenticated  1  0  0  1  0  0
    `,
    prepare: ({ scenario }) => matchTwoSearches(scenario),
    act: (ctx) => markAllMatchesSeen(ctx),
    outcomeOf: String,
    mayChange: (outcome) => outcome !== '0',
    async verify(_, ids, { scenario, actor }) {
      const left = [ids.buyerA, ids.sellerB].filter((id) => id !== (ids as Record<string, string>)[actor]);
      expect((await unseen(scenario)).sort()).toEqual(left.sort());
    },
  }),
  'commands/mark-matches-seen#markMatchesSeen': operation({
    unaudited: 'what somebody has seen is theirs',
    cells: ownOnly,
    prepare: searchForRow,
    act: (ctx, id) => markMatchesSeen(ctx, { id }),
    async verify(_, id, { scenario, outcome }) {
      const left = await unseen(scenario);
      expect(left).toHaveLength(outcome === 'allowed' ? 1 : 2);
      if (outcome === 'allowed') expect(left).not.toContain(id);
    },
  }),

  // Matching and mailing all users' searches is reserved for jobs.
  'commands/notify-of-new-listings#notifyOfNewListings': operation({
    cells: systemOnlyRows('one that waits'),
    prepare: ({ scenario }) => saveTwoSearches(scenario),
    act: (ctx) => notifyOfNewListings(ctx),
  }),
  'commands/match-listing#matchListing': operation({
    cells: systemOnlyRows('one that is wanted'),
    prepare: ({ scenario }) => saveTwoSearches(scenario),
    act: (ctx, { listing }) => matchListing(ctx, { propertyId: listing }),
  }),
  'commands/mail-matches#mailMatches': operation({
    cells: systemOnlyRows('instant', 'daily'),
    prepare: ({ scenario }) => matchTwoSearches(scenario),
    act: (ctx, _, { row }) => mailMatches(ctx, { cadence: row as 'instant' | 'daily' }),
  }),
};
