import { watchDeadlines } from '#features/sales/commands/watch-deadlines.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { newSale } from '../../support/sales.ts';
import { systemOnlyRows } from '../../support/table-rows.ts';

export const cells: Cells = {
  'commands/watch-deadlines#watchDeadlines': operation({
    cells: systemOnlyRows('overdue'),
    prepare: ({ scenario }) => newSale(scenario, 'overdue'),
    act: (ctx) => watchDeadlines(ctx),
  }),
};
