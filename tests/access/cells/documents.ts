import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { deleteDocumentFile } from '#features/documents/commands/delete-document-file.ts';
import { makePrivate } from '#features/documents/commands/make-private.ts';
import { registerDocument } from '#features/documents/commands/register-document.ts';
import { registerOnChain } from '#features/documents/commands/register-on-chain.ts';
import { revokeDocument } from '#features/documents/commands/revoke-document.ts';
import { scanHeldDocuments } from '#features/documents/commands/scan-held-documents.ts';
import { storeDocument } from '#features/documents/commands/store-document.ts';
import { uploadDocument } from '#features/documents/commands/upload-document.ts';
import { insertDocument } from '#features/documents/insert-document.ts';
import type { DocumentAudience, StoredDocument } from '#features/documents/model.ts';
import {
  documentLink,
  documentList,
  documentsOfSale,
  documentTotals,
  latestDocument,
  propertyChoices,
  propertyDocuments,
  propertyOfDocuments,
  tokenList,
  tokensOfProperty,
  usedDocumentTypes,
} from '#features/documents/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { Ctx } from '#platform/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { sharedSale, withoutRateLimits } from '../support/sales.ts';
import { badId, HEAD, notFoundRows, systemOnlyRows } from '../support/table-rows.ts';

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

/** A document shown to whom the row names: of a sale, or about seller A alone. */
async function shownDocument(cell: Cell) {
  const { scenario, row } = cell;
  const [subject = '', audience] = row.split(', ');
  if (!audience) return { ...(await newDocument(cell)), saleId: null };
  const others = subject.startsWith('B’s') ? { buyer: 'buyerB' as const, seller: 'suspended' as const } : {};
  const sale = subject.startsWith('about') ? null : await sharedSale(scenario, 'in escrow', others);
  const { id: documentId } = await insertDocument(scenario.ctx('admin'), {
    propertyId: sale?.propertyId ?? null,
    saleId: sale?.saleId ?? null,
    agentId: sale ? null : scenario.person('sellerA').agentId,
    type: 'Other',
    shownTo: audience as DocumentAudience,
    uploadedBy: null,
    document: { ...stored, key: `documents/${randomUUID()}.pdf` },
  });
  return { documentId, saleId: sale?.saleId ?? null };
}
/** A read of all documents or tokens, which has nothing to be prepared. */
const listCell = (act: (ctx: Ctx) => Promise<unknown>) =>
  operation({
    cells: `
      ${HEAD}
      ${forAdministrators('all of them')}
    `,
    act: (ctx) => act(ctx),
    mayChange: () => false,
  });

