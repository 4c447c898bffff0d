import { expect } from 'vitest';
import { approveListing } from '#features/listings/commands/approve-listing.ts';
import { deleteListing } from '#features/listings/commands/delete-listing.ts';
import { moveListing } from '#features/listings/commands/move-listing.ts';
import { recordChanges } from '#features/listings/commands/record-changes.ts';
import { relistListing } from '#features/listings/commands/relist-listing.ts';
import { undoListingChange } from '#features/listings/commands/undo-listing-change.ts';
import { withdrawListing } from '#features/listings/commands/withdraw-listing.ts';
import type { ListingEvent } from '#features/listings/transitions.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { badRows, HEAD, listingOf, statusOf, userOutcomes } from '../../support/own-listings.ts';
import { systemOnlyRows } from '../../support/table-rows.ts';

export const cells: Cells = {
  'commands/withdraw-listing#withdrawListing': operation({
    cells: `
      ${HEAD}
      A’s Active                 ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s pending                ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s escrow                 ${userOutcomes('status   NotFound  Forbidden')}
      A’s Sold                   ${userOutcomes('status   NotFound  Forbidden')}
      A’s withdrawn              ${userOutcomes('status   NotFound  Forbidden')}
      A’s deleted                ${userOutcomes('NotFound  NotFound  Forbidden')}
      held by a purchase         ${userOutcomes('being_bought  NotFound  Forbidden')}
      suspended seller’s Active  ${userOutcomes('NotFound  NotFound  Forbidden')}
      ${badRows}
    `,
    prepare: listingOf,
    act: (ctx, propertyId) => withdrawListing(ctx, { propertyId }),
    async verify(_, id, { scenario, outcome }) {
      if (outcome === 'allowed') expect(await statusOf(scenario, id)).toBe('withdrawn');
    },
  }),
  'commands/undo-listing-change#undoListingChange': operation({
    cells: systemOnlyRows('A’s Active'),
    prepare: listingOf,
    act: (ctx, propertyId) => undoListingChange(ctx, { propertyId, before: { price_cents: 1 } }),
  }),
  'commands/relist-listing#relistListing': operation({
    cells: `
      ${HEAD}
      A’s withdrawn                 ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s withdrawn never approved  ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s Active                    ${userOutcomes('status   NotFound  Forbidden')}
      A’s Sold                      ${userOutcomes('status   NotFound  Forbidden')}
      A’s rejected                  ${userOutcomes('status   NotFound  Forbidden')}
      suspended seller’s Sold       ${userOutcomes('NotFound  NotFound  Forbidden')}
      ${badRows}
    `,
    prepare: listingOf,
    act: (ctx, propertyId) => relistListing(ctx, { propertyId }),
    async verify(_, id, { scenario, outcome, row }) {
      if (outcome === 'allowed')
        expect(await statusOf(scenario, id)).toBe(row.includes('never') ? 'pending' : 'Active');
    },
  }),
  'commands/delete-listing#deleteListing': operation({
    cells: `
      ${HEAD}
      A’s pending                   ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s rejected                  ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s Active                    ${userOutcomes('status   NotFound  Forbidden')}
      A’s withdrawn                 ${userOutcomes('status   NotFound  Forbidden')}
      A’s withdrawn never approved  ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s Sold                      ${userOutcomes('status   NotFound  Forbidden')}
      suspended seller’s Active     ${userOutcomes('NotFound  NotFound  Forbidden')}
      ${badRows}
    `,
    prepare: listingOf,
    act: (ctx, propertyId) => deleteListing(ctx, { propertyId }),
    async verify(_, id, { scenario, outcome, row }) {
      if (!row.includes('’s')) return;
      const { deleted_at } = await scenario.db
        .q()
        .selectFrom('properties')
        .select('deleted_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(deleted_at !== null).toBe(outcome === 'allowed');
    },
  }),
  // Each event belongs to a seller's own listing, to administrators, to a sale that justifies it, or to the operator.
  'commands/move-listing#moveListing': operation({
    cells: `
      ${HEAD}
      withdraw A’s Active        ${userOutcomes('allowed  NotFound  Forbidden')}
      relist A’s withdrawn       ${userOutcomes('allowed  NotFound  Forbidden')}
      resubmit A’s rejected      ${userOutcomes('allowed  NotFound  Forbidden')}
      delete A’s pending         ${userOutcomes('allowed  NotFound  Forbidden')}
      submit A’s pending         ${userOutcomes('status  NotFound  Forbidden')}
      approve A’s pending        Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      set_active A’s withdrawn   Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      set_pending A’s Active     Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      set_escrow A’s pending     Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      set_sold A’s Active        Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      set_sold held by a purchase  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  being_bought
      add A’s pending            Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  status
      reject A’s pending         Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      request_changes A’s pending  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      begin_escrow A’s Active    Unauthenticated  status     status     status     status     status     status
      release_escrow A’s Active  Unauthenticated  status     status     status     status     status     status
      sell A’s escrow            Unauthenticated  status     status     status     status     status     status
      import A’s pending         Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden
    `,
    async prepare(cell) {
      const [event, ...rest] = cell.row.split(' ');
      return { event: event as ListingEvent, propertyId: await listingOf({ ...cell, row: rest.join(' ') }) };
    },
    act: (ctx, input) => moveListing(ctx, input),
    mayChange: (outcome) => outcome === 'allowed',
  }),
  // Part of a command that has loaded the listing as the seller's own, or for an administrator.
  'commands/record-changes#recordChanges': operation({
    unaudited: 'the history of a listing is its own record; the callers write the audit row',
    cells: `
      ${HEAD}
      A’s Active  Unauthenticated  Forbidden  Forbidden  allowed  allowed  Forbidden  allowed
    `,
    prepare: listingOf,
    act: (ctx, propertyId) =>
      recordChanges(ctx, { propertyId, changes: [{ field: 'title', from: null, to: 'Changed' }] }),
  }),
  // Only administrators approve listings.
  'commands/approve-listing#approveListing': operation({
    cells: `
      ${HEAD}
      A’s pending            Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      A’s changes_requested  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      A’s Active             Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  status
      A’s withdrawn          Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  status
      A’s deleted            Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
      unknown id             Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
      no id at all           Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
    `,
    prepare: listingOf,
    act: (ctx, propertyId) => approveListing(ctx, { propertyId }),
    async verify(_, id, { scenario, outcome }) {
      if (outcome === 'allowed') expect(await statusOf(scenario, id)).toBe('Active');
    },
  }),
};
