import { expect } from 'vitest';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import { comparedListings, marksFor, watchedListings } from '#features/watches/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';

const prepare = ({ scenario, row }: Cell) => scenario.listing(row);

async function watchersOf({ scenario }: Cell, id: string): Promise<string[]> {
  const rows = await scenario.db
    .q()
    .selectFrom('property_watches')
    .select('user_id')
    .where('property_id', '=', id)
    .execute();
  return rows.map((row) => row.user_id).sort();
}

export const cells: Cells = {
  // One's own marks only: buyer A watches, seller B has viewed.
  'reads#marksFor': operation({
    cells: `
                   anonymous  buyerA   buyerB   sellerA  sellerB  suspended  admin
      A’s Active   nothing    watched  nothing  nothing  viewed   nothing    nothing
    `,
    async prepare({ scenario, row }) {
      const id = await scenario.listing(row);
      const { buyerA, sellerB } = scenario.cast;
      const q = scenario.db.q();
      await q.insertInto('property_watches').values({ user_id: buyerA.id, property_id: id }).execute();
      await q
        .insertInto('property_views')
        .values({ user_id: sellerB.id, property_id: id, viewed_at: new Date() })
        .execute();
      return id;
    },
    act: (ctx, id) => marksFor(ctx, [id]),
    outcomeOf: ({ watched, viewed }, id) =>
      [watched.includes(id) && 'watched', viewed.includes(id) && 'viewed'].filter(Boolean).join() ||
      'nothing',
  }),

  // One's own watched listings, as far as one may see them.
  'reads#watchedListings': operation({
    cells: `
                             anonymous        buyerA  buyerB  sellerA  sellerB  suspended  admin
      A’s Active             Unauthenticated  1       0       1        0        0          0
      A’s Sold               Unauthenticated  1       0       1        0        0          0
      A’s pending            Unauthenticated  0       0       1        0        0          0
      A’s withdrawn          Unauthenticated  0       0       1        0        0          0
      A’s deleted            Unauthenticated  0       0       0        0        0          0
      suspended seller’s Active  Unauthenticated  0   0       0        0        0          0
    `,
    async prepare(cell) {
      const id = await prepare(cell);
      const { cast, db } = cell.scenario;
      await db.q().deleteFrom('property_watches').execute();
      for (const { id: user_id } of [cast.buyerA, cast.sellerA])
        await db.q().insertInto('property_watches').values({ user_id, property_id: id }).execute();
      return id;
    },
    act: (ctx) => watchedListings(ctx),
    outcomeOf: ({ cards }) => String(cards.length),
    mayChange: () => false,
    verify: (result, id) => expect((result?.cards ?? []).every((card) => card.id === id)).toBe(true),
  }),

  'reads#comparedListings': operation({
    cells: `
                             anonymous        buyerA  buyerB  sellerA  sellerB  suspended  admin
      A’s Active             Unauthenticated  1       0       1        0        0          0
      A’s Sold               Unauthenticated  1       0       1        0        0          0
      A’s pending            Unauthenticated  0       0       1        0        0          0
      A’s withdrawn          Unauthenticated  0       0       1        0        0          0
      A’s deleted            Unauthenticated  0       0       0        0        0          0
      suspended seller’s Active  Unauthenticated  0   0       0        0        0          0
    `,
    async prepare(cell) {
      const id = await prepare(cell);
      const { cast, db } = cell.scenario;
      await db.q().deleteFrom('property_watches').execute();
      for (const { id: user_id } of [cast.buyerA, cast.sellerA])
        await db.q().insertInto('property_watches').values({ user_id, property_id: id }).execute();
      return id;
    },
    act: (ctx, id) => comparedListings(ctx, [id]),
    outcomeOf: (listings) => String(listings.length),
    mayChange: () => false,
    verify: (result, id) => expect((result ?? []).every((one) => one.id === id)).toBe(true),
  }),

  // Whoever may see a listing may watch it; other users' watches stay unchanged.
  'commands/set-watch#setWatch': operation({
    unaudited: 'what somebody watches is theirs',
    cells: `
                                anonymous        buyerA    buyerB    sellerA   sellerB   suspended  admin
      A’s Active                Unauthenticated  allowed   allowed   allowed   allowed   allowed    allowed
      A’s pending               Unauthenticated  NotFound  NotFound  allowed   NotFound  NotFound   allowed
      A’s changes_requested     Unauthenticated  NotFound  NotFound  allowed   NotFound  NotFound   allowed
      A’s rejected              Unauthenticated  NotFound  NotFound  allowed   NotFound  NotFound   allowed
      A’s withdrawn             Unauthenticated  NotFound  NotFound  allowed   NotFound  NotFound   allowed
      A’s escrow                Unauthenticated  allowed   allowed   allowed   allowed   allowed    allowed
      A’s Sold                  Unauthenticated  allowed   allowed   allowed   allowed   allowed    allowed
      A’s deleted               Unauthenticated  NotFound  NotFound  NotFound  NotFound  NotFound   NotFound
      suspended seller’s Active  Unauthenticated  NotFound  NotFound  NotFound  NotFound  allowed   allowed
      suspended seller’s Sold   Unauthenticated  allowed   allowed   allowed   allowed   allowed    allowed
    `,
    async prepare(cell) {
      const id = await prepare(cell);
      const other = cell.actor === 'buyerB' ? cell.scenario.cast.buyerA : cell.scenario.cast.buyerB;
      await cell.scenario.db
        .q()
        .insertInto('property_watches')
        .values({ user_id: other.id, property_id: id })
        .execute();
      return { id, other: other.id };
    },
    act: async (ctx: Ctx, { id, other }, cell) => {
      await setWatch(ctx, { propertyId: id, watched: true });
      const own = cell.scenario.person(cell.actor).id;
      expect(await watchersOf(cell, id)).toEqual([own, other].sort());
      await setWatch(ctx, { propertyId: id, watched: false });
    },
    verify: async (_, { id, other }, cell) => expect(await watchersOf(cell, id)).toEqual([other]),
  }),
};
