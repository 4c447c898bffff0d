import { randomUUID } from 'node:crypto';
import { restartRelease } from '#features/sales/commands/restart-release.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { newSale } from '../../support/sales.ts';
import { systemOnlyRows } from '../../support/table-rows.ts';

export const cells: Cells = {
  'commands/restart-release#restartRelease': operation({
    cells: systemOnlyRows('with documents'),
    prepare: ({ scenario }) => newSale(scenario, 'with documents'),
    act: (ctx, { saleId }) => restartRelease(ctx, { saleId, documentId: randomUUID() }),
  }),
};
