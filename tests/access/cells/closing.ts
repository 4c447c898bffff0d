import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askMissingDocuments } from '#features/closing/commands/ask-missing-documents.ts';
import { makeClosingDocuments } from '#features/closing/commands/make-closing-documents.ts';
import { makeSellerStatement } from '#features/closing/commands/make-seller-statement.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { type Cells, operation } from '../support/operation.ts';
import { sharedSale } from '../support/sales.ts';
import { systemOnlyRows } from '../support/table-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'acre-closing-cells-'));
const files = createFolderStore({ folder, secret: 's' });

export const cells: Cells = {
  'commands/make-closing-documents#makeClosingDocuments': operation({
    cells: systemOnlyRows('released'),
    prepare: ({ scenario, row }) => sharedSale(scenario, row),
    act: (ctx, { saleId }) => makeClosingDocuments({ ...ctx, files }, { saleId }),
  }),
  'commands/make-seller-statement#makeSellerStatement': operation({
    cells: systemOnlyRows('of any seller'),
    act: (ctx) =>
      makeSellerStatement({ ...ctx, files }, { statementId: '00000000-0000-4000-8000-000000000000' }),
  }),
  'commands/ask-missing-documents#askMissingDocuments': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) => askMissingDocuments(ctx),
  }),
};
