import { sql } from 'kysely';
import { expect } from 'vitest';
import { approveListings } from '#features/listing-review/commands/approve-listings.ts';
import { decideListing } from '#features/listing-review/commands/decide-listing.ts';
import { setFeatured } from '#features/listing-review/commands/set-featured.ts';
import {
  allListings,
  escrowListings,
  listingCounts,
  listingRecord,
  reviewQueue,
  reviewSubject,
} from '#features/listing-review/reads.ts';
import { versionOf } from '#features/listing-review/version.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { HEAD, listingOf, statusOf } from '../support/own-listings.ts';
import { newSale } from '../support/sales.ts';
import type { Scenario } from '../support/scenario.ts';
import { badId } from '../support/table-rows.ts';

const refused = 'Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden';
const missing = ['unknown id', 'no id at all'].map((row) => `${row}  ${refused}  NotFound`).join('\n');

/** Nobody else learns anything of a listing that is not public. */
const nothingLearnt = <Found>(found: Found, _: string, { outcome }: { outcome: string }) => {
  if (outcome === 'Forbidden' || outcome === 'Unauthenticated') expect(found).toBeUndefined();
};

async function prepare(cell: Cell): Promise<string> {
  await cell.scenario.db
    .q()
    .updateTable('properties')
    .set({ featured_slot: null })
    .where('featured_slot', 'is not', null)
    .execute();
  return listingOf(cell);
}

/** What an administrator has looked at; nothing for a listing that there is not. */
async function versionSeen({ db }: Scenario, id: string): Promise<string> {
  const row = await db
    .q()
    .selectFrom('properties as p')
    .select(versionOf('p').as('version'))
    .where(sql`p.id::text`, '=', id)
    .executeTakeFirst();
  return row?.version ?? '';
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

  'reads#reviewQueue': operation({
    cells: `
      ${HEAD}
      A’s pending    ${refused}  shown
      A’s rejected   ${refused}  hidden
      A’s Active     ${refused}  hidden
      A’s deleted    ${refused}  hidden
    `,
    prepare: listingOf,
    act: (ctx) => reviewQueue(ctx, { page: 1 }),
    outcomeOf: ({ rows }, id) => (rows.some((row) => row.id === id) ? 'shown' : 'hidden'),
    mayChange: () => false,
    verify: nothingLearnt,
  }),

  'reads#reviewSubject': operation({
    cells: `
      ${HEAD}
      A’s pending    ${refused}  allowed
      A’s withdrawn  ${refused}  allowed
      A’s deleted    ${refused}  NotFound
      ${missing}
    `,
    prepare: listingOf,
    act: (ctx, id, cell) => reviewSubject(ctx, { id: badId(cell, id) ?? id }),
    mayChange: () => false,
    verify: nothingLearnt,
  }),

  'reads#escrowListings': operation({
    cells: `
      ${HEAD}
      in escrow  ${refused}  shown
    `,
    prepare: ({ scenario }) => newSale(scenario, 'in escrow'),
    act: (ctx) => escrowListings(ctx, { page: 1 }),
    outcomeOf: ({ rows }, { saleId }) => (rows.some((row) => row.saleId === saleId) ? 'shown' : 'hidden'),
    mayChange: () => false,
    verify: (found, _, { outcome }) => {
      if (outcome === 'Forbidden' || outcome === 'Unauthenticated') expect(found).toBeUndefined();
    },
  }),

  'commands/decide-listing#decideListing': operation({
    cells: `
      ${HEAD}
      A’s pending                 ${refused}  allowed
      A’s changes_requested       ${refused}  not_waiting
      A’s Active                  ${refused}  not_waiting
      A’s Sold                    ${refused}  not_waiting
      A’s deleted                 ${refused}  not_waiting
      ${missing}
    `,
    prepare: listingOf,
    act: async (ctx, id, cell) =>
      decideListing(ctx, {
        propertyId: badId(cell, id) ?? id,
        version: await versionSeen(cell.scenario, id),
        decision: 'reject',
        reason: 'price',
        message: 'The price lacks a digit.',
      }),
    mayChange: (outcome) => outcome === 'allowed',
    verify: async (_, id, { scenario, outcome }) => {
      if (outcome === 'allowed') expect(await statusOf(scenario, id)).toBe('rejected');
    },
  }),

  'commands/approve-listings#approveListings': operation({
    cells: `
      ${HEAD}
      A’s pending  ${refused}  allowed
      A’s Active   ${refused}  none
      A’s deleted  ${refused}  none
      unknown id   ${refused}  none
    `,
    prepare: listingOf,
    act: async (ctx, id, cell) =>
      approveListings(ctx, [
        { propertyId: badId(cell, id) ?? id, version: await versionSeen(cell.scenario, id) },
      ]),
    outcomeOf: ({ approved }) => (approved === 1 ? 'allowed' : 'none'),
    mayChange: (outcome) => outcome === 'allowed',
    verify: async (_, id, { scenario, outcome }) => {
      if (outcome === 'allowed') expect(await statusOf(scenario, id)).toBe('Active');
    },
  }),
};
