import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { deleteDraft } from '#features/listing-form/commands/delete-draft.ts';
import { duplicateListing } from '#features/listing-form/commands/duplicate-listing.ts';
import { editListing } from '#features/listing-form/commands/edit-listing.ts';
import { ensureDraft, saveDraft } from '#features/listing-form/commands/save-draft.ts';
import { submitListing } from '#features/listing-form/commands/submit-listing.ts';
import {
  addForm,
  draftPreview,
  editForm,
  listingPreview,
  placeOfAddress,
} from '#features/listing-form/reads.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import { filledForm } from '#tests/support/fixtures/listing-form.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import type { ActorName } from '../../support/access-table.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { badRows, HEAD, listingOf, userOutcomes } from '../../support/own-listings.ts';
import { withoutRateLimits } from '../../support/sales.ts';
import type { Scenario } from '../../support/scenario.ts';
import { badId } from '../../support/table-rows.ts';

/** Creates a draft of seller A or the suspended seller, as the only draft; returns its id. */
async function draftOf(
  scenario: Scenario,
  who: 'sellerA' | 'suspended',
  propertyId: string | null,
): Promise<string> {
  await scenario.db.q().deleteFrom('property_drafts').execute();
  const { id } = await scenario.db
    .q()
    .insertInto('property_drafts')
    .values({
      agent_id: String(scenario.person(who).agentId),
      property_id: propertyId,
      form: JSON.stringify({ title: DRAFT }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const DRAFT = 'Unmistakable draft';
const draftsIn = ({ db }: Scenario) => db.q().selectFrom('property_drafts').selectAll().execute();
const geocoder = zipCodeGeocoder;

export const cells: Cells = {
  // One's own draft; a suspended seller may look at it.
  'reads#addForm': operation({
    cells: `
      ${HEAD}
      A’s draft          ${userOutcomes('own  none  none')}
      suspended’s draft  ${userOutcomes('none  none  own')}
    `,
    prepare: ({ scenario, row }) => draftOf(scenario, row.startsWith('A') ? 'sellerA' : 'suspended', null),
    act: (ctx) => addForm(ctx),
    outcomeOf: ({ draft }) => (draft?.form.title === DRAFT ? 'own' : 'none'),
    mayChange: () => false,
  }),
  'reads#editForm': operation({
    cells: `
      ${HEAD}
      A’s Active                 ${userOutcomes('allowed  NotFound  NotFound')}
      A’s pending                ${userOutcomes('allowed  NotFound  NotFound')}
      A’s Sold                   ${userOutcomes('allowed  NotFound  NotFound')}
      A’s withdrawn              ${userOutcomes('allowed  NotFound  NotFound')}
      A’s deleted                ${userOutcomes('NotFound  NotFound  NotFound')}
      suspended seller’s Active  ${userOutcomes('NotFound  NotFound  allowed')}
      unknown id                 ${userOutcomes('NotFound  NotFound  NotFound')}
      no id at all               ${userOutcomes('NotFound  NotFound  NotFound')}
    `,
    prepare: listingOf,
    act: (ctx, id) => editForm(ctx, id),
    mayChange: () => false,
    verify: (page, id) => {
      if (page) expect(page.listing.id).toBe(id);
    },
  }),
  // Like the forms that they belong to.
  'reads#draftPreview': operation({
    cells: `
      ${HEAD}
      A’s draft          ${userOutcomes('own  none  none')}
      suspended’s draft  ${userOutcomes('none  none  own')}
    `,
    prepare: ({ scenario, row }) => draftOf(scenario, row.startsWith('A') ? 'sellerA' : 'suspended', null),
    act: (ctx) => draftPreview(ctx),
    outcomeOf: (preview) => (preview?.listing.title === DRAFT ? 'own' : 'none'),
    mayChange: () => false,
  }),
  'reads#listingPreview': operation({
    cells: `
      ${HEAD}
      A’s Active                 ${userOutcomes('allowed  NotFound  NotFound')}
      A’s pending                ${userOutcomes('allowed  NotFound  NotFound')}
      A’s Sold                   ${userOutcomes('allowed  NotFound  NotFound')}
      A’s withdrawn              ${userOutcomes('allowed  NotFound  NotFound')}
      A’s deleted                ${userOutcomes('NotFound  NotFound  NotFound')}
      suspended seller’s Active  ${userOutcomes('NotFound  NotFound  allowed')}
      unknown id                 ${userOutcomes('NotFound  NotFound  NotFound')}
      no id at all               ${userOutcomes('NotFound  NotFound  NotFound')}
    `,
    prepare: listingOf,
    act: (ctx, propertyId) => listingPreview(ctx, { propertyId }),
    mayChange: () => false,
    verify: (preview, id) => {
      if (preview) expect(preview.listing.id).toBe(id);
    },
  }),
  'reads#placeOfAddress': operation({
    cells: `
      ${HEAD}
      an address  Unauthenticated  Forbidden  Forbidden  allowed  allowed  allowed  allowed
    `,
    act: (ctx) =>
      placeOfAddress(
        { ...withoutRateLimits(ctx), geocoder },
        { address: '27 Heron Way, Hood River, OR 97031' },
      ),
    mayChange: () => false,
  }),
  'commands/duplicate-listing#duplicateListing': operation({
    cells: `
      ${HEAD}
      A’s Active                 ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s Sold                   ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s Active, with a draft   ${userOutcomes('draft  NotFound  Forbidden')}
      suspended seller’s Active  ${userOutcomes('NotFound  NotFound  Forbidden')}
      ${badRows}
    `,
    async prepare(cell) {
      const { scenario, row } = cell;
      await scenario.db.q().deleteFrom('property_drafts').execute();
      if (row.endsWith('draft')) await draftOf(scenario, 'sellerA', null);
      return listingOf({ ...cell, row: row.replace(', with a draft', '') });
    },
    act: (ctx, propertyId) => duplicateListing(withoutRateLimits(ctx), { propertyId }),
  }),

  'commands/save-draft#saveDraft': operation({
    unaudited: 'a draft is nothing that anyone else sees',
    cells: `
      ${HEAD}
      a new one                  ${userOutcomes('allowed  allowed  Forbidden')}
      A’s draft                  ${userOutcomes('allowed  gone  Forbidden')}
      A’s submitted              ${userOutcomes('submitted  allowed  Forbidden')}
      A’s Active                 ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s Sold                   ${userOutcomes('locked  NotFound  Forbidden')}
      suspended seller’s Active  ${userOutcomes('NotFound  NotFound  Forbidden')}
      ${badRows}
    `,
    async prepare(cell) {
      const { scenario, row } = cell;
      if (row === 'A’s submitted') {
        await scenario.db.q().deleteFrom('property_drafts').execute();
        const draftId = randomUUID();
        await createListing(scenario.db, scenario.person('sellerA').agentId, { draft_id: draftId });
        return { draftId, propertyId: null, version: 0 };
      }
      await scenario.db.q().deleteFrom('property_drafts').execute();
      if (row === 'a new one') return { draftId: randomUUID(), propertyId: null, version: 0 };
      if (row === 'A’s draft')
        return { draftId: await draftOf(scenario, 'sellerA', null), propertyId: null, version: 1 };
      return { draftId: randomUUID(), propertyId: await listingOf(cell), version: 0 };
    },
    act: (ctx, thing) => saveDraft(withoutRateLimits(ctx), { ...thing, form: { title: 'Written' } }),
    async verify(_, { draftId }, { scenario, actor, outcome, row }) {
      const drafts = await draftsIn(scenario);
      const written = drafts.filter(({ form }) => (form as { title: string }).title === 'Written');
      const mine = actor === 'anonymous' ? null : scenario.person(actor).agentId;
      expect(written.map(({ id, agent_id }) => [id, agent_id])).toEqual(
        outcome === 'allowed' ? [[draftId, mine]] : [],
      );
      expect(drafts).toHaveLength(row === 'A’s draft' || outcome === 'allowed' ? 1 : 0);
    },
  }),
  'commands/save-draft#ensureDraft': operation({
    unaudited: 'a draft is nothing that anyone else sees',
    cells: `
      ${HEAD}
      a new one  ${userOutcomes('allowed  allowed   Forbidden')}
      A’s draft  ${userOutcomes('allowed  NotFound  Forbidden')}
      no id at all  ${userOutcomes('NotFound  NotFound  Forbidden')}
    `,
    async prepare(cell) {
      const id = await draftOf(cell.scenario, 'sellerA', null);
      if (cell.row === 'A’s draft') return id;
      await cell.scenario.db.q().deleteFrom('property_drafts').execute();
      return badId(cell, id) ?? randomUUID();
    },
    act: (ctx, draftId) => ensureDraft(ctx, { draftId }),
    async verify(id, draftId, { scenario, outcome, row }) {
      if (id) expect(id).toBe(draftId);
      expect(await draftsIn(scenario)).toHaveLength(outcome === 'allowed' || row === 'A’s draft' ? 1 : 0);
    },
  }),
  'commands/submit-listing#submitListing': operation({
    cells: `
      ${HEAD}
      without a draft  ${userOutcomes('allowed  allowed   Forbidden')}
      A’s draft        ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s submitted    ${userOutcomes('allowed  allowed  Forbidden')}
      nothing in it    ${userOutcomes('invalid  invalid   Forbidden')}
    `,
    async prepare({ scenario, row }) {
      await scenario.db.q().deleteFrom('property_drafts').execute();
      if (row === 'A’s draft') return { draftId: await draftOf(scenario, 'sellerA', null), version: 1 };
      const draftId = randomUUID();
      if (row === 'A’s submitted')
        await createListing(scenario.db, scenario.person('sellerA').agentId, { draft_id: draftId });
      return { draftId, version: 0 };
    },
    act: (ctx, thing, { row }) =>
      submitListing(
        { ...withoutRateLimits(ctx), geocoder },
        { ...thing, form: row === 'nothing in it' ? {} : filledForm() },
      ),
    mayChange: (outcome) => outcome === 'allowed',
    async verify(result, { draftId }, { scenario, actor, row }) {
      const made = await scenario.db
        .q()
        .selectFrom('properties')
        .select(['id', 'agent_id', 'status'])
        .where('draft_id', '=', draftId)
        .execute();
      // Another seller's draft id gives no access to the listing made from it.
      const owners: ActorName[] = [];
      if (row === 'A’s submitted') owners.push('sellerA');
      if (result?.ok) owners.push(actor);
      const expected = new Set(owners.map((name) => scenario.person(name).agentId));
      expect(new Set(made.map((one) => one.agent_id))).toEqual(expected);
      expect(made).toHaveLength(expected.size);
      if (result?.ok)
        expect(made.find(({ id }) => id === result.propertyId)?.agent_id).toBe(
          scenario.person(actor).agentId,
        );
      // Another seller's draft stays, whoever passes its id.
      expect(await draftsIn(scenario)).toHaveLength(row === 'A’s draft' && actor !== 'sellerA' ? 1 : 0);
    },
  }),
  'commands/edit-listing#editListing': operation({
    cells: `
      ${HEAD}
      A’s Active                 ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s pending                ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s escrow                 ${userOutcomes('locked   NotFound  Forbidden')}
      A’s Sold                   ${userOutcomes('locked   NotFound  Forbidden')}
      A’s deleted                ${userOutcomes('NotFound  NotFound  Forbidden')}
      suspended seller’s Active  ${userOutcomes('NotFound  NotFound  Forbidden')}
      ${badRows}
    `,
    prepare: listingOf,
    act: (ctx, propertyId) =>
      editListing(
        { ...withoutRateLimits(ctx), geocoder },
        { propertyId, version: 0, base: {}, form: filledForm() },
      ),
    async verify(_, id, { scenario, outcome, row }) {
      if (!row.includes('’s')) return;
      const { title } = await scenario.db
        .q()
        .selectFrom('properties')
        .select('title')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(title).toBe(outcome === 'allowed' ? filledForm().title : null);
    },
  }),
  'commands/delete-draft#deleteDraft': operation({
    unaudited: 'a draft is nothing that anyone else sees',
    cells: `
      ${HEAD}
      A’s draft           ${userOutcomes('allowed  NotFound  Forbidden')}
      suspended’s draft   ${userOutcomes('NotFound  NotFound  Forbidden')}
      A’s pending         ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s rejected        ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s Active          ${userOutcomes('status   NotFound  Forbidden')}
      A’s withdrawn       ${userOutcomes('status   NotFound  Forbidden')}
      A’s withdrawn never approved  ${userOutcomes('allowed  NotFound  Forbidden')}
      A’s Sold            ${userOutcomes('status   NotFound  Forbidden')}
      ${badRows}
    `,
    async prepare(cell) {
      const { scenario, row } = cell;
      if (row.endsWith('draft'))
        return { draftId: await draftOf(scenario, row.startsWith('A') ? 'sellerA' : 'suspended', null) };
      return { propertyId: await listingOf(cell) };
    },
    act: (ctx, which) => deleteDraft(ctx, which),
    async verify(_, which, { scenario, outcome, row }) {
      if ('draftId' in which)
        return expect(await draftsIn(scenario)).toHaveLength(outcome === 'allowed' ? 0 : 1);
      if (!row.includes('’s')) return;
      const gone = await scenario.db
        .q()
        .selectFrom('properties')
        .select('deleted_at')
        .where('id', '=', which.propertyId)
        .executeTakeFirstOrThrow();
      expect(gone.deleted_at !== null).toBe(outcome === 'allowed');
    },
  }),
};
