import { closeBreaks } from '#features/reconciliation/commands/close-breaks.ts';
import { openBreak } from '#features/reconciliation/commands/open-break.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { sharedSale } from '../../support/sales.ts';
import { systemOnlyRows } from '../../support/table-rows.ts';

// Part of other operations.
export const cells: Cells = {
  'commands/open-break#openBreak': operation({
    cells: systemOnlyRows('a break'),
    act: (ctx) => openBreak(ctx, { kind: 'payment_mismatch', subject: 'mine', detail: 'Confidential' }),
  }),

  'commands/close-breaks#closeBreaks': operation({
    cells: systemOnlyRows('a break'),
    prepare: ({ scenario }) => sharedSale(scenario, 'in escrow'),
    act: (ctx, { saleId }) =>
      closeBreaks(ctx, {
        saleId,
        kind: 'unexpected_refund',
        resolution: 'recognised',
        note: 'Hidden',
        by: null,
      }),
  }),
};
