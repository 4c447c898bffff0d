import { expect } from 'vitest';
import { commissionHistory, countOpenSalesOf } from '#features/sales/reads.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { sharedSale } from '../../support/sales.ts';
import { badId, HEAD } from '../../support/table-rows.ts';

const ADMINS = 'Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden';

/** What administrators see of the sales of any seller. */
export const cells: Cells = {
  'reads#commissionHistory': operation({
    cells: `
      ${HEAD}
      seller A’s         ${ADMINS}  allowed
      id in upper case   ${ADMINS}  NotFound
      unknown id         ${ADMINS}  none
      no id at all       ${ADMINS}  NotFound
    `,
    async prepare(cell) {
      await sharedSale(cell.scenario, 'released');
      const { agentId } = cell.scenario.cast.sellerA;
      return badId(cell, agentId ?? '') ?? agentId ?? '';
    },
    act: (ctx, sellerId) => commissionHistory(ctx, { sellerId, page: 1 }),
    outcomeOf: ({ total }) => (total > 0 ? 'allowed' : 'none'),
    mayChange: () => false,
  }),

  'reads#countOpenSalesOf': operation({
    cells: `
      ${HEAD}
      seller A’s  ${ADMINS}  allowed
    `,
    async prepare({ scenario }) {
      await sharedSale(scenario, 'in escrow');
      return scenario.cast.sellerA.agentId ?? '';
    },
    act: (ctx, sellerId) => countOpenSalesOf(ctx, sellerId),
    mayChange: () => false,
    verify(count, _, { outcome }) {
      if (outcome === 'allowed') expect(count).toBeGreaterThan(0);
    },
  }),
};
