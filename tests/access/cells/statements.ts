import { tmpdir } from 'node:os';
import { expect } from 'vitest';
import { closeMonths } from '#features/statements/commands/close-months.ts';
import { monthOf } from '#features/statements/months.ts';
import { sellerStatementMonths, statementFile, statementOverview } from '#features/statements/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { sharedSale, withoutRateLimits } from '../support/sales.ts';
import { badId, HEAD, systemOnlyRows } from '../support/table-rows.ts';

// No statement of the present month is registered, so nothing is read from here.
const files = createFolderStore({ folder: tmpdir(), secret: 's' });

/** A closed sale of seller A, and the id of the seller that the row names. */
async function sellerOfRow({ scenario, row }: Cell): Promise<string> {
  await sharedSale(scenario, 'released');
  const real = scenario.cast.sellerA.agentId ?? '';
  if (row === 'B’s') return scenario.cast.sellerB.agentId ?? '';
  return badId({ row }, real) ?? real;
}

/** Sellers read their own, also suspended ones; administrators all of them. */
const sellersOwn = `
  ${HEAD}
  A’s           Unauthenticated  Forbidden  Forbidden  allowed   NotFound  NotFound  allowed
  B’s           Unauthenticated  Forbidden  Forbidden  NotFound  allowed   NotFound  allowed
  unknown id    Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  NotFound  NotFound
  no id at all  Unauthenticated  Forbidden  Forbidden  NotFound  NotFound  NotFound  NotFound
`;
const month = () => monthOf(new Date());

export const cells: Cells = {
  'reads#statementOverview': operation({
    cells: `${sellersOwn}
      one’s own     Unauthenticated  Forbidden  Forbidden  allowed   allowed   allowed   NotFound
    `,
    prepare: sellerOfRow,
    act: (ctx, sellerId, { row }) =>
      statementOverview(ctx, { sellerId: row === 'one’s own' ? null : sellerId, month: month() }),
    mayChange: () => false,
    // Only the statement of seller A has a sale.
    verify: (found, _, { scenario }) => {
      const { statement } = found ?? {};
      if (statement)
        expect(statement.lines.length > 0).toBe(statement.sellerId === scenario.cast.sellerA.agentId);
    },
  }),

  'reads#sellerStatementMonths': operation({
    cells: sellersOwn,
    prepare: sellerOfRow,
    act: (ctx, sellerId) => sellerStatementMonths(ctx, { sellerId }),
    mayChange: () => false,
  }),

  'reads#statementFile': operation({
    cells: sellersOwn,
    prepare: sellerOfRow,
    act: (ctx, sellerId) =>
      statementFile({ ...withoutRateLimits(ctx), files }, { sellerId, month: month(), format: 'csv' }),
    mayChange: () => false,
  }),

  'commands/close-months#closeMonths': operation({
    cells: systemOnlyRows('the months that are over'),
    act: (ctx) => closeMonths(ctx),
  }),
};
