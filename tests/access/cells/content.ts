import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { addTestDocument } from '#features/content/commands/add-test-document.ts';
import { checkTestDocument } from '#features/content/commands/check-test-document.ts';
import { fillAddresses } from '#features/content/commands/fill-addresses.ts';
import { publishContent } from '#features/content/commands/publish-content.ts';
import { removeTestDocument } from '#features/content/commands/remove-test-document.ts';
import { retryPin } from '#features/content/commands/retry-pin.ts';
import { saveGateway } from '#features/content/commands/save-gateway.ts';
import { testRoundTrip } from '#features/content/commands/test-round-trip.ts';
import {
  contentGateway,
  contentLinks,
  publishedContent,
  savedGateway,
  storageStatus,
  testDocument,
  testDocuments,
} from '#features/content/reads.ts';
import { insertDocument } from '#features/documents/insert-document.ts';
import { fileCid } from '#gateways/content/cid.ts';
import { createLocalStore } from '#gateways/content/local.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { Ctx } from '#platform/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { withoutRateLimits } from '../support/sales.ts';
import { badId, HEAD, sameForAll, systemOnlyRows } from '../support/table-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'acre-content-cells-'));
const ports = {
  files: createFolderStore({ folder: join(folder, 'files'), secret: 's' }),
  malware: noScanner,
  content: createLocalStore({ folder: join(folder, 'content'), profile: 'unixfs-v1-2025' }),
};
const withPorts = (ctx: Ctx) => ({ ...withoutRateLimits(ctx), ...ports });
const forAdministrators = (row: string, outcome = 'allowed') =>
  `${row}  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}`;

