import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { registerDocument } from '#features/documents/commands/register-document.ts';
import { scanHeldDocuments } from '#features/documents/commands/scan-held-documents.ts';
import { discardDocument, storeDocument } from '#features/documents/commands/store-document.ts';
import type { StoredDocument } from '#features/documents/model.ts';
import { documentLink, latestDocument } from '#features/documents/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { Ctx } from '#platform/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { withoutRateLimits } from '../support/sales.ts';
import { badId, HEAD, systemOnlyRows } from '../support/table-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'acre-document-cells-'));
const ports = { files: createFolderStore({ folder, secret: 's' }), malware: noScanner };
const withPorts = (ctx: Ctx) => ({ ...withoutRateLimits(ctx), ...ports });
const forAdministrators = (row: string, outcome = 'allowed') =>
  `${row}  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}`;

const stored: StoredDocument = {
  key: 'documents/cell.pdf',
  name: 'Confidential survey.pdf',
  contentType: 'application/pdf',
  bytes: 1,
  sha256: '0'.repeat(64),
  cid: 'bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e',
  scan: 'clean',
};

/** A document of seller A's listing. */
async function newDocument({ scenario }: Cell) {
  const propertyId = await scenario.listing('A’s Active');
  const { id: documentId } = await registerDocument(scenario.ctx('admin'), {
    propertyId,
    type: 'Survey',
    document: stored,
  });
  return { propertyId, documentId };
}

export const cells: Cells = {
  'reads#latestDocument': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s survey')}
    `,
    prepare: newDocument,
    act: (ctx, { propertyId }) => latestDocument(ctx, { propertyId, type: 'Survey' }),
    mayChange: () => false,
    verify: (found, { documentId }) => {
      if (found) expect(found.id).toBe(documentId);
    },
  }),
  'reads#documentLink': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s survey')}
      ${forAdministrators('unknown id', 'NotFound')}
      ${forAdministrators('no id at all', 'NotFound')}
    `,
    prepare: newDocument,
    act: (ctx, { documentId }, cell) => documentLink(withPorts(ctx), badId(cell, documentId) ?? documentId),
    mayChange: () => false,
  }),
  'commands/store-document#storeDocument': operation({
    unaudited: 'nothing names the file before it is registered, which writes the audit row',
    cells: `
      ${HEAD}
      ${forAdministrators('a document')}
      ${forAdministrators('no document', 'format')}
    `,
    act: (ctx, _, { row }) =>
      storeDocument(withPorts(ctx), {
        bytes: row === 'a document' ? pdfFile : Buffer.from('plain'),
        name: 'survey.pdf',
      }),
    mayChange: () => false,
  }),
  'commands/store-document#discardDocument': operation({
    unaudited: 'nothing names the file',
    cells: `
      ${HEAD}
      ${forAdministrators('a document')}
    `,
    act: (ctx) => discardDocument(withPorts(ctx), stored),
    mayChange: () => false,
  }),
  'commands/register-document#registerDocument': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s Active')}
    `,
    prepare: ({ scenario }) => scenario.listing('A’s Active'),
    act: (ctx, propertyId) => registerDocument(ctx, { propertyId, type: 'Survey', document: stored }),
  }),
  'commands/scan-held-documents#scanHeldDocuments': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) => scanHeldDocuments(withPorts(ctx)),
  }),
};
