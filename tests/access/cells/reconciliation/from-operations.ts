import { approveShortfall } from '#features/reconciliation/commands/approve-shortfall.ts';
import { closeBreaks } from '#features/reconciliation/commands/close-breaks.ts';
import { openBreak } from '#features/reconciliation/commands/open-break.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { newSale, sharedSale, systemContext } from '../../support/sales.ts';
import { HEAD, systemOnlyRows } from '../../support/table-rows.ts';

// Part of other operations.
export const cells: Cells = {
  'commands/open-break#openBreak': operation({
    cells: systemOnlyRows('a break'),
    act: (ctx) => openBreak(ctx, { kind: 'payment_mismatch', subject: 'mine', detail: 'Confidential' }),
  }),

  'commands/approve-shortfall#approveShortfall': operation({
    cells: `
      ${HEAD}
      a shortfall  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    async prepare({ scenario }) {
      const { saleId } = await newSale(scenario, 'in escrow');
      await openBreak(systemContext(scenario), {
        kind: 'payment_mismatch',
        subject: saleId,
        saleId,
        detail: 'Confidential',
      });
      return { saleId };
    },
    act: (ctx, { saleId }, { scenario }) =>
      ctx.db.tx(() =>
        approveShortfall(ctx, { saleId, cents: 5_000_00, reason: 'A bank fee', by: scenario.cast.admin.id }),
      ),
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
