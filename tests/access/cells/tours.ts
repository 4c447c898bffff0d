import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { cancelTour } from '#features/tours/commands/cancel-tour.ts';
import { cancelToursOf } from '#features/tours/commands/cancel-tours-of.ts';
import { confirmTour } from '#features/tours/commands/confirm-tour.ts';
import { declineTour } from '#features/tours/commands/decline-tour.ts';
import { proposeTour } from '#features/tours/commands/propose-tour.ts';
import { removeDay } from '#features/tours/commands/remove-day.ts';
import { requestTour } from '#features/tours/commands/request-tour.ts';
import { saveDay } from '#features/tours/commands/save-day.ts';
import { saveHours } from '#features/tours/commands/save-hours.ts';
import { updateTours } from '#features/tours/commands/update-tours.ts';
import { offersTours, ownTours, tourFile, tourHours, tourOffer } from '#features/tours/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { suspendedIfSaid } from '../support/suspended-buyer.ts';
import { badId, badIdRows, HEAD, sellersOnlyRow, systemOnlyRows } from '../support/table-rows.ts';
import { createTour, giveHours, tourTime } from '../support/tours.ts';
import { pageRows } from './listing-history.ts';

/** The tour that a row names: 'A with A, confirmed', 'B with the suspended, requested', or an invalid id. */
async function tourForRow({ scenario, row }: Cell): Promise<string> {
  const status = (['proposed', 'confirmed'] as const).find((known) => row.includes(known)) ?? 'requested';
  const id = await createTour(scenario, { others: row.startsWith('B with'), status });
  return badId({ row }, id) ?? id;
}

const unlimited = (ctx: Ctx): Ctx => ({ ...ctx, config: { ...ctx.config, relaxedLimits: true } });
/** A day that no listing's clock has passed. */
const inThreeDays = () => new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);

