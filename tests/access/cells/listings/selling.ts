import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { approveListing } from '#features/listings/commands/approve-listing.ts';
import { deleteDraft } from '#features/listings/commands/delete-draft.ts';
import { editListing } from '#features/listings/commands/edit-listing.ts';
import { relistListing } from '#features/listings/commands/relist-listing.ts';
import { ensureDraft, saveDraft } from '#features/listings/commands/save-draft.ts';
import { submitListing } from '#features/listings/commands/submit-listing.ts';
import { withdrawListing } from '#features/listings/commands/withdraw-listing.ts';
import { addForm, editForm, placeOfAddress } from '#features/listings/reads.ts';
import { zipCentres } from '#gateways/geocoder/zips.ts';
import { createListing } from '#tests/support/listings.ts';
import { filledForm } from '#tests/support/seller-form.ts';
import { type Cell, type Cells, operation } from '../../operation.ts';
import { badId } from '../../sale-rows.ts';
import { newSale, unhurried } from '../../sales.ts';
import type { Stage } from '../../stage.ts';
import type { ActorName } from '../../table.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const people = (word: string) => `Unauthenticated  Forbidden  Forbidden  ${word}  Forbidden`;
const nobodys = (...rows: string[]) =>
  rows.map((row) => `${row}  ${people('NotFound  NotFound  Forbidden')}`).join('\n');
const badRows = nobodys('unknown id', 'no id at all', 'id in upper case');

/** Seller A's listing, or that of the suspended one, as the row names it: 'A’s Active', 'suspended seller’s Active'. */
async function listingOf(cell: Cell): Promise<string> {
  const { stage, row } = cell;
  if (row.includes('held')) {
    const house = await stage.listing('A’s Active');
    await newSale(stage, 'begun', { house });
    return house;
  }
  if (row.includes('’s')) {
    const approved = !/pending|changes_requested|rejected|deleted/.test(row) && !row.includes('never');
    return stage.listing(row.replace(' never approved', ''), approved ? { listed_at: new Date() } : {});
  }
  const real = await stage.listing('A’s Active');
  return badId(cell, real) ?? real;
}

