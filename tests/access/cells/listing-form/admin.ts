import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createProperty } from '#features/listing-form/commands/create-property.ts';
import { editProperty } from '#features/listing-form/commands/edit-property.ts';
import { ensurePropertyDraft } from '#features/listing-form/commands/ensure-property-draft.ts';
import { newPropertyForm, propertyForm, sellerChoices } from '#features/listing-form/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { Ctx } from '#platform/context.ts';
import { filledForm } from '#tests/support/fixtures/listing-form.ts';
import { type Cell, type Cells, operation } from '../../support/operation.ts';
import { withoutRateLimits } from '../../support/sales.ts';
import { badId, HEAD } from '../../support/table-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'acre-property-cells-'));
const ports = {
  files: createFolderStore({ folder, secret: 's' }),
  malware: noScanner,
  geocoder: zipCodeGeocoder,
};
const withPorts = (ctx: Ctx) => ({ ...withoutRateLimits(ctx), ...ports });
const forAdministrators = (row: string, outcome = 'allowed') =>
  `${row}  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}`;

async function listingFor(cell: Cell): Promise<string> {
  const id = await cell.scenario.listing(cell.row.includes('’s') ? cell.row : 'A’s Active');
  return badId(cell, id) ?? id;
}

export const cells: Cells = {
  'reads#newPropertyForm': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('a new property')}
    `,
    act: (ctx) => newPropertyForm(ctx),
    mayChange: () => false,
  }),
  'reads#propertyForm': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s Active')}
      ${forAdministrators('A’s pending')}
      ${forAdministrators('A’s Sold')}
      ${forAdministrators('A’s deleted', 'NotFound')}
      ${forAdministrators('suspended seller’s Active')}
      ${forAdministrators('unknown id', 'NotFound')}
      ${forAdministrators('no id at all', 'NotFound')}
    `,
    prepare: listingFor,
    act: (ctx, id) => propertyForm(ctx, id),
    mayChange: () => false,
    verify: (page, id) => {
      if (page) expect(page.property.id).toBe(id);
    },
  }),
  'reads#sellerChoices': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('all sellers', 'three')}
    `,
    act: (ctx) => sellerChoices(ctx, 'agent'),
    outcomeOf: (sellers) => (sellers.length === 3 ? 'three' : String(sellers.length)),
    mayChange: () => false,
  }),
  'commands/ensure-property-draft#ensurePropertyDraft': operation({
    unaudited: 'a draft is nothing that anyone else sees',
    cells: `
      ${HEAD}
      ${forAdministrators('a new one')}
      ${forAdministrators('no id at all', 'NotFound')}
    `,
    async prepare(cell) {
      await cell.scenario.db.q().deleteFrom('property_drafts').execute();
      const id = randomUUID();
      return badId(cell, id) ?? id;
    },
    act: (ctx, draftId) => ensurePropertyDraft(ctx, { draftId }),
    async verify(id, draftId, { scenario, outcome }) {
      if (id) expect(id).toBe(draftId);
      const drafts = await scenario.db.q().selectFrom('property_drafts').select('admin_id').execute();
      expect(drafts).toEqual(outcome === 'allowed' ? [{ admin_id: scenario.person('admin').id }] : []);
    },
  }),
  'commands/create-property#createProperty': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('for seller A')}
      ${forAdministrators('nothing in it', 'invalid')}
    `,
    prepare: async () => randomUUID(),
    act: (ctx, draftId, { row, scenario }) =>
      createProperty(withPorts(ctx), {
        draftId,
        form:
          row === 'nothing in it'
            ? {}
            : { ...filledForm(), seller: scenario.person('sellerA').agentId, status: 'Active' },
        survey: null,
      }),
    mayChange: (outcome) => outcome === 'allowed',
    async verify(_, draftId, { scenario, outcome }) {
      const made = await scenario.db
        .q()
        .selectFrom('properties')
        .select('agent_id')
        .where('draft_id', '=', draftId)
        .execute();
      const agent_id = scenario.person('sellerA').agentId;
      expect(made).toEqual(outcome === 'allowed' ? [{ agent_id }] : []);
    },
  }),
  'commands/edit-property#editProperty': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s Active')}
      ${forAdministrators('A’s withdrawn')}
      ${forAdministrators('suspended seller’s Active')}
      ${forAdministrators('A’s deleted', 'NotFound')}
      ${forAdministrators('unknown id', 'NotFound')}
      ${forAdministrators('no id at all', 'NotFound')}
    `,
    prepare: listingFor,
    act: (ctx, propertyId) =>
      editProperty(withPorts(ctx), {
        propertyId,
        base: { title: '' },
        form: { title: 'Changed by the office' },
        reason: '',
        survey: null,
      }),
    async verify(_, id, { scenario, outcome, row }) {
      if (!row.includes('’s')) return;
      const { title } = await scenario.db
        .q()
        .selectFrom('properties')
        .select('title')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(title).toBe(outcome === 'allowed' ? 'Changed by the office' : null);
    },
  }),
};