export const cells: Cells = {
  // Whoever sees the page of a listing sees when it can be visited; nobody else's tours are in it.
  'reads#tourOffer': operation({
    cells: pageRows.replaceAll('NotFound', 'refused '),
    async prepare({ scenario, row }) {
      await createTour(scenario);
      await giveHours(scenario);
      return scenario.listing(row);
    },
    act: (ctx, id) => tourOffer(ctx, id),
    outcomeOf: (found) => (found.ok ? 'allowed' : 'refused'),
    mayChange: () => false,
    verify: (found) => expect(JSON.stringify(found ?? null)).not.toContain('unmistakable'),
  }),
  'reads#offersTours': operation({
    cells: `
      ${HEAD}
      A’s Active  true  true  true  false  false  false  false
      A’s Sold    false  false  false  false  false  false  false
    `,
    prepare: ({ scenario }) => giveHours(scenario),
    act: (ctx, _, { scenario, row }) => {
      const { agentId, name, email, id } = scenario.cast.sellerA;
      const seller = { id: agentId ?? '', name, email, userId: id, suspended: false };
      return offersTours(ctx, { status: row === 'A’s Active' ? 'Active' : 'Sold', seller });
    },
    outcomeOf: String,
    mayChange: () => false,
  }),
  // Each side sees its own.
  'reads#ownTours': operation({
    cells: `
      ${HEAD}
      as buyer   Unauthenticated  1          0          0  0  0  0
      as seller  Unauthenticated  Forbidden  Forbidden  1  0  0  Forbidden
    `,
    prepare: ({ scenario }) => createTour(scenario),
    act: (ctx, _, { row }) => ownTours(ctx, { side: row === 'as buyer' ? 'buyer' : 'seller' }),
    outcomeOf: ({ open }) => String(open.length),
    mayChange: () => false,
  }),
  'reads#tourHours': operation({
    cells: sellersOnlyRow('own', 'allowed', 'allowed'),
    prepare: ({ scenario }) => giveHours(scenario),
    act: (ctx) => tourHours(ctx),
    mayChange: () => false,
  }),
  'reads#tourFile': operation({
    cells: `
      ${HEAD}
      A with A, confirmed              Unauthenticated  allowed   NotFound  allowed   NotFound  NotFound  NotFound
      B with the suspended, confirmed  Unauthenticated  NotFound  allowed   NotFound  NotFound  allowed   NotFound
      A with A, requested              Unauthenticated  NotFound  NotFound  NotFound  NotFound  NotFound  NotFound
      ${badIdRows()}
    `,
    prepare: tourForRow,
    act: (ctx, id) => tourFile(ctx, id),
    mayChange: () => false,
  }),
  'commands/request-tour#requestTour': operation({
    cells: `
      ${HEAD}
      A’s Active                 Unauthenticated  allowed      allowed      own       not_buyer  not_buyer  not_buyer
      A’s pending                Unauthenticated  NotFound     NotFound     own       NotFound   NotFound   not_buyer
      A’s withdrawn              Unauthenticated  NotFound     NotFound     own       NotFound   NotFound   not_buyer
      A’s escrow                 Unauthenticated  unavailable  unavailable  own       not_buyer  not_buyer  not_buyer
      A’s Sold                   Unauthenticated  unavailable  unavailable  own       not_buyer  not_buyer  not_buyer
      A’s deleted                Unauthenticated  NotFound     NotFound     NotFound  NotFound   NotFound   NotFound
      suspended seller’s Active  Unauthenticated  NotFound     NotFound     NotFound  NotFound   own        not_buyer
      A’s Active, as suspended   Unauthenticated  account_suspended  account_suspended  own  not_buyer  not_buyer  not_buyer
    `,
    async prepare({ scenario, row }) {
      await scenario.db.q().deleteFrom('tours').execute();
      await giveHours(scenario);
      return scenario.listing(row.replace(', as suspended', ''));
    },
    act: (ctx, propertyId, cell) =>
      requestTour(suspendedIfSaid(unlimited(ctx), cell), {
        propertyId,
        startsAt: tourTime().toISOString(),
        note: '',
        key: randomUUID(),
      }),
    async verify(_, propertyId, { scenario, actor, outcome }) {
      const tours = await scenario.db
        .q()
        .selectFrom('tours')
        .select('buyer_id')
        .where('property_id', '=', propertyId)
        .execute();
      expect(tours).toEqual(outcome === 'allowed' ? [{ buyer_id: scenario.person(actor).id }] : []);
    },
  }),
  // Each side has its turn: the seller's is a request, the buyer's what the seller proposed.
  'commands/confirm-tour#confirmTour': operation({
    cells: `
      ${HEAD}
      A with A, requested              Unauthenticated  impossible  NotFound     allowed     NotFound  NotFound   NotFound
      A with A, proposed               Unauthenticated  allowed     NotFound     impossible  NotFound  NotFound   NotFound
      A with A, confirmed              Unauthenticated  impossible  NotFound     impossible  NotFound  NotFound   NotFound
      B with the suspended, requested  Unauthenticated  NotFound    impossible   NotFound    NotFound  read_only  NotFound
      B with the suspended, proposed   Unauthenticated  NotFound    unavailable  NotFound    NotFound  read_only  NotFound
      ${badIdRows()}
    `,
    prepare: tourForRow,
    act: (ctx, tourId) => confirmTour(unlimited(ctx), { tourId, sequence: 0 }),
  }),
  'commands/decline-tour#declineTour': operation({
    cells: `
      ${HEAD}
      A with A, requested              Unauthenticated  impossible  NotFound    allowed     NotFound  NotFound   NotFound
      A with A, confirmed              Unauthenticated  impossible  NotFound    impossible  NotFound  NotFound   NotFound
      B with the suspended, requested  Unauthenticated  NotFound    impossible  NotFound    NotFound  read_only  NotFound
      ${badIdRows()}
    `,
    prepare: tourForRow,
    act: (ctx, tourId) => declineTour(unlimited(ctx), { tourId, sequence: 0, reason: 'Painters.' }),
  }),
  'commands/cancel-tour#cancelTour': operation({
    cells: `
      ${HEAD}
      A with A, requested               Unauthenticated  allowed            NotFound           impossible  NotFound  NotFound   NotFound
      A with A, proposed                Unauthenticated  allowed            NotFound           allowed     NotFound  NotFound   NotFound
      A with A, confirmed               Unauthenticated  allowed            NotFound           allowed     NotFound  NotFound   NotFound
      B with the suspended, confirmed   Unauthenticated  NotFound           allowed            NotFound    NotFound  read_only  NotFound
      A with A, confirmed, as suspended  Unauthenticated  account_suspended  NotFound          allowed     NotFound  NotFound   NotFound
      ${badIdRows()}
    `,
    prepare: tourForRow,
    act: (ctx, tourId, cell) =>
      cancelTour(suspendedIfSaid(unlimited(ctx), cell), { tourId, sequence: 0, reason: 'Ill.' }),
  }),
  'commands/propose-tour#proposeTour': operation({
    cells: `
      ${HEAD}
      A with A, requested              Unauthenticated  impossible  NotFound    allowed   NotFound  NotFound   NotFound
      A with A, confirmed              Unauthenticated  impossible  NotFound    allowed   NotFound  NotFound   NotFound
      B with the suspended, requested  Unauthenticated  NotFound    impossible  NotFound  NotFound  read_only  NotFound
      ${badIdRows()}
    `,
    prepare: tourForRow,
    act: (ctx, tourId) =>
      proposeTour(unlimited(ctx), { tourId, sequence: 0, day: inThreeDays(), minutes: 600 }),
  }),
  'commands/save-hours#saveHours': operation({
    cells: sellersOnlyRow('a week', 'allowed', 'Forbidden'),
    prepare: ({ scenario }) => scenario.db.q().deleteFrom('tour_hours').execute(),
    act: (ctx) => saveHours(unlimited(ctx), { week: [{ weekday: 1, starts: 540, ends: 600 }] }),
  }),
  'commands/save-day#saveDay': operation({
    cells: sellersOnlyRow('a day off', 'allowed', 'Forbidden'),
    act: (ctx) => saveDay(unlimited(ctx), { day: inThreeDays(), hours: null }),
  }),
  'commands/remove-day#removeDay': operation({
    cells: sellersOnlyRow('a day off', 'allowed', 'Forbidden'),
    async prepare({ scenario }) {
      const { sellerA, sellerB, suspendedSeller } = scenario.cast;
      await scenario.db
        .q()
        .insertInto('tour_days')
        .values(
          [sellerA, sellerB, suspendedSeller].map(({ agentId }) => ({
            agent_id: agentId ?? '',
            day: inThreeDays(),
          })),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
    act: (ctx) => removeDay(unlimited(ctx), { day: inThreeDays() }),
  }),
  // Reminders, endings and cancellations by the system are for jobs and for the closing of an account.
  'commands/update-tours#updateTours': operation({
    cells: systemOnlyRows('one confirmed'),
    prepare: ({ scenario }) => createTour(scenario, { status: 'confirmed' }),
    act: (ctx) => updateTours(ctx),
  }),
  'commands/cancel-tours-of#cancelToursOf': operation({
    cells: systemOnlyRows('of buyer A'),
    prepare: ({ scenario }) => createTour(scenario, { status: 'confirmed' }),
    act: (ctx, _, { scenario }) => cancelToursOf(ctx, { buyerId: scenario.cast.buyerA.id }),
  }),
};