/** A read about a property. */
const ofProperty = (act: (ctx: Ctx, propertyId: string) => Promise<unknown>, unknown = 'NotFound') =>
  operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s Active')}
      ${forAdministrators('unknown id', unknown)}
      ${forAdministrators('no id at all', unknown)}
    `,
    prepare: ({ scenario }) => scenario.listing('A’s Active'),
    act: (ctx, propertyId, cell) => act(ctx, badId(cell, propertyId) ?? propertyId),
    mayChange: () => false,
  });

export const cells: Cells = {
  'reads#documentTotals': listCell((ctx) => documentTotals(ctx)),
  'reads#documentList': listCell((ctx) => documentList(ctx)),
  'reads#usedDocumentTypes': listCell((ctx) => usedDocumentTypes(ctx)),
  'reads#tokenList': listCell((ctx) => tokenList(ctx, { kind: 'completion' })),
  'reads#propertyChoices': listCell((ctx) => propertyChoices(ctx, 'a')),
  'reads#tokensOfProperty': ofProperty((ctx, propertyId) => tokensOfProperty(ctx, { propertyId }), 'allowed'),
  'reads#propertyDocuments': ofProperty((ctx, propertyId) => propertyDocuments(ctx, { propertyId })),
  'reads#propertyOfDocuments': ofProperty((ctx, propertyId) => propertyOfDocuments(ctx, { propertyId })),
  'commands/upload-document#uploadDocument': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s Active')}
      ${forAdministrators('no document', 'refused')}
      ${forAdministrators('unknown id', 'NotFound')}
      ${forAdministrators('no id at all', 'NotFound')}
    `,
    prepare: ({ scenario }) => scenario.listing('A’s Active'),
    act: async (ctx, propertyId, cell) => {
      const result = await uploadDocument(withPorts(ctx), {
        propertyId: badId(cell, propertyId) ?? propertyId,
        type: 'Deed',
        name: '',
        visibility: 'private',
        confirmedPublic: false,
        file: { name: 'deed.pdf', bytes: cell.row === 'no document' ? Buffer.from('plain') : pdfFile },
      });
      return result.ok ? result : { ok: false, reason: 'refused' };
    },
  }),
  'commands/register-on-chain#registerOnChain': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s survey')}
      ${forAdministrators('unknown id', 'NotFound')}
      ${forAdministrators('no id at all', 'NotFound')}
    `,
    prepare: newDocument,
    act: (ctx, { propertyId, documentId }, cell) =>
      registerOnChain(ctx, { propertyId, documentId: badId(cell, documentId) ?? documentId }),
  }),
  'commands/make-private#makePrivate': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s public document')}
      ${forAdministrators('unknown id', 'NotFound')}
      ${forAdministrators('no id at all', 'NotFound')}
    `,
    async prepare({ scenario }) {
      const propertyId = await scenario.listing('A’s Active');
      const { id: documentId } = await insertDocument(scenario.ctx('admin'), {
        propertyId,
        type: 'Other',
        visibility: 'public',
        uploadedBy: null,
        document: { ...stored, key: `documents/${randomUUID()}.pdf` },
      });
      return { propertyId, documentId };
    },
    act: (ctx, { propertyId, documentId }, cell) =>
      makePrivate(ctx, { propertyId, documentId: badId(cell, documentId) ?? documentId }),
  }),
  'commands/revoke-document#revokeDocument': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s survey')}
      ${forAdministrators('unknown id', 'NotFound')}
      ${forAdministrators('no id at all', 'NotFound')}
    `,
    prepare: newDocument,
    act: (ctx, { propertyId, documentId }, cell) =>
      revokeDocument(ctx, {
        propertyId,
        documentId: badId(cell, documentId) ?? documentId,
        reason: 'Issued in error.',
      }),
  }),
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
      A’s survey                Unauthenticated  NotFound  NotFound  NotFound  NotFound  NotFound  allowed
      of A’s sale, office       Unauthenticated  NotFound  NotFound  NotFound  NotFound  NotFound  allowed
      of A’s sale, buyer        Unauthenticated  allowed   NotFound  NotFound  NotFound  NotFound  allowed
      of A’s sale, seller       Unauthenticated  NotFound  NotFound  allowed   NotFound  NotFound  allowed
      of A’s sale, parties      Unauthenticated  allowed   NotFound  allowed   NotFound  NotFound  allowed
      B’s of the suspended, parties  Unauthenticated  NotFound  allowed  NotFound  NotFound  allowed  allowed
      about seller A, seller    Unauthenticated  NotFound  NotFound  allowed   NotFound  NotFound  allowed
      about seller A, parties   Unauthenticated  NotFound  NotFound  allowed   NotFound  NotFound  allowed
      about seller A, office    Unauthenticated  NotFound  NotFound  NotFound  NotFound  NotFound  allowed
      ${notFoundRows('unknown id', 'no id at all')}
    `,
    prepare: shownDocument,
    act: (ctx, { documentId }, cell) => documentLink(withPorts(ctx), badId(cell, documentId) ?? documentId),
    mayChange: () => false,
  }),
  'reads#documentsOfSale': operation({
    cells: `
      ${HEAD}
      of A’s sale, office   Unauthenticated  none      NotFound  none      NotFound  NotFound  one
      of A’s sale, buyer    Unauthenticated  one       NotFound  none      NotFound  NotFound  one
      of A’s sale, seller   Unauthenticated  none      NotFound  one       NotFound  NotFound  one
      of A’s sale, parties  Unauthenticated  one       NotFound  one       NotFound  NotFound  one
      B’s of the suspended, parties  Unauthenticated  NotFound  one  NotFound  NotFound  one  one
      ${notFoundRows('unknown id', 'no id at all')}
    `,
    prepare: shownDocument,
    act: (ctx, { saleId }, cell) => documentsOfSale(ctx, badId(cell, saleId ?? '') ?? saleId ?? ''),
    outcomeOf: (found, { documentId }) => (found.some(({ id }) => id === documentId) ? 'one' : 'none'),
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
  'commands/register-document#registerDocument': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s Active')}
    `,
    prepare: ({ scenario }) => scenario.listing('A’s Active'),
    act: (ctx, propertyId) => registerDocument(ctx, { propertyId, type: 'Survey', document: stored }),
  }),
  'commands/delete-document-file#deleteDocumentFile': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) => deleteDocumentFile(withPorts(ctx), { key: `documents/${randomUUID()}.pdf` }),
  }),
  'commands/scan-held-documents#scanHeldDocuments': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) => scanHeldDocuments(withPorts(ctx), { removed: async () => {}, released: async () => {} }),
  }),
};
