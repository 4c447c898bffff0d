import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { changeSavedSearch } from '#features/saved-searches/commands/change-saved-search.ts';
import { deleteSavedSearch } from '#features/saved-searches/commands/delete-saved-search.ts';
import { mailMatches } from '#features/saved-searches/commands/mail-matches.ts';
import { markMatchesSeen } from '#features/saved-searches/commands/mark-matches-seen.ts';
import { matchListing } from '#features/saved-searches/commands/match-listing.ts';
import { saveSearch } from '#features/saved-searches/commands/save-search.ts';
import { spreadArrivals } from '#features/saved-searches/commands/spread-arrivals.ts';
import { newMatches, savedSearches } from '#features/saved-searches/reads.ts';
import { type Cell, type Cells, operation } from '../operation.ts';
import { badId, closed } from '../sale-rows.ts';
import { systemOf, unhurried } from '../sales.ts';
import type { Stage } from '../stage.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const letters = () => [...randomBytes(12)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');

/** One search each of buyer A and seller B for a word of its own, which a listing of seller A has. */
async function waiting(stage: Stage) {
  await stage.db.q().deleteFrom('saved_searches').execute();
  const word = letters();
  const save = async (who: 'buyerA' | 'sellerB') => {
    const saved = await saveSearch(unhurried(stage.ctx(who)), {
      name: who,
      cadence: 'instant',
      query: `q=${word}`,
    });
    if (!saved.ok) throw new Error(saved.reason);
    return saved.id;
  };
  const ids = { buyerA: await save('buyerA'), sellerB: await save('sellerB') };
  return { ...ids, listing: await stage.listing('A’s Active', { description: word }) };
}

async function found(stage: Stage) {
  const things = await waiting(stage);
  await matchListing(systemOf(stage), { propertyId: things.listing });
  return things;
}

/** The search that a row names. */
async function named({ stage, row }: Cell) {
  const { buyerA, sellerB } = await found(stage);
  return badId({ row }, buyerA) ?? (row === 'seller B’s' ? sellerB : buyerA);
}
const ownAlone = `
  ${HEAD}
  buyer A’s         Unauthenticated  allowed   NotFound  NotFound  NotFound  NotFound  NotFound
  seller B’s        Unauthenticated  NotFound  NotFound  NotFound  allowed   NotFound  NotFound
  unknown id        Unauthenticated  NotFound  NotFound  NotFound  NotFound  NotFound  NotFound
  no id at all      Unauthenticated  NotFound  NotFound  NotFound  NotFound  NotFound  NotFound
  id in upper case  Unauthenticated  NotFound  NotFound  NotFound  NotFound  NotFound  NotFound
`;
const searchesOf = ({ db }: Stage) =>
  db.q().selectFrom('saved_searches').select(['id', 'user_id', 'name', 'cadence']).orderBy('id').execute();
const unseen = async ({ db }: Stage) =>
  (
    await db.q().selectFrom('saved_search_matches').select('search_id').where('seen_at', 'is', null).execute()
  ).map((row) => row.search_id);

export const cells: Cells = {
  // Whoever is signed in keeps searches, and sees the own ones alone.
  'reads#savedSearches': operation({
    cells: `
      ${HEAD}
      one of A, one of seller B  Unauthenticated  own  none  none  own  none  none
    `,
    prepare: ({ stage }) => found(stage),
    act: (ctx) => savedSearches(ctx),
    says: (searches) => (searches.length > 0 ? 'own' : 'none'),
    changes: () => false,
    holds(searches, { listing }, { actor }) {
      for (const search of searches ?? []) {
        expect(search.name).toBe(actor);
        expect(search.matches).toMatchObject([{ propertyId: listing }]);
      }
    },
  }),
  'reads#newMatches': operation({
    cells: `
      ${HEAD}
      one of A, one of seller B  Unauthenticated  1  0  0  1  0  0
    `,
    prepare: ({ stage }) => found(stage),
    act: (ctx) => newMatches(ctx),
    says: String,
    changes: () => false,
  }),

  'commands/save-search#saveSearch': operation({
    cells: `
      ${HEAD}
      a new one          Unauthenticated  allowed  allowed  allowed  allowed  allowed  allowed
      without a name     Unauthenticated  invalid  invalid  invalid  invalid  invalid  invalid
      of no words        Unauthenticated  finds_nothing  finds_nothing  finds_nothing  finds_nothing  finds_nothing  finds_nothing
    `,
    prepare: ({ stage }) => stage.db.q().deleteFrom('saved_searches').execute(),
    act: (ctx, _, { row }) =>
      saveSearch(unhurried(ctx), {
        name: row === 'without a name' ? ' ' : 'Lakes',
        cadence: 'daily',
        query: row === 'of no words' ? 'q=%25%25' : 'q=lake',
      }),
    async holds(_, __, { stage, actor, word }) {
      const kept = await searchesOf(stage);
      expect(kept.map((row) => row.user_id)).toEqual(word === 'allowed' ? [stage.person(actor).id] : []);
    },
  }),
  'commands/change-saved-search#changeSavedSearch': operation({
    cells: ownAlone,
    prepare: named,
    act: (ctx, id) => changeSavedSearch(ctx, { id, name: 'Changed', cadence: 'daily' }),
    async holds(_, id, { stage, word }) {
      const changed = (await searchesOf(stage)).filter(
        ({ name, cadence }) => name === 'Changed' || cadence === 'daily',
      );
      expect(changed.map((row) => row.id)).toEqual(word === 'allowed' ? [id] : []);
    },
  }),
  'commands/delete-saved-search#deleteSavedSearch': operation({
    cells: ownAlone,
    prepare: named,
    act: (ctx, id) => deleteSavedSearch(ctx, { id }),
    async holds(_, id, { stage, word }) {
      const left = (await searchesOf(stage)).map((row) => row.id);
      expect(left).toHaveLength(word === 'allowed' ? 1 : 2);
      if (word === 'allowed') expect(left).not.toContain(id);
    },
  }),
  'commands/mark-matches-seen#markMatchesSeen': operation({
    cells: ownAlone,
    prepare: named,
    act: (ctx, id) => markMatchesSeen(ctx, { id }),
    async holds(_, id, { stage, word }) {
      const left = await unseen(stage);
      expect(left).toHaveLength(word === 'allowed' ? 1 : 2);
      if (word === 'allowed') expect(left).not.toContain(id);
    },
  }),

  // What compares everybody's searches and mails them is for jobs alone.
  'commands/spread-arrivals#spreadArrivals': operation({
    cells: closed('one that waits'),
    prepare: ({ stage }) => waiting(stage),
    act: (ctx) => spreadArrivals(ctx),
  }),
  'commands/match-listing#matchListing': operation({
    cells: closed('one that is wanted'),
    prepare: ({ stage }) => waiting(stage),
    act: (ctx, { listing }) => matchListing(ctx, { propertyId: listing }),
  }),
  'commands/mail-matches#mailMatches': operation({
    cells: closed('instant', 'daily'),
    prepare: ({ stage }) => found(stage),
    act: (ctx, _, { row }) => mailMatches(ctx, { cadence: row as 'instant' | 'daily' }),
  }),
};