/** A document of seller A's listing with bytes of its own; its address is published unless the row says otherwise. */
async function newDocument({ scenario, row }: Cell, { isTest = false, status = 'pinned' } = {}) {
  const bytes = Buffer.concat([pdfFile, Buffer.from(randomUUID())]);
  const cid = fileCid(bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = `documents/${randomUUID()}.pdf`;
  await ports.files.put({ key, body: bytes, contentType: 'application/pdf', sha256 });
  await ports.content.add(bytes, 'cell.pdf');
  const { id } = await insertDocument(scenario.ctx('admin'), {
    propertyId: isTest ? null : await scenario.listing('A’s Active'),
    type: 'Other',
    visibility: row === 'a private document' ? 'private' : 'public',
    isTest,
    uploadedBy: null,
    document: {
      key,
      name: `${cid}.pdf`,
      contentType: 'application/pdf',
      bytes: bytes.length,
      sha256,
      cid,
      scan: 'clean',
    },
  });
  await scenario.db
    .q()
    .updateTable('content_pins')
    .set({ status: status as 'pinned' | 'failed', touched: true })
    .where('cid', '=', cid)
    .execute();
  return { id, cid };
}
const newTest = (cell: Cell) => newDocument(cell, { isTest: true });

export const cells: Cells = {
  'reads#contentGateway': operation({
    cells: sameForAll(['the gateway', 'allowed']),
    act: (ctx) => contentGateway(ctx),
    mayChange: () => false,
    verify: (gateway) => expect(gateway).toContain('{cid}'),
  }),
  'reads#contentLinks': operation({
    cells: sameForAll(['a public document', 'linked'], ['a private document', 'no link']),
    prepare: (cell) => newDocument(cell),
    act: (ctx, { cid }) => contentLinks(ctx, [cid]),
    outcomeOf: (links, { cid }) => (links[cid] ? 'linked' : 'no link'),
    mayChange: () => false,
  }),
  'reads#publishedContent': operation({
    cells: sameForAll(
      ['a public document', 'allowed'],
      ['a private document', 'NotFound'],
      ['no address', 'NotFound'],
    ),
    prepare: (cell) => newDocument(cell),
    act: (ctx, { cid }, { row }) =>
      publishedContent(withPorts(ctx), row === 'no address' ? '../../etc/passwd' : cid),
    mayChange: () => false,
  }),
  'reads#savedGateway': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('the gateway')}
    `,
    act: (ctx) => savedGateway(ctx),
    mayChange: () => false,
  }),
  'reads#storageStatus': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('the store')}
    `,
    act: (ctx) => storageStatus(ctx),
    mayChange: () => false,
  }),
  'reads#testDocuments': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('all of them')}
    `,
    prepare: newTest,
    act: (ctx) => testDocuments(ctx),
    mayChange: () => false,
    verify: (found, { id }) => {
      if (found) expect(found.map((test) => test.id)).toContain(id);
    },
  }),
  'reads#testDocument': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('a test document')}
      ${forAdministrators('unknown id', 'NotFound')}
    `,
    prepare: newTest,
    act: (ctx, { id }, cell) => testDocument(ctx, badId(cell, id) ?? id),
    mayChange: () => false,
  }),
  'commands/retry-pin#retryPin': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('a failed document')}
      ${forAdministrators('one that has not failed', 'nothing')}
    `,
    prepare: (cell) => newDocument(cell, { status: cell.row === 'a failed document' ? 'failed' : 'pinned' }),
    act: (ctx, { cid }) => retryPin(ctx, { cid }),
  }),
  'commands/test-round-trip#testRoundTrip': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('a store')}
      ${forAdministrators('no store', 'not_configured')}
    `,
    act: (ctx, _, { row }) =>
      testRoundTrip({ ...withPorts(ctx), content: row === 'no store' ? null : ports.content }),
  }),
  'commands/add-test-document#addTestDocument': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('a document')}
      ${forAdministrators('no document', 'format')}
    `,
    act: (ctx, _, { row }) =>
      addTestDocument(withPorts(ctx), {
        bytes:
          row === 'a document' ? Buffer.concat([pdfFile, Buffer.from(randomUUID())]) : Buffer.from('plain'),
        name: 'sample.pdf',
      }),
  }),
  'commands/check-test-document#checkTestDocument': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('a test document')}
      ${forAdministrators('unknown id', 'NotFound')}
      ${forAdministrators('no id at all', 'NotFound')}
    `,
    prepare: newTest,
    act: (ctx, { id }, cell) => checkTestDocument(withPorts(ctx), badId(cell, id) ?? id),
    mayChange: () => false,
  }),
  'commands/remove-test-document#removeTestDocument': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('a test document')}
      ${forAdministrators('a document that is no test', 'NotFound')}
      ${forAdministrators('unknown id', 'NotFound')}
      ${forAdministrators('no id at all', 'NotFound')}
    `,
    prepare: (cell) => newDocument(cell, { isTest: cell.row !== 'a document that is no test' }),
    act: (ctx, { id }, cell) => removeTestDocument(withPorts(ctx), badId(cell, id) ?? id),
    outcomeOf: () => 'allowed',
  }),
  'commands/save-gateway#saveGateway': operation({
    cells: `
      ${HEAD}  unproven
      ${forAdministrators('another gateway')}  ProofRequired
      ${forAdministrators('no address', 'invalid')}  ProofRequired
      ${forAdministrators('over another one', 'newer')}  ProofRequired
    `,
    prepare: ({ scenario }) =>
      scenario.db.q().deleteFrom('platform_settings').where('setting_name', '=', 'content_gateway').execute(),
    act: (ctx, _, { row }) =>
      saveGateway(ctx, {
        gateway: row === 'no address' ? 'ipfs.io' : 'https://{cid}.ipfs.dweb.link',
        base: row === 'over another one' ? 'https://ipfs.io/ipfs/{cid}' : null,
      }),
  }),
  'commands/publish-content#publishContent': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) => publishContent(withPorts(ctx)),
  }),
  'commands/fill-addresses#fillAddresses': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) => fillAddresses(withPorts(ctx)),
  }),
};
