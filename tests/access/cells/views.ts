import { expect } from 'vitest';
import { keepViewMonths } from '#features/views/commands/keep-view-months.ts';
import { recordView } from '#features/views/commands/record-view.ts';
import { recentlyViewed } from '#features/views/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { systemOnlyRows } from '../support/table-rows.ts';

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0';

export const cells: Cells = {
  // One's own recently viewed listings, without those that are no longer public.
  'reads#recentlyViewed': operation({
    cells: `
                             anonymous        buyerA  buyerB  sellerA  sellerB  suspended  admin
      A’s Active             Unauthenticated  1       0       0        1        0          0
      A’s Sold               Unauthenticated  1       0       0        1        0          0
      A’s escrow             Unauthenticated  1       0       0        1        0          0
      A’s pending            Unauthenticated  0       0       0        0        0          0
      A’s withdrawn          Unauthenticated  0       0       0        0        0          0
      A’s deleted            Unauthenticated  0       0       0        0        0          0
      suspended seller’s Active  Unauthenticated  0   0       0        0        0          0
    `,
    async prepare({ scenario, row }) {
      const q = scenario.db.q();
      const property_id = await scenario.listing(row);
      await q.deleteFrom('property_views').execute();
      for (const { id: user_id } of [scenario.cast.buyerA, scenario.cast.sellerB])
        await q
          .insertInto('property_views')
          .values({ user_id, property_id, viewed_at: new Date() })
          .execute();
      return property_id;
    },
    act: (ctx) => recentlyViewed(ctx),
    outcomeOf: (views) => String(views.length),
    mayChange: () => false,
    verify: (views, id) => expect((views ?? []).every(({ card }) => card.id === id)).toBe(true),
  }),

  // Counts views by everyone who may see the page except its owner and administrators, whose own lists it joins; never refuses.
  'commands/record-view#recordView': operation({
    unaudited: 'statistics',
    cells: `
                                anonymous  buyerA   buyerB   sellerA  sellerB  suspended  admin
      A’s Active                counted    counted  counted  listed   counted  counted    listed
      A’s pending               nothing    nothing  nothing  listed   nothing  nothing    listed
      A’s changes_requested     nothing    nothing  nothing  listed   nothing  nothing    listed
      A’s rejected              nothing    nothing  nothing  listed   nothing  nothing    listed
      A’s withdrawn             nothing    nothing  nothing  listed   nothing  nothing    listed
      A’s escrow                counted    counted  counted  listed   counted  counted    listed
      A’s Sold                  counted    counted  counted  listed   counted  counted    listed
      A’s deleted               nothing    nothing  nothing  nothing  nothing  nothing    nothing
      suspended seller’s Active  nothing   nothing  nothing  nothing  nothing  listed     listed
      suspended seller’s Sold   counted    counted  counted  counted  counted  listed     listed
    `,
    prepare: ({ scenario, row }) => scenario.listing(row),
    act: (ctx, propertyId) => recordView(ctx, { propertyId, userAgent: BROWSER }),
    async outcomeOf(_, id, { scenario: { db } }) {
      const events = db.q().selectFrom('property_view_events').where('property_id', '=', id);
      if ((await events.select('id').execute()).length === 1) return 'counted';
      const seen = db.q().selectFrom('property_views').where('property_id', '=', id);
      return (await seen.select('id').execute()).length === 1 ? 'listed' : 'nothing';
    },
    async verify(_, id, { scenario, actor, outcome }) {
      const q = scenario.db.q();
      const own = actor === 'anonymous' ? null : scenario.person(actor).id;
      const events = await q
        .selectFrom('property_view_events')
        .select(['user_id', 'viewer'])
        .where('property_id', '=', id)
        .execute();
      const seen = await q
        .selectFrom('property_views')
        .select('user_id')
        .where('property_id', '=', id)
        .execute();
      const counted = outcome === 'counted';
      expect(events.map((event) => event.user_id)).toEqual(counted ? [own] : []);
      expect(seen.map((view) => view.user_id)).toEqual(outcome !== 'nothing' && own ? [own] : []);
      // Anonymous visitors are stored as a hash that contains no IP address.
      if (counted && !own) expect(events[0]?.viewer).toMatch(/^[\w-]{22}$/);
    },
  }),

  'commands/keep-view-months#keepViewMonths': operation({
    cells: systemOnlyRows('the months'),
    act: (ctx) => keepViewMonths(ctx),
  }),
};
