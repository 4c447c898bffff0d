import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { uploadDisclosure } from '#features/disclosures/commands/upload-disclosure.ts';
import { ownDisclosures } from '#features/disclosures/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { type Cells, operation } from '../support/operation.ts';
import { badRows, HEAD, listingOf, userOutcomes } from '../support/own-listings.ts';
import { withoutRateLimits } from '../support/sales.ts';

const folder = mkdtempSync(join(tmpdir(), 'acre-disclosure-cells-'));
const ports = { files: createFolderStore({ folder, secret: 's' }), malware: noScanner };

export const cells: Cells = {
  'reads#ownDisclosures': operation({
    cells: `
      ${HEAD}
      A’s Active                 ${userOutcomes('allowed   NotFound  NotFound')}
      A’s Sold                   ${userOutcomes('allowed   NotFound  NotFound')}
      A’s deleted                ${userOutcomes('NotFound  NotFound  NotFound')}
      suspended seller’s Active  ${userOutcomes('NotFound  NotFound  allowed')}
      unknown id                 ${userOutcomes('NotFound  NotFound  NotFound')}
      no id at all               ${userOutcomes('NotFound  NotFound  NotFound')}
    `,
    prepare: listingOf,
    act: (ctx, propertyId) => ownDisclosures(ctx, { propertyId }),
    mayChange: () => false,
    verify: (found, id) => {
      if (found) expect(found.listing.id).toBe(id);
    },
  }),
  'commands/upload-disclosure#uploadDisclosure': operation({
    cells: `
      ${HEAD}
      A’s Active                 ${userOutcomes('allowed   NotFound  Forbidden')}
      A’s pending                ${userOutcomes('allowed   NotFound  Forbidden')}
      A’s Sold                   ${userOutcomes('sold      NotFound  Forbidden')}
      A’s deleted                ${userOutcomes('NotFound  NotFound  Forbidden')}
      suspended seller’s Active  ${userOutcomes('NotFound  NotFound  Forbidden')}
      ${badRows}
    `,
    prepare: listingOf,
    act: (ctx, propertyId) =>
      uploadDisclosure(
        { ...withoutRateLimits(ctx), ...ports },
        { propertyId, name: '', file: { name: 'Lead paint.pdf', bytes: pdfFile } },
      ),
    mayChange: (outcome) => outcome === 'allowed',
    async verify(_, propertyId, { scenario, outcome, row }) {
      if (!row.includes('’s')) return;
      const found = await scenario.db
        .q()
        .selectFrom('document_registry')
        .select(['document_type', 'shown_to', 'visibility'])
        .where('property_id', '=', propertyId)
        .execute();
      const disclosure = { document_type: 'Disclosure', shown_to: 'parties', visibility: 'private' };
      expect(found).toEqual(outcome === 'allowed' ? [disclosure] : []);
    },
  }),
};