/** A draft of seller A, or of the suspended seller; its id. */
async function draftOf(
  stage: Stage,
  who: 'sellerA' | 'suspended',
  propertyId: string | null,
): Promise<string> {
  await stage.db.q().deleteFrom('property_drafts').execute();
  const { id } = await stage.db
    .q()
    .insertInto('property_drafts')
    .values({
      agent_id: String(stage.person(who).agentId),
      property_id: propertyId,
      form: JSON.stringify({ title: DRAFT }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const DRAFT = 'Unmistakable draft';
const draftsIn = ({ db }: Stage) => db.q().selectFrom('property_drafts').selectAll().execute();
const means = { geocoder: zipCentres, attachPhotos: async () => {} };
const statusOf = async ({ db }: Stage, id: string) =>
  (await db.q().selectFrom('properties').select('status').where('id', '=', id).executeTakeFirst())?.status;

export const cells: Cells = {
  // A form of one's own: a suspended seller looks at it.
  'reads#addForm': operation({
    cells: `
      ${HEAD}
      A’s draft          ${people('own  none  none')}
      suspended’s draft  ${people('none  none  own')}
    `,
    prepare: ({ stage, row }) => draftOf(stage, row.startsWith('A') ? 'sellerA' : 'suspended', null),
    act: (ctx) => addForm(ctx),
    says: ({ draft }) => (draft?.form.title === DRAFT ? 'own' : 'none'),
    changes: () => false,
  }),
  'reads#editForm': operation({
    cells: `
      ${HEAD}
      A’s Active                 ${people('allowed  NotFound  NotFound')}
      A’s pending                ${people('allowed  NotFound  NotFound')}
      A’s Sold                   ${people('allowed  NotFound  NotFound')}
      A’s withdrawn              ${people('allowed  NotFound  NotFound')}
      A’s deleted                ${people('NotFound  NotFound  NotFound')}
      suspended seller’s Active  ${people('NotFound  NotFound  allowed')}
      unknown id                 ${people('NotFound  NotFound  NotFound')}
      no id at all               ${people('NotFound  NotFound  NotFound')}
    `,
    prepare: listingOf,
    act: (ctx, id) => editForm(ctx, id),
    changes: () => false,
    holds: (page, id) => {
      if (page) expect(page.listing.id).toBe(id);
    },
  }),
  'reads#placeOfAddress': operation({
    cells: `
      ${HEAD}
      an address  ${people('allowed  allowed  allowed')}
    `,
    act: (ctx) => placeOfAddress(unhurried(ctx), '27 Heron Way, Hood River, OR 97031', zipCentres),
    changes: () => false,
  }),

  'commands/save-draft#saveDraft': operation({
    cells: `
      ${HEAD}
      a new one                  ${people('allowed  allowed  Forbidden')}
      A’s draft                  ${people('allowed  gone  Forbidden')}
      A’s submitted              ${people('submitted  allowed  Forbidden')}
      A’s Active                 ${people('allowed  NotFound  Forbidden')}
      A’s Sold                   ${people('locked  NotFound  Forbidden')}
      suspended seller’s Active  ${people('NotFound  NotFound  Forbidden')}
      ${badRows}
    `,
    async prepare(cell) {
      const { stage, row } = cell;
      if (row === 'A’s submitted') {
        await stage.db.q().deleteFrom('property_drafts').execute();
        const draftId = randomUUID();
        await createListing(stage.db, stage.person('sellerA').agentId, { draft_id: draftId });
        return { draftId, propertyId: null, version: 0 };
      }
      await stage.db.q().deleteFrom('property_drafts').execute();
      if (row === 'a new one') return { draftId: randomUUID(), propertyId: null, version: 0 };
      if (row === 'A’s draft')
        return { draftId: await draftOf(stage, 'sellerA', null), propertyId: null, version: 1 };
      return { draftId: randomUUID(), propertyId: await listingOf(cell), version: 0 };
    },
    act: (ctx, thing) => saveDraft(unhurried(ctx), { ...thing, form: { title: 'Written' } }),
    async holds(_, { draftId }, { stage, actor, word, row }) {
      const drafts = await draftsIn(stage);
      const written = drafts.filter(({ form }) => (form as { title: string }).title === 'Written');
      const mine = actor === 'anonymous' ? null : stage.person(actor).agentId;
      expect(written.map(({ id, agent_id }) => [id, agent_id])).toEqual(
        word === 'allowed' ? [[draftId, mine]] : [],
      );
      expect(drafts).toHaveLength(row === 'A’s draft' || word === 'allowed' ? 1 : 0);
    },
  }),
  'commands/save-draft#ensureDraft': operation({
    cells: `
      ${HEAD}
      a new one  ${people('allowed  allowed   Forbidden')}
      A’s draft  ${people('allowed  NotFound  Forbidden')}
      no id at all  ${people('NotFound  NotFound  Forbidden')}
    `,
    async prepare(cell) {
      const id = await draftOf(cell.stage, 'sellerA', null);
      if (cell.row === 'A’s draft') return id;
      await cell.stage.db.q().deleteFrom('property_drafts').execute();
      return badId(cell, id) ?? randomUUID();
    },
    act: (ctx, draftId) => ensureDraft(ctx, { draftId }),
    async holds(id, draftId, { stage, word, row }) {
      if (id) expect(id).toBe(draftId);
      expect(await draftsIn(stage)).toHaveLength(word === 'allowed' || row === 'A’s draft' ? 1 : 0);
    },
  }),
  'commands/submit-listing#submitListing': operation({
    cells: `
      ${HEAD}
      without a draft  ${people('allowed  allowed   Forbidden')}
      A’s draft        ${people('allowed  allowed  Forbidden')}
      A’s submitted    ${people('allowed  allowed  Forbidden')}
      nothing in it    ${people('invalid  invalid   Forbidden')}
    `,
    async prepare({ stage, row }) {
      await stage.db.q().deleteFrom('property_drafts').execute();
      if (row === 'A’s draft') return { draftId: await draftOf(stage, 'sellerA', null), version: 1 };
      const draftId = randomUUID();
      if (row === 'A’s submitted')
        await createListing(stage.db, stage.person('sellerA').agentId, { draft_id: draftId });
      return { draftId, version: 0 };
    },
    act: (ctx, thing, { row }) =>
      submitListing(unhurried(ctx), { ...thing, form: row === 'nothing in it' ? {} : filledForm() }, means),
    changes: (word) => word === 'allowed',
    async holds(result, { draftId }, { stage, actor, row }) {
      const made = await stage.db
        .q()
        .selectFrom('properties')
        .select(['id', 'agent_id', 'status'])
        .where('draft_id', '=', draftId)
        .execute();
      // The id of another's draft is no way to that one's listing.
      const owners: ActorName[] = [];
      if (row === 'A’s submitted') owners.push('sellerA');
      if (result?.ok) owners.push(actor);
      const expected = new Set(owners.map((name) => stage.person(name).agentId));
      expect(new Set(made.map((one) => one.agent_id))).toEqual(expected);
      expect(made).toHaveLength(expected.size);
      if (result?.ok)
        expect(made.find(({ id }) => id === result.propertyId)?.agent_id).toBe(stage.person(actor).agentId);
      // Another's draft stays, whoever names its id.
      expect(await draftsIn(stage)).toHaveLength(row === 'A’s draft' && actor !== 'sellerA' ? 1 : 0);
    },
  }),
  'commands/edit-listing#editListing': operation({
    cells: `
      ${HEAD}
      A’s Active                 ${people('allowed  NotFound  Forbidden')}
      A’s pending                ${people('allowed  NotFound  Forbidden')}
      A’s escrow                 ${people('locked   NotFound  Forbidden')}
      A’s Sold                   ${people('locked   NotFound  Forbidden')}
      A’s deleted                ${people('NotFound  NotFound  Forbidden')}
      suspended seller’s Active  ${people('NotFound  NotFound  Forbidden')}
      ${badRows}
    `,
    prepare: listingOf,
    act: (ctx, propertyId) =>
      editListing(unhurried(ctx), { propertyId, version: 0, base: {}, form: filledForm() }, zipCentres),
    async holds(_, id, { stage, word, row }) {
      if (!row.includes('’s')) return;
      const { title } = await stage.db
        .q()
        .selectFrom('properties')
        .select('title')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(title).toBe(word === 'allowed' ? filledForm().title : null);
    },
  }),
  'commands/withdraw-listing#withdrawListing': operation({
    cells: `
      ${HEAD}
      A’s Active                 ${people('allowed  NotFound  Forbidden')}
      A’s pending                ${people('allowed  NotFound  Forbidden')}
      A’s escrow                 ${people('status   NotFound  Forbidden')}
      A’s Sold                   ${people('status   NotFound  Forbidden')}
      A’s withdrawn              ${people('status   NotFound  Forbidden')}
      A’s deleted                ${people('NotFound  NotFound  Forbidden')}
      held by a purchase         ${people('being_bought  NotFound  Forbidden')}
      suspended seller’s Active  ${people('NotFound  NotFound  Forbidden')}
      ${badRows}
    `,
    prepare: listingOf,
    act: (ctx, propertyId) => withdrawListing(ctx, { propertyId }),
    async holds(_, id, { stage, word }) {
      if (word === 'allowed') expect(await statusOf(stage, id)).toBe('withdrawn');
    },
  }),
  'commands/relist-listing#relistListing': operation({
    cells: `
      ${HEAD}
      A’s withdrawn                 ${people('allowed  NotFound  Forbidden')}
      A’s withdrawn never approved  ${people('allowed  NotFound  Forbidden')}
      A’s Active                    ${people('status   NotFound  Forbidden')}
      A’s Sold                      ${people('status   NotFound  Forbidden')}
      A’s rejected                  ${people('status   NotFound  Forbidden')}
      suspended seller’s Sold       ${people('NotFound  NotFound  Forbidden')}
      ${badRows}
    `,
    prepare: listingOf,
    act: (ctx, propertyId) => relistListing(ctx, { propertyId }),
    async holds(_, id, { stage, word, row }) {
      if (word === 'allowed')
        expect(await statusOf(stage, id)).toBe(row.includes('never') ? 'pending' : 'Active');
    },
  }),
  'commands/delete-draft#deleteDraft': operation({
    cells: `
      ${HEAD}
      A’s draft           ${people('allowed  NotFound  Forbidden')}
      suspended’s draft   ${people('NotFound  NotFound  Forbidden')}
      A’s pending         ${people('allowed  NotFound  Forbidden')}
      A’s rejected        ${people('allowed  NotFound  Forbidden')}
      A’s Active          ${people('status   NotFound  Forbidden')}
      A’s withdrawn       ${people('status   NotFound  Forbidden')}
      A’s withdrawn never approved  ${people('allowed  NotFound  Forbidden')}
      A’s Sold            ${people('status   NotFound  Forbidden')}
      ${badRows}
    `,
    async prepare(cell) {
      const { stage, row } = cell;
      if (row.endsWith('draft'))
        return { draftId: await draftOf(stage, row.startsWith('A') ? 'sellerA' : 'suspended', null) };
      return { propertyId: await listingOf(cell) };
    },
    act: (ctx, which) => deleteDraft(ctx, which),
    async holds(_, which, { stage, word, row }) {
      if ('draftId' in which) return expect(await draftsIn(stage)).toHaveLength(word === 'allowed' ? 0 : 1);
      if (!row.includes('’s')) return;
      const gone = await stage.db
        .q()
        .selectFrom('properties')
        .select('deleted_at')
        .where('id', '=', which.propertyId)
        .executeTakeFirstOrThrow();
      expect(gone.deleted_at !== null).toBe(word === 'allowed');
    },
  }),
  // The administrators' decision, and until their area has it the command line's.
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
    async holds(_, id, { stage, word }) {
      if (word === 'allowed') expect(await statusOf(stage, id)).toBe('Active');
    },
  }),
};
