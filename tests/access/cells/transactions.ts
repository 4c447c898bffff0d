import { transactionQueryFrom } from '#features/transactions/filters.ts';
import { transactionList } from '#features/transactions/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { sharedSale } from '../support/sales.ts';
import { HEAD } from '../support/table-rows.ts';

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
};
