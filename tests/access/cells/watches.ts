import { expect } from 'vitest';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import { marksFor, watchedListings } from '#features/watches/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { type Cell, type Cells, operation } from '../operation.ts';

const prepare = ({ stage, row }: Cell) => stage.listing(row);

async function watchersOf({ stage }: Cell, id: string): Promise<string[]> {
  const rows = await stage.db
    .q()
    .selectFrom('property_watches')
    .select('user_id')
    .where('property_id', '=', id)
    .execute();
  return rows.map((row) => row.user_id).sort();
}

export const cells: Cells = {
  // Each sees the own marks alone: buyer A watches, seller B has viewed.
  'reads#marksFor': operation({
    cells: `
                   anonymous  buyerA   buyerB   sellerA  sellerB  suspended  admin
      A’s Active   nothing    watched  nothing  nothing  viewed   nothing    nothing
    `,
    async prepare({ stage, row }) {
      const id = await stage.listing(row);
      const { buyerA, sellerB } = stage.cast;
      const q = stage.db.q();
      await q.insertInto('property_watches').values({ user_id: buyerA.id, property_id: id }).execute();
      await q
        .insertInto('property_views')
        .values({ user_id: sellerB.id, property_id: id, viewed_at: new Date() })
        .execute();
      return id;
    },
    act: (ctx, id) => marksFor(ctx, [id]),
    says: ({ watched, viewed }, id) =>
      [watched.includes(id) && 'watched', viewed.includes(id) && 'viewed'].filter(Boolean).join() ||
      'nothing',
  }),

  // One's own watches, as far as their pages are open to oneself.
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
      const { cast, db } = cell.stage;
      await db.q().deleteFrom('property_watches').execute();
      for (const { id: user_id } of [cast.buyerA, cast.sellerA])
        await db.q().insertInto('property_watches').values({ user_id, property_id: id }).execute();
      return id;
    },
    act: (ctx) => watchedListings(ctx),
    says: ({ cards }) => String(cards.length),
    changes: () => false,
    holds: (result, id) => expect((result?.cards ?? []).every((card) => card.id === id)).toBe(true),
  }),

  // Whoever may see the page may keep it in mind; the watches of others stay as they are.
  'commands/set-watch#setWatch': operation({
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
      const other = cell.actor === 'buyerB' ? cell.stage.cast.buyerA : cell.stage.cast.buyerB;
      await cell.stage.db
        .q()
        .insertInto('property_watches')
        .values({ user_id: other.id, property_id: id })
        .execute();
      return { id, other: other.id };
    },
    act: async (ctx: Ctx, { id, other }, cell) => {
      await setWatch(ctx, { propertyId: id, watched: true });
      const own = cell.stage.person(cell.actor).id;
      expect(await watchersOf(cell, id)).toEqual([own, other].sort());
      await setWatch(ctx, { propertyId: id, watched: false });
    },
    holds: async (_, { id, other }, cell) => expect(await watchersOf(cell, id)).toEqual([other]),
  }),
};
