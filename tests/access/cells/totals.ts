import { countTotals } from '#features/totals/commands/count-totals.ts';
import { type Cells, operation } from '../support/operation.ts';
import { systemOnlyRows } from '../support/table-rows.ts';

export const cells: Cells = {
  'commands/count-totals#countTotals': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) => countTotals(ctx),
  }),
};
