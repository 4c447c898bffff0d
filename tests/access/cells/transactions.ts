import { transactionQueryFrom } from '#features/transactions/filters.ts';
import { saleDetails, transactionList } from '#features/transactions/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { payoutsFor } from '../support/payouts.ts';
import { sharedSale } from '../support/sales.ts';
import { badId, HEAD } from '../support/table-rows.ts';

const everything = transactionQueryFrom(new URLSearchParams());

export const cells: Cells = {
  'reads#transactionList': operation({
    cells: `
      ${HEAD}
      all sales  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  some
    `,
    prepare: ({ scenario }) => sharedSale(scenario, 'in escrow'),
    act: (ctx) => transactionList(ctx, everything),
    outcomeOf: ({ rows }) => (rows.length > 0 ? 'some' : 'none'),
    mayChange: () => false,
  }),

  'reads#saleDetails': operation({
    cells: `
      ${HEAD}
      in escrow     Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      released      Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
      unknown id    Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
      no id at all  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
    `,
    prepare: ({ scenario, row }) => sharedSale(scenario, row === 'released' ? row : 'in escrow'),
    act: (ctx, { saleId }, cell) =>
      saleDetails({ ...ctx, payouts: payoutsFor(cell.scenario) }, { saleId: badId(cell, saleId) ?? saleId }),
    mayChange: () => false,
  }),
};
